"""A game definition: starts, turns, notation, boards, lessons, foreign formats."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import Choosable
from trine.core.contract.editor import Editor
from trine.core.contract.gathered import Gathered
from trine.core.contract.handbook import Clause, Document, Handbook
from trine.core.contract.insight import Effect, Fall, Insight
from trine.core.contract.lesson import Lesson
from trine.core.contract.notation import Format
from trine.core.contract.position import (
    NO_HISTORY,
    Action,
    Cause,
    History,
    ItsAction,
    ItsPosition,
    Options,
    Outcome,
    Position,
    RuleSet,
    Seat,
    Symmetries,
    identity,
    position_after,
)
from trine.core.errors import IllegalError
from trine.core.scene.canvas import Look, TextBoard
from trine.core.scene.composing import FIRST_KEYS, Keys, Movement, SceneLook
from trine.core.scene.scene import Scene
from trine.core.text.sentence import Text, Word, text, typed


@dataclass(frozen=True)
class StartOption:
    """An option to agree on before a game, besides the rule set.

    The option is a tag of records, a command line option (``Seed`` is ``--seed``) and a question.
    """

    tag: str
    metavar: str
    help: Text
    """The help text of the command line option, which covers all games."""
    label: Text
    """The label when the game is known: a word or two."""
    ask: Callable[[str, Options], tuple[Text, str] | None] = lambda rules, agreed: None
    """``ask(rule set name, options agreed on)``: the question before a game, and its default
    answer; None if there is nothing to ask."""
    choices: Callable[[str], Sequence[tuple[str, Text]] | None] = lambda rules: None
    """``choices(rule set name)``: the possible values, each with a label, the default first; None
    if there are too many to list. A single value is not asked for."""
    pictured: bool = False
    """Whether the values are best shown as pictures of their starts."""
    vary: Callable[[Any, str], Any] | None = None
    """``vary(position, value)``: a given position with the rules that a value of the option means.
    None if the option only decides the start of a play. Raises `TrineError`."""


P = TypeVar("P", bound=Position)


def short_turns(position: P, history: History = NO_HISTORY) -> Iterator[tuple[Action, ...]]:
    """Yield every legal turn as its actions; within a turn, the rest of the turn.

    Arimaa has its own function, because it has many thousands of turns:
    `trine.games.arimaa.position`.
    """
    for action in position.legal_actions(history):
        after = position.play_unchecked(action)
        if after.turn_open and after.outcome(history) is None:
            for rest in short_turns(after, history):
                yield (action, *rest)
        else:
            yield (action,)


def short_turn_results(position: P, history: History = NO_HISTORY) -> dict[P, tuple[Action, ...]]:
    """Return the distinct positions after a turn, each with a shortest turn that leads to it."""
    results: dict[P, tuple[Action, ...]] = {}
    for turn in short_turns(position, history):
        after = position_after(position, turn)
        if len(turn) < len(results.get(after, (*turn, ""))):
            results[after] = turn
    return results


@dataclass(frozen=True, kw_only=True)
class Rules(Gathered):
    """The functions that start, play and write a game.

    A game must define the first six; the others have defaults.
    """

    start: Callable[[str, Options], ItsPosition]
    """``start(rule set name, options)``: the start position; equal options give equal positions.
    Raises `TrineError`."""
    start_tags: Callable[[ItsPosition], Options]
    """The record tags that restore a start position: its options, or ``Start``."""
    parse_position: Callable[[str, str], ItsPosition]
    """``parse_position(text, rule set name)``; without a name, the rule set is the one that the
    text names, or the default."""
    format_position: Callable[[ItsPosition], str]
    """A position as one line of text."""
    read_action: Callable[[ItsPosition, Sequence[Word], History], tuple[ItsAction, int]]
    """The next action of a record, read strictly, and the number of words read."""
    interpret: Callable[[ItsPosition, str, History], CheckedLine]
    """Read a typed line as consecutive legal actions, each judged once."""

    # starts
    options: tuple[StartOption, ...] = ()
    """The start options that a person can choose."""
    settle: Callable[[str, Options], Options] = lambda rules, options: {}
    """``settle(rule set name, options)``: the options of a new game for its record, in canonical
    form and with random choices made; empty by default. Raises `TrineError`."""
    setup_words: Mapping[str, Text] = field(default_factory=dict)
    """Words besides actions that `interpret` accepts during the setup, each with its help text."""
    words_by_consent: frozenset[str] = frozenset()
    """The `setup_words` that the opponent must agree to."""
    whole_setups: bool = False
    """Whether each side sets up in one turn, which is shown and timed as a whole."""
    count_setups: Callable[[ItsPosition], int] | None = None
    """``count_setups(position)``: the number of whole setups of the player to move; None if sides
    do not set up in one turn."""

    # turns
    end: ItsAction | None = None
    """The action that only ends a turn, if the game has one."""
    passed: Callable[[ItsPosition], ItsPosition] | None = None
    """``passed(position)``: the position after a null turn, for premoves that are valid after any
    reply. Called at the beginning of a turn only."""
    turns_of_one: bool = False
    """Whether every turn is one action."""
    legal_turns: Callable[..., Iterator[tuple[ItsAction, ...]]] = short_turns
    """``legal_turns(position, history)``: every legal turn, as its actions without the end."""
    turn_results: Callable[..., Mapping[ItsPosition, tuple[ItsAction, ...]]] = short_turn_results
    """``turn_results(position, history)``: the distinct positions after a turn, each with a
    shortest turn that leads to it."""
    turns_towards: Callable[..., Iterator[tuple[ItsAction, ...]]] | None = None
    """``turns_towards(position, target)``: a subset of the legal turns, quickly found, that has all
    turns to the target. None: `legal_turns` is fast enough."""
    symmetries: Callable[[ItsPosition], Symmetries] = lambda position: (
        identity(len(position.seats)),
    )
    """``symmetries(position)``: the rotations and reflections of a position, and of all its
    successors, that preserve the rules; the first is the identity. Symmetries multiply training
    data."""
    score_winner: Callable[[Sequence[ItsPosition]], int | None] | None = None
    """The winner if the clock ends the whole game, from the positions after each turn. None: a
    clock cannot end the whole game."""
    unsearched: Callable[[ItsPosition], Text | None] = lambda position: None
    """``unsearched(position)``: why there is no compiled code for a position (as for large boards),
    and so no levels, no search and no analysis; None if there is such code."""
    solved: Callable[[ItsPosition], int | None] | None = None
    """``solved(position)``: the value at best play of a position on a solved board, after its
    setup: 0 for a draw; else one more than the number of actions of all players until the end,
    which is even if the player to move wins and odd if that player loses; None if unknown. Only for
    two players."""

    # records
    format_action: Callable[[ItsPosition, ItsAction], str] = lambda position, action: str(action)
    """An action as in a record; by default its one word (`trine.core.contract.notation`)."""
    formats: Mapping[str, Format] = field(default_factory=dict)
    """Foreign formats, by name."""
    words_of_moves: Callable[[Sequence[object]], Iterator[Sequence[str]]] = lambda moves: iter(())
    """``words_of_moves(moves)``: JSON moves (objects or numbers) as words of a foreign format, a
    list for each possible meaning; none by default."""


@dataclass(frozen=True, kw_only=True)
class RoomView(Gathered):
    """The functions that show a game, and read a person's pointing at it.

    A game must define the first four; the others have defaults.
    """

    text_board: Callable[[ItsPosition, Look], TextBoard]
    piece_sets: Mapping[str, Text]
    """The piece sets; the first is the default."""
    draw: Callable[[ItsPosition, SceneLook], Scene]
    """``draw(position, look)``: the scene, for `scene`."""
    insight: Callable[[ItsPosition], Insight]

    # beside the board
    status: Callable[[ItsPosition], Sequence[Text]] = lambda position: ()
    """The status lines beside the board: steps left, captured pieces; by default none."""
    heading: Callable[[ItsPosition, ItsAction], tuple[Any, Text]] = lambda position, action: (
        0,
        text("what can be played"),
    )
    """``heading(position, action)``: the group of a legal action in a list for people, as a value
    that sorts the groups, and the heading of the group; by default there is one group."""
    coach: Callable[[ItsPosition], Text] = lambda position: text("It is your turn.")
    """``coach(position)``: a sentence for the player to move on what to do next, worded for
    pointing at a board. Not called for finished plays."""

    # effects of an action or a turn
    movements: Callable[[ItsPosition, ItsAction], tuple[Movement, ...]] = lambda position, action: (
        ("", str(action)),
    )
    """``movements(position, action)``: the pieces that a legal action moves, in order, from cell to
    cell; an empty string is no cell. A wall comes to its own place. By default a piece comes to the
    cell that is the action's word."""
    falls: Callable[[ItsPosition, ItsAction], Fall | None] = lambda position, action: None
    """``falls(position, action)``: the piece that a legal action loses; None if nothing is lost."""
    effects: Callable[[ItsPosition, Sequence[ItsAction]], Sequence[Effect]] = (
        lambda position, actions: ()
    )
    """``effects(position, actions)``: effects of the actions of one turn, or the rest of a turn,
    that a person might not see from the notation; exact, the most important first. Not called for
    turns that end the play. By default none."""
    reading: Callable[[ItsPosition, ItsAction], Text | None] = lambda position, action: None
    """``reading(position, action)``: how an ambiguous legal action is read; None if it is
    unambiguous."""
    cause: Callable[[ItsPosition, Outcome], Cause | None] = lambda position, outcome: None
    """``cause(position, outcome)``: what ended a play on the board; None if the board does not show
    the cause, as when a player resigns."""

    # pointing
    picks: Callable[[ItsPosition, ItsAction], tuple[str, ...]] = lambda position, action: (
        str(action),
    )
    """``picks(position, action)``: the ids of spots and buttons of the scene to click, in order,
    for a legal action: as few as suffice. No path is a prefix of another. By default the action's
    word is its only spot."""
    handles: Callable[[ItsPosition], Sequence[str]] = lambda position: ()
    """``handles(position)``: the spots that can begin a gesture."""
    gestures: Callable[[ItsPosition, Sequence[ItsAction], str, History], Sequence[Choosable]] = (
        lambda position, drafted, spot, history: ()
    )
    """``gestures(position, drafted, spot, history)``: the turns that one gesture from a spot can
    make, other than by a single action, after the actions drafted so far. All are legal; they
    replace single actions with equal picks."""
    refusal: Callable[[ItsPosition, Sequence[str], History], Text | None] = (
        lambda position, picks, history: None
    )
    """``refusal(position, picks, history)``: why no action or gesture begins with these picks,
    which may be any words; None if one does, or if they mean nothing. By default, None."""
    editor: Editor | None = None

    def scene(
        self,
        position: Position,
        *,
        seat: int = 0,
        last: Collection[str] = (),
        marks: Mapping[str, Collection[str]] | None = None,
        targets: Collection[str] = (),
        pieces: str = "",
        keys: Keys = FIRST_KEYS,
    ) -> Scene:
        """Return the scene of a position, seen from a seat, an index in turn order.

        ``last`` are the cells and walls to highlight, ``marks`` are from an `Insight`, ``targets``
        are ids of spots and buttons, ``pieces`` is a piece set (drawings if empty), and ``keys``
        are from `trine.core.scene.composing`.
        """
        return self.draw(position, SceneLook(seat, last, marks or {}, targets, pieces, keys))

    def group_actions(
        self, position: Position, actions: Iterable[Action]
    ) -> list[tuple[Text, list[Action]]]:
        """Return legal actions in groups with a heading each, for a person to read."""
        groups: dict[Any, tuple[Text, list[Action]]] = {}
        for action in actions:
            order, heading = self.heading(position, action)
            groups.setdefault(order, (heading, []))[1].append(action)
        return [groups[order] for order in sorted(groups)]


@dataclass(frozen=True, kw_only=True)
class Room:
    """The definition of a game."""

    name: str
    title: str
    rule_sets: Mapping[str, RuleSet]
    default_rules: str
    seats: tuple[Seat, ...]
    """All possible seats of the game."""
    rules: Rules
    view: RoomView
    handbook: Handbook

    def document(self, language: str) -> Document:
        """Return the document in a language; without one, the default rules and start."""
        for document in self.handbook.documents:
            if document.language == language:
                return document
        return Document(language, self.default_rules)

    def rulebook(self, rules: str) -> list[Clause]:
        return self.handbook.rulebook(rules)

    def lessons(self, rules: str) -> list[Lesson]:
        return self.handbook.lessons(rules)

    def rule_sets_for(self, language: str) -> list[RuleSet]:
        """Return all rule sets; the one of the document in a language comes first."""
        known = self.document(language).rules
        return sorted(self.rule_sets.values(), key=lambda rules: rules.name != known)

    def tag(self, position: Position) -> str:
        """The number and letter of the turn that is next, or open, as in ``2g``."""
        return f"{position.number}{position.seats[position.mover].letter}"

    def check_search(self, position: Position) -> None:
        """Raise `IllegalError` if there is no compiled code for a position."""
        if why := self.rules.unsearched(position):
            raise IllegalError(why)

    def check_draws(self, rules: RuleSet) -> None:
        """Raise `IllegalError` if a rule set does not allow agreed draws."""
        if not rules.draws:
            if any(known.draws for known in self.rule_sets.values()):
                raise IllegalError("by these rules nobody can agree on a draw")
            raise IllegalError("{game} has no draws", game=typed(self.title))

    def turns_between(self, before: Position, after: Position) -> Iterator[tuple[Action, ...]]:
        found = self.rules.turns_towards
        for turn in found(before, after) if found else self.rules.legal_turns(before):
            reached = position_after(before, turn)
            if reached.turn_open and self.rules.passed:  # the end is left out, or the play is over
                reached = self.rules.passed(reached)
            if reached == after:
                yield turn

    def actions_to_see(self, before: Position, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the actions of a turn to show one by one; none of a whole setup."""
        if self.sets_up_whole(before):
            return ()
        return [action for action in actions if action != self.rules.end]

    def sets_up_whole(self, position: Position) -> bool:
        return self.rules.whole_setups and position.in_setup
