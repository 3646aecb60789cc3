"""A game with all its doors: starts, turns, notation, boards, lessons, files of other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import Choosable
from trine.core.contract.clause import Clause, clauses_of
from trine.core.contract.editor import Editor
from trine.core.contract.first_game import FirstGame
from trine.core.contract.insight import Effect, Fall, Insight, Theme
from trine.core.contract.lesson import Lesson, lessons_of
from trine.core.contract.outcome import Cause, Outcome
from trine.core.contract.position import (
    Action,
    ItsAction,
    ItsPosition,
    Position,
    RuleSet,
    position_after,
)
from trine.core.contract.record import Record
from trine.core.contract.seat import Seat
from trine.core.contract.symmetry import Symmetries, identity
from trine.core.errors import IllegalError
from trine.core.history import NO_HISTORY, History
from trine.core.scene.scene import Scene
from trine.core.text.sentence import Text, text
from trine.core.text.textboard import Look, TextBoard
from trine.core.text.typed import typed
from trine.core.text.words import Word

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
    pictured: bool = False
    """Whether the few choices are told apart best by pictures of their starts."""


def _only_read(records: Iterable[Record]) -> Iterator[str]:
    raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """A format of other programs for records of one game; read and written as a stream."""

    name: str
    title: Text
    read: Callable[[Iterable[str], str], Iterator[Record]]
    """From the lines of a file and its name. Raises `MalformedError` with the place."""
    recognises: Callable[[str], bool]
    """Whether a file that begins so, with some lines from the first that says something, can have
    the format."""
    write: Callable[[Iterable[Record]], Iterator[str]] = _only_read
    """To pieces of text; not given if nobody takes games in it."""
    check: Callable[[Record], None] = lambda record: None
    """Raises `FileError` if the format cannot hold a record of the game."""
    game: str = ""
    """The game whose records it holds; none stands for all."""
    whose: str = ""
    """The programs and sites that write it."""
    example: str = ""
    """The beginning of a game in it, on one line."""
    begins: Text | None = None
    """Where its squares and walls begin, if another format has the same words for other things."""

    @property
    def only_read(self) -> bool:
        return self.write is _only_read


Strategist = Callable[[ItsPosition, History, Random], tuple[ItsAction, ...]]
"""``strategist(position, history, rng)``: a whole turn, or the rest of one, that is legal."""


@dataclass(frozen=True)
class Document:
    """The game as a document in one language describes it."""

    language: str
    """The code of the language."""
    rules: str
    """The name of the rule set that follows it."""
    options: Options = field(default_factory=dict)
    """The start that it prefers."""
    piece_set: str | None = None
    """The pieces on a text board that it asks for; None for the usual ones."""


P = TypeVar("P", bound=Position)


def short_turns(position: P, history: History = NO_HISTORY) -> Iterator[tuple[Action, ...]]:
    """Yield every legal turn as its actions; for a position within a turn, the rests of it.

    Arimaa, whose turns are many thousands, has its own way: `trine.games.arimaa.position`.
    """
    for action in position.legal_actions(history):
        after = position.play_unchecked(action)
        if after.turn_open and after.outcome(history) is None:
            for rest in short_turns(after, history):
                yield (action, *rest)
        else:
            yield (action,)


def short_turn_results(position: P, history: History = NO_HISTORY) -> dict[P, tuple[Action, ...]]:
    """Return the distinct positions that a turn can lead to, each with a shortest turn to it."""
    results: dict[P, tuple[Action, ...]] = {}
    for turn in short_turns(position, history):
        after = position_after(position, turn)
        if len(turn) < len(results.get(after, (*turn, ""))):
            results[after] = turn
    return results


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a game is begun, played and written.

    A game has to bring the first six; the others have the usual answer.
    """

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
    read_action: Callable[[ItsPosition, Sequence[Word], History], tuple[ItsAction, int]]
    """The next action of a record, read strictly, and how many words it took."""
    interpret: Callable[[ItsPosition, str, History], CheckedLine]
    """Read a typed line as actions that are legal one after the other, each judged once."""

    # how a play begins
    options: tuple[StartOption, ...] = ()
    """The ways in which starts differ, for a person to choose."""
    settle: Callable[[str, Options], Options] = lambda rules, options: {}
    """``settle(rule set name, options)``: the options of a new game as its record keeps them, in
    their canonical form and with all that is left to chance chosen. Raises `TrineError`. By default
    there are none."""
    setup_words: Mapping[str, Text] = field(default_factory=dict)
    """Words that `interpret` understands besides actions while the board is set up, each with its
    help."""
    words_by_consent: frozenset[str] = frozenset()
    """Those of `setup_words` that the other side must agree to."""
    whole_setups: bool = False
    """Whether each side sets up in one turn, which is then shown and timed as one."""
    count_setups: Callable[[ItsPosition], int] | None = None
    """``count_setups(position)``: how many whole setups the player to move can make; None where no
    side sets up in one turn."""

    # turns, and their ends
    end: ItsAction | None = None
    """The action that closes a turn and nothing else, if the game has one."""
    passed: Callable[[ItsPosition], ItsPosition] | None = None
    """``passed(position)``: the position with the turn passed on though nothing was played, for
    turns prepared for whatever comes. It is asked at the beginning of a turn."""
    turns_of_one: bool = False
    """Whether every turn is one action."""
    legal_turns: Callable[..., Iterator[tuple[ItsAction, ...]]] = short_turns
    """``legal_turns(position, history)``: every legal turn, as its actions but the end."""
    turn_results: Callable[..., Mapping[ItsPosition, tuple[ItsAction, ...]]] = short_turn_results
    """``turn_results(position, history)``: the distinct positions that a turn can make, each with
    a shortest turn that makes it."""
    symmetries: Callable[[ItsPosition], Symmetries] = lambda position: (
        identity(len(position.seats)),
    )
    """``symmetries(position)``: the ways to turn or mirror a position, and all that can follow it,
    under which the rules stay the same; the first leaves everything where it is. They multiply what
    can be learnt from a game."""
    score_winner: Callable[[Sequence[ItsPosition]], int | None] | None = None
    """The winner when the clock stops the whole game, from the positions after each turn. Without
    it, no clock can stop a whole game."""
    unsearched: Callable[[ItsPosition], Text | None] = lambda position: None
    """``unsearched(position)``: why there is no compiled code for a position, and so no level of
    the engine, no search and no analysis, as where a board is too large; None where there is."""
    solved: Callable[[ItsPosition], int | None] | None = None
    """``solved(position)``: the value at best play of a position of a board so small that it is
    solved, its setup over: 0 for a draw; else one more than the number of actions, of all players,
    until the end, even where the player to move wins and odd where it loses; None where it is not
    known. Only a game for two has it."""

    # records
    format_action: Callable[[ItsPosition, ItsAction], str] = lambda position, action: str(action)
    """An action as a record holds it: by default its one word (`trine.core.contract.oneword`)."""
    formats: Mapping[str, Format] = field(default_factory=dict)
    """The formats of other programs, by name."""


@dataclass(frozen=True, kw_only=True)
class RoomView:
    """How a game is shown, and how a person points at what it shows.

    A game has to bring the first four; the others have the usual answer.
    """

    text_board: Callable[[ItsPosition, Look], TextBoard]
    piece_sets: Mapping[str, Text]
    """The first is the usual one."""
    scene: Callable[..., Scene]
    """``scene(position, seat=, last=, marks=, targets=, pieces=, keys=)``: the scene as it is seen
    from a seat, a number in turn order. ``last`` is what `changed_cells` gives, ``marks`` what an
    `Insight` gives, ``targets`` are ids of spots and buttons, ``pieces`` is a piece set (drawings
    if it is empty) and ``keys`` those of `trine.core.scene.keys`. All may be left out."""
    insight: Callable[[ItsPosition], Insight]

    # beside the board
    status: Callable[[ItsPosition], Sequence[Text]] = lambda position: ()
    """The facts beside the board: steps left, captured pieces; by default none."""
    group_actions: Callable[
        [ItsPosition, Sequence[ItsAction]], Sequence[tuple[Text, Sequence[ItsAction]]]
    ] = lambda position, actions: [(text("what can be played"), actions)] if actions else []
    """Legal actions in groups with a heading each, for a person to read; by default in one."""
    coach: Callable[[ItsPosition], Text] = lambda position: text("It is your turn.")
    """``coach(position)``: a sentence that tells the player to move what to do next, in the words
    of somebody who points at a board. Nothing is asked about a play that is over."""
    about: Callable[[ItsPosition, str], Text | None] = lambda position, cell: None
    """``about(position, cell)``: what a person should know who asks where the piece on a cell can
    go: that it is frozen, that it can capture nothing; None where the actions say it all."""

    # what an action or a turn does
    changed_cells: Callable[[ItsPosition, Sequence[ItsAction]], frozenset[str]] = (
        lambda position, actions: frozenset(map(str, actions))
    )
    """The highlights on a board after actions from a position: names of cells, and of other
    things that actions change, such as walls; by default the words of the actions."""
    movements: Callable[[ItsPosition, ItsAction], tuple[tuple[str, str], ...]] = (
        lambda position, action: ()
    )
    """``movements(position, action)``: which pieces a legal action moves, in order, from cell to
    cell; an empty string is no cell. Pieces whose keys the position itself tells are not in it."""
    falls: Callable[[ItsPosition, ItsAction], Fall | None] = lambda position, action: None
    """``falls(position, action)``: the piece that a legal action makes fall; None for none."""
    effects: Callable[[ItsPosition, Sequence[ItsAction]], Sequence[Effect]] = (
        lambda position, actions: ()
    )
    """``effects(position, actions)``: what the actions of one turn, or the rest of one, bring about
    that a person might not see by their notation; exact, what matters most first. Nothing is asked
    about a turn that ends the play. By default nothing."""
    reading: Callable[[ItsPosition, ItsAction], Text | None] = lambda position, action: None
    """``reading(position, action)``: how a legal action is read that can be taken in two ways; None
    if there is only one."""
    cause: Callable[[ItsPosition, Outcome], Cause | None] = lambda position, outcome: None
    """``cause(position, outcome)``: what on the board has ended a play; None where it is not seen
    there, as when a player resigns."""

    # pointing
    picks: Callable[[ItsPosition, ItsAction], tuple[str, ...]] = lambda position, action: (
        str(action),
    )
    """``picks(position, action)``: the ids of the spots and buttons of the scene at which a person
    points, in order, to make a legal action: as few as say it. No path begins another one. By
    default the word of the action is the one spot."""
    handles: Callable[[ItsPosition], Sequence[str]] = lambda position: ()
    """``handles(position)``: the spots on which a gesture may begin."""
    gestures: Callable[[ItsPosition, Sequence[ItsAction], str, History], Sequence[Choosable]] = (
        lambda position, drafted, spot, history: ()
    )
    """``gestures(position, drafted, spot, history)``: what one gesture from a spot can make of the
    open turn, other than by a single action, behind the actions drafted so far. Each is legal, and
    takes the place of an action with the same picks."""
    editor: Editor | None = None
    """The box from which a position is set up by hand."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """The words of a game: its rules as sentences, its lessons, its words, its strategists."""

    clauses: Sequence[Clause]
    """Every rule as a sentence, in the order of the book."""
    course: Sequence[Lesson]
    """The lessons of a newcomer, in their order."""
    first_games: Sequence[FirstGame] = ()
    """Games to begin with, before anything is read, in their order."""
    blanks: Callable[[str], Mapping[str, str]] = lambda rules: {}
    """``blanks(rule set name)``: what else in positions of clauses and lessons depends on it."""
    words: tuple[Text, ...] = ()
    """The words of the game that people type and see besides actions, in the context ``typed``:
    its name, rule sets, setups, strategists, pieces. A catalogue has each language's own."""
    documents: tuple[Document, ...] = ()
    """The documents that describe the game, one a language."""
    themes: Mapping[str, Theme] = field(default_factory=dict)
    """The ideas that turns can use, by short names, the plainest first."""
    strategists: Mapping[str, Strategist] = field(default_factory=dict)
    """The strategies that the source documents teach, by name, as players of their own."""
    advice: Mapping[str, Text] = field(default_factory=dict)
    """The advice that each strategist follows, and whose it is, by the same names."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """A game, with all its doors."""

    name: str
    title: str
    rule_sets: Mapping[str, RuleSet]
    default_rules: str
    seats: tuple[Seat, ...]
    """All seats that a play of the game can have."""
    rules: Rules
    view: RoomView
    book: Book

    def document(self, language: str) -> Document:
        """Return the document that readers of a language know, by its code.

        Guarantee: where none is written in it, the default rules as they usually begin.
        """
        for document in self.book.documents:
            if document.language == language:
                return document
        return Document(language, self.default_rules)

    def rulebook(self, rules: str) -> list[Clause]:
        return clauses_of(rules, self.book.clauses, **self.book.blanks(rules))

    def lessons(self, rules: str) -> list[Lesson]:
        return lessons_of(rules, self.book.course, **self.book.blanks(rules))

    def rule_sets_for(self, language: str) -> list[RuleSet]:
        """Return all rule sets, that of the document in a language first."""
        known = self.document(language).rules
        return sorted(self.rule_sets.values(), key=lambda rules: rules.name != known)

    def tag(self, position: Position) -> str:
        """The turn that is to be played in a position, or is open in it, as in ``2g``."""
        return f"{position.number}{position.seats[position.mover].letter}"

    def check_search(self, position: Position) -> None:
        """Raise `IllegalError` if there is no compiled code for a position."""
        if why := self.rules.unsearched(position):
            raise IllegalError(why)

    def check_draws(self, rules: RuleSet) -> None:
        """Raise `IllegalError` if nobody can agree on a draw by a rule set."""
        if not rules.draws:
            if any(known.draws for known in self.rule_sets.values()):
                raise IllegalError("by these rules nobody can agree on a draw")
            raise IllegalError("{game} has no draws", game=typed(self.title))

    def actions_to_see(self, before: Position, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the actions of a turn that can be seen one by one; none of a whole setup."""
        if self.sets_up_whole(before):
            return ()
        return [action for action in actions if action != self.rules.end]

    def sets_up_whole(self, position: Position) -> bool:
        return self.rules.whole_setups and position.in_setup
