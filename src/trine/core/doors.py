"""The doors of a room: what every game offers, and all that the floors above may ask of it.

A room is a `Room`, filled in by its game definition (``games/NAME/__init__.py``). A fourth game is
one more of these; nothing above the games knows more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from trine.core.checked import CheckedLine
from trine.core.clause import Clause
from trine.core.editor import Editor
from trine.core.errors import IllegalError
from trine.core.history import History
from trine.core.lesson import Lesson
from trine.core.position import ItsAction, ItsPosition, Position, RuleSet
from trine.core.record import Record
from trine.core.scene import Scene
from trine.core.seat import Seat
from trine.core.symmetry import Symmetries, identity
from trine.core.text import Text, text
from trine.core.textboard import Look, TextBoard
from trine.core.words import Word

if TYPE_CHECKING:  # a board is shown without NumPy
    from trine.core.arrays import Buffer, Cells, Floats, Key, Row, Rows


@dataclass(frozen=True)
class Threat:
    """A way for a player to hurt another in one turn, were it to move."""

    player: int
    kind: str
    """The sort of threat: ``capture``, ``goal``. An `Aspect` of the same name says no
    more than they do."""
    what: str
    """The notation of its target or its means; empty where there is one of a kind."""
    told: Text
    """In words, with a turn that carries it out."""


@dataclass(frozen=True)
class Effect:
    """An effect of a turn, for a person to whom the turn is recommended."""

    about: str
    """The `Aspect` of the evaluation to which it belongs, by name; empty where there is none."""
    told: Text


class Insight(Protocol):
    """The features of a position that a person wants to see."""

    def marks(self) -> Mapping[str, frozenset[str]]:
        """Marks for a board, by the name of the cell."""

    def sentences(self) -> Sequence[Text]:
        """Everything in words."""

    def threats_told(self) -> Sequence[Threat]:
        """The threats of all players; none in a game that knows of none."""

    def as_data(self) -> dict[str, Any]:
        """Everything as JSON-able data."""


Options = Mapping[str, str]
"""The agreement before a game, by the tags of records: the values of `StartOption`s."""


@dataclass(frozen=True)
class StartOption:
    """Something to agree on before a game, besides the rule set.

    It is a tag of records, an option of the command line (``Seed`` is ``--seed``) and a question.
    """

    tag: str
    metavar: str
    help: Text
    """The line of the help of a command, which tells of all games."""
    label: Text
    """The choice, in a word or two, where the game is known."""
    ask: Callable[[str, Options], tuple[Text, str] | None] = lambda rules, agreed: None
    """From a rule set and what has been agreed on so far, the question before a game and the answer
    that stands ready; None where there is nothing to ask."""
    choices: Callable[[str], Sequence[tuple[str, Text]] | None] = lambda rules: None
    """From a rule set, the values to choose from with a word for each, the usual one first; None
    where too many are possible to name them. Fewer than two leave nothing to choose."""


@dataclass(frozen=True)
class Format:
    """A format of other programs for records of one game; reads and writes as a stream."""

    name: str
    title: Text
    read: Callable[[Iterable[str], str], Iterator[Record]]
    """From the lines of a file and its name. Raises `MalformedError` with the place."""
    write: Callable[[Iterable[Record]], Iterator[str]]
    """To pieces of text."""
    check: Callable[[Record], None]
    """Raises `FileError` if the format cannot hold a record of the game."""
    recognises: Callable[[str], bool]
    """Whether a file whose first line this is has the format."""
    game: str = ""
    """The game whose records it holds; none stands for all."""


Strategist = Callable[[ItsPosition, History, Random], tuple[ItsAction, ...]]
"""``strategist(position, history, rng)``: a whole turn, or the rest of one, that is legal."""


@dataclass(frozen=True)
class Room:
    """A game, with all its doors."""

    name: str
    title: str
    rule_sets: Mapping[str, RuleSet]
    default_rules: str
    seats: tuple[Seat, ...]
    """All seats that a play of the game can have."""

    # starts
    options: tuple[StartOption, ...]
    settle: Callable[[str, Options], Options]
    """``settle(rule set name, options)``: the options of a new game as its record keeps them, in
    their canonical form and with all that is left to chance chosen. Raises `TrineError`."""
    start: Callable[[str, Options], ItsPosition]
    """``start(rule set name, options)``: the position in which a play begins. The same options
    give the same position, always. Raises `TrineError`."""
    start_tags: Callable[[ItsPosition], Options]
    """The tags with which a record begins in this position: options, or ``Start``."""
    parse_position: Callable[[str, str], ItsPosition]
    """``parse_position(text, rule set name)``; without a name the rule set is that of the text, or
    the usual one."""
    format_position: Callable[[ItsPosition], str]
    """A position on one line."""

    # whole turns
    legal_turns: Callable[..., Iterator[tuple[ItsAction, ...]]]
    """``legal_turns(position, history)``: every legal turn, as its actions but the end."""
    turn_results: Callable[..., Mapping[ItsPosition, tuple[ItsAction, ...]]]
    """``turn_results(position, history)``: the distinct positions that a turn can make, each with
    a shortest turn that makes it."""

    # notation
    read_action: Callable[[ItsPosition, Sequence[Word], History], tuple[ItsAction, int]]
    """The next action of a record, read strictly, and how many words it took."""
    format_action: Callable[[ItsPosition, ItsAction], str]
    """An action as a record holds it."""
    interpret: Callable[[ItsPosition, str, History], CheckedLine]
    """Read a typed line as actions that are legal one after the other, each judged once."""
    changed_cells: Callable[[ItsPosition, Sequence[ItsAction]], frozenset[str]]
    """The highlights on a board after actions from a position: names of cells, and of other
    things that actions change, such as walls."""

    # seeing
    insight: Callable[[ItsPosition], Insight]
    effects: Callable[[ItsPosition, Sequence[ItsAction]], Sequence[Effect]]
    """``effects(position, actions)``: what the actions of one turn, or the rest of one, bring about
    that a person might not see by their notation; exact, what matters most first. Nothing is asked
    about a turn that ends the play."""
    text_board: Callable[[ItsPosition, Look], TextBoard]
    piece_sets: Mapping[str, Text]
    """The first is the usual one."""
    status: Callable[[ItsPosition], Sequence[Text]]
    """The facts beside the board: steps left, captured pieces."""
    scene: Callable[..., Scene]
    """``scene(position, seat=, last=, marks=, targets=, pieces=, keys=)``: the scene as it is seen
    from a seat, a number in turn order. ``last`` is what `changed_cells` gives, ``marks`` what an
    `Insight` gives, ``targets`` are ids of spots and buttons, ``pieces`` is a piece set (drawings
    if it is empty) and ``keys`` those of `trine.core.keys`. All may be left out."""
    picks: Callable[[ItsPosition, ItsAction], tuple[str, ...]]
    """``picks(position, action)``: the ids of the spots and buttons of the scene at which a person
    points, in order, to make a legal action: as few as say it. No path begins another one."""
    group_actions: Callable[
        [ItsPosition, Sequence[ItsAction]], Sequence[tuple[Text, Sequence[ItsAction]]]
    ]
    """Legal actions in groups with a heading each, for a person to read."""
    setup_words: Mapping[str, Text]
    """Words that `interpret` understands besides actions while the board is set up, each with its
    help."""

    # the rest of the book
    rulebook: Callable[[str], Sequence[Clause]]
    lessons: Callable[[str], Sequence[Lesson]]
    """``lessons(rule set name)``: what a newcomer learns first, in this order."""
    formats: Mapping[str, Format]

    # what not every game has
    symmetries: Callable[[ItsPosition], Symmetries] = lambda position: (
        identity(len(position.seats)),
    )
    """``symmetries(position)``: the ways to turn or mirror a position, and all that can follow it,
    under which the rules stay the same; the first leaves everything where it is. They multiply what
    can be learnt from a game."""
    movements: Callable[[ItsPosition, ItsAction], tuple[tuple[str, str], ...]] = (
        lambda position, action: ()
    )
    """``movements(position, action)``: which pieces a legal action moves, in order, from cell to
    cell; an empty string is no cell. Pieces whose keys the position itself tells are not in it."""
    editor: Editor | None = None
    """The box from which a position is set up by hand."""
    end: ItsAction | None = None
    """The action that only ends a turn, which records do not write."""
    turns_of_one: bool = False
    """Whether every turn is one action."""
    whole_setups: bool = False
    """Whether each side sets up in one turn, which is then shown and timed as one."""
    about: Callable[[ItsPosition, str], Text | None] = lambda position, cell: None
    """``about(position, cell)``: what a person should know who asks where the piece on a cell can
    go: that it is frozen, that it can capture nothing; None where the actions say it all."""
    words_by_consent: frozenset[str] = frozenset()
    """Those of `setup_words` that the other side must agree to."""
    strategists: Mapping[str, Strategist] = field(default_factory=dict)
    """The strategies that the source documents teach, by name, as players of their own."""
    score_winner: Callable[[Sequence[ItsPosition]], int | None] | None = None
    """The winner when the clock stops the whole game, from the positions after each turn. Without
    it, no clock can stop a whole game."""

    def tag(self, position: Position) -> str:
        """The turn that is to be played in a position, or is open in it, as in ``2g``."""
        return f"{position.number}{position.seats[position.mover].letter}"

    def check_draws(self, rules: RuleSet) -> None:
        """Raise an error if a play by a rule set cannot be drawn.

        Raises:
            IllegalError: it cannot.
        """
        if not rules.draws:
            raise IllegalError(text("{game} has no draws", game=self.title))

    def sets_up_whole(self, position: Position) -> bool:
        """Whether the turn of a position sets up a whole side."""
        return self.whole_setups and position.in_setup


@dataclass(frozen=True)
class Kernel:
    """The fast twin of a room's referee, compiled; opened by `trine.games.open_kernel`.

    A position is a row of 64-bit words, an action a number. Repetition is not judged here: it is
    the business of who knows the history.

    Shapes: a row is ``uint64[words(position)]``, rows ``uint64[plies, words]``, a buffer for
        actions ``int32[most_actions]``, buffers ``int32[plies, most_actions]``; all are the
        caller's.
    """

    words: Callable[[ItsPosition], int]
    """The number of words in a row that can hold a position, and all that can follow it."""
    most_actions: int
    """No position has more legal actions."""
    actions: Callable[[ItsPosition], int]
    """The number of distinct action numbers in plays that begin in a position."""
    number_of: Callable[[ItsPosition, ItsAction], int]
    """``number_of(position, action)``"""
    action_of: Callable[[ItsPosition, int], ItsAction]
    """``action_of(position, number)``. Raises `MalformedError`."""
    to_row: Callable[[ItsPosition, Row], None]
    """``to_row(position, row)``"""
    to_position: Callable[[Row], ItsPosition]
    generate: Callable[[Row, Buffer], int]
    """``generate(row, buffer)``: the legal actions, and how many they are; none after the end."""
    play: Callable[[Rows, int, int], None]
    """``play(rows, ply, action)`` writes the row after ``ply``."""
    result: Callable[[Row], int]
    """The winner's number, -1 while the play goes on, -2 for a draw."""
    mover: Callable[[Row], int]
    key: Callable[[Row], Key]
    """A number that equal positions share, and others do not but by chance."""

    # where the room has a faster way than a list of all actions
    count: Callable[[Row], int] | None = None
    """``count(row)``: how many legal actions there are."""
    random_action: Callable[[Row, Buffer, Row], int] | None = None
    """``random_action(row, buffer, rng)``: one of them, all equally likely, -1 if there is none;
    ``rng`` is a ``uint64[1]`` that is not 0."""
    random_play: Callable[[Rows, int, Buffer, Row, int], int] | None = None
    """As `trine.search.perft.random_play` explains."""
    turns: Callable[[Row], int] | None = None
    """``turns(row)``: how many distinct positions a whole turn can make, from its beginning, as
    `Room.turn_results` finds them; -1 within a turn or a setup. None where the referee is quick
    enough."""


@dataclass(frozen=True)
class RepetitionKernel:
    """The judgement of a game on positions that stand for the third time.

    Limits: `LOSES` and `FORBIDDEN` are for two players.
    """

    rule: Callable[[ItsPosition], int]
    """``rule(position)``: what a third standing means by the rule set, as `trine.core.score`
    has it."""
    can_stand_again: Callable[[Row], bool]
    """``can_stand_again(row)``: whether a position is one that counts: the beginning of a turn, the
    setup over."""
    longest_turn: int = 1
    """No turn has more actions, its end included."""


@dataclass(frozen=True)
class BatchKernel:
    """The needs of many games at once besides the `Kernel`; opened by `open_batch_kernel`."""

    shape: Callable[[Row], tuple[int, int, int]]
    """``shape(row)``: how many planes of how many rows and columns an observation has."""
    see: Callable[[Row, int, Cells], None]
    """``see(row, viewer, cells)``: writes what a player sees into cells that are all 0."""
    repetition: RepetitionKernel | None = None
    """None where nothing can repeat."""
    advance: Callable[[Rows, int], bool] | None = None
    """``advance(rows, action)`` plays an action in the first of two rows, the second being scratch,
    and says whether no position of before can stand again, as nothing undoes the action. None where
    positions are never forgotten, and `Kernel.play` is quick enough."""


@dataclass(frozen=True)
class Aspect:
    """Something that can be better for one player than for another, however many terms count it."""

    name: str
    text: Text
    """As behind "better for Gold:": "the safety of the camels". It must be true whichever side has
    changed, so it names the matter and not the direction."""
    counted: Text | None = None
    """The same with how many it is better by, as a sentence that depends on ``count``."""


@dataclass(frozen=True)
class Term:
    """A term of an evaluation."""

    name: str
    """As the file of weights has it: ``elephant_centre``."""
    weight: float
    """Units: points for each unit of the term."""
    text: Text
    """The subject of its count, for a student of the evaluation: "elephant in the centre"."""
    aspect: Aspect | None = None
    """As what it is a reason for a turn; None where it would make no sense to a player."""
    is_count: bool = False
    """Whether its unit is what the aspect counts."""


@dataclass(frozen=True, eq=False)
class NetInputs:
    """The facts of a position that a small net beside the terms can see, each set or not set.

    Limits: for two players.
    """

    game: str
    """The name of the room."""
    name: str
    """Another one whenever an input gets another meaning: nets that learned from others do not fit.
    """
    most: int
    """No position has more of them set."""
    mirrored: Buffer
    """``int32[inputs]``: the input that the second player sees in place of each of the first's."""
    write: Callable[[Row, Row], None]
    """``write(row, out)`` writes the inputs that are set, as the first player sees them: a bit each
    of ``uint64[n]``, whose words have room for all. None is set where a net has nothing to say."""
    buckets: int = 1
    """The number of sets of output weights, for different stages of a play."""
    bucket: Callable[[Row], int] | None = None
    """``bucket(row)``: the set for a position. None where there is one."""
    symmetries: Buffer | None = None
    """``int32[symmetries, inputs]``: the inputs of a position that is changed by a symmetry of the
    game which leaves the players as they are; the first changes nothing. None where inputs do not
    tell such positions apart."""


@dataclass(frozen=True)
class Table:
    """Numbers that an evaluation adds up wherever something stands, such as points of squares.

    They are no terms, since each alone says nothing to a reader; one term is their sum. They are
    fitted with the weights, and the file of weights has them behind those of the terms.
    """

    term: str
    """The term that is their sum; its weight is 1."""
    numbers: Mapping[str, float]
    """The present numbers, in points, by their names in the file of weights."""
    spread: Callable[[Sequence[float]], Floats]
    """``spread(numbers)``: all that `Heuristics.evaluate` looks up behind the weights."""
    count: Callable[[Rows, Sequence[int]], Floats]
    """``count(rows, players)``: how often each number counts in positions, for a player of each.
    Shapes: position, number."""


@dataclass(frozen=True)
class Heuristics:
    """A room's knowledge about playing well, compiled; opened by `trine.games.open_heuristics`.

    Rows, buffers and actions are those of the room's `Kernel`; nothing is asked about a row after
    the end of the play.

    Units: points. A player whose score is s can expect ``1 / (1 + 10 ** (-s / 400))`` of a win
        against another who thinks alike, as with Elo. Scores stay within ±20,000.
    """

    terms: tuple[Term, ...]
    weights: Floats
    """``float32[n]``: all that `evaluate` looks up; the weights of the terms come first."""
    evaluate: Callable[[Row, int, Floats, Floats], int]
    """``evaluate(row, player, weights, features)``: the points of a player against the others. It
    writes the terms as counted for that player into ``features``, ``float32[len(terms)]``."""
    tactical: Callable[[Row, Buffer], int]
    """``tactical(row, buffer)``: the actions that a search must follow before it can trust
    `evaluate`, and how many they are. A negative number says that they are all there are, so that
    it cannot stop here."""
    score_moves: Callable[[Row, Buffer, int, Buffer], None]
    """Move ordering: ``score_moves(row, actions, total, scores)`` writes how promising actions look
    without a search, from -1,000 to 1,000 each, into ``scores``, ``int32[most_actions]``."""
    detect_win: Callable[[Row], int]
    """Static win detection: ``detect_win(row)`` is n if the player to move surely wins with the
    n-th action from here, at the latest, -n if the player surely loses so; 0 where that cannot be
    told without a search."""
    null_move: Callable[[Rows, int], bool]
    """``null_move(rows, ply)`` writes the row after ``ply`` as if the player to move did nothing
    and the turn were over, also where the rules have no such turn; false where that tells
    nothing."""
    futility_margin: int
    """Units: points; what one quiet action can hardly gain. The search leaves out what is worse."""
    repetition_rule: Callable[[ItsPosition], int]
    """The rule for a position of a play that stands for the third time."""
    search_constants: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    """Further constants of the search that are the game's own, by the names that
    `trine.search.constants` has, each with the match that tuned it."""
    opening: Callable[[ItsPosition, Random], tuple[ItsAction, ...]]
    """``opening(position, rng)``: the rest of the turn where no thought is needed or a search
    would be of no use, such as a setup; empty where it must be thought about, and from then on."""
    net: NetInputs | None = None
    """The inputs of a net beside the terms; None where it can see nothing."""
    handicaps: Mapping[int, int] = field(default_factory=dict)
    """The handicaps of some levels of bots, by their numbers, in 1/1024, where those of
    `trine.engine.levels` would space them badly in this game."""
    table: Table | None = None
    """The numbers that are fitted besides the weights, if the evaluation has any."""
