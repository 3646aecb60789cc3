"""The doors of a room: what every game offers, and all that the floors above may ask of it.

A room is a `Room`, filled in on its plaque (``games/NAME/__init__.py``). Whoever writes a fourth
game writes one of these; nothing above the games knows more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from trine.core.history import History
from trine.core.outcome import Outcome
from trine.core.record import Record
from trine.core.scene import Scene
from trine.core.text import Text
from trine.core.textboard import Look, TextBoard
from trine.core.words import Word


class Action(Hashable, Protocol):
    """An atomic action: immutable, hashable, and readable by ``str``."""


class RuleSet(Protocol):
    """One rule set of a game."""

    @property
    def name(self) -> str:
        """Its name, as in ``arimaa/official``."""

    @property
    def source(self) -> Text:
        """Where its rules stand."""


class Position(Hashable, Protocol):
    """Everything that decides which actions are legal, the history aside. Immutable."""

    @property
    def rules(self) -> Any:
        """The rule set that is played."""

    @property
    def mover(self) -> int:
        """The player to move, 0 for the first in turn order."""

    @property
    def number(self) -> int:
        """The number of the turn in records."""

    @property
    def key(self) -> Hashable | None:
        """What repetition compares; None where nothing can repeat."""

    @property
    def turn_open(self) -> bool:
        """Whether the player to move has made a part of the turn."""

    @property
    def in_setup(self) -> bool:
        """Whether the board is still being set up."""

    def legal_actions(self, history: History = ...) -> tuple[Any, ...]:
        """The legal actions, each once; not empty unless there is an outcome."""

    def may_end(self, history: History = ...) -> bool:
        """Whether the open turn can be ended here."""

    def why_not(self, action: Any, history: History = ...) -> Text | None:
        """The rule that forbids an action, in words; None if it is legal."""

    def play(self, action: Any, history: History = ...) -> Self:
        """The position after an action; raises `IllegalError`."""

    def play_unchecked(self, action: Any) -> Self:
        """The position after an action that is known to be legal."""

    def outcome(self, history: History = ...) -> Outcome | None:
        """The result, judged when a turn has ended; the history includes this position."""


class Insight(Protocol):
    """What a person wants to see in a position."""

    def marks(self) -> Mapping[str, frozenset[str]]:
        """Marks for a board, by the name of the cell."""

    def sentences(self) -> Sequence[Text]:
        """Everything in words."""

    def as_data(self) -> dict[str, Any]:
        """Everything as JSON-able data."""


class Clause(Protocol):
    """One clause of the rule book."""

    @property
    def chapter(self) -> Text:
        """Its chapter."""

    @property
    def words(self) -> Text:
        """What it says."""

    @property
    def source(self) -> Text:
        """Where it stands."""

    @property
    def reading(self) -> Text | None:
        """Where the source is silent: why we read it so."""


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
    """Raises `FileError` if the format cannot hold a record."""
    recognises: Callable[[str], bool]
    """Whether a file whose first line this is has the format."""


@dataclass(frozen=True)
class Room:
    """A game, with all its doors."""

    name: str
    title: str
    rule_sets: Mapping[str, RuleSet]
    default_rules: str

    # players
    player_names: tuple[Text, ...]
    player_tags: tuple[str, ...]
    """The tags under which records name the players, and the words for the winner."""
    player_letters: str
    """The letters that follow the number of a turn, one for each player."""
    player_letters_read: Mapping[str, int]
    """All letters that records may have there."""

    # positions
    start: Callable[..., Any]
    """``start(rule set name, handicap="")``: the position in which a play begins."""
    start_tags: Callable[[Any], Mapping[str, str]]
    """The tags from which `opening` of a record makes this start again."""
    parse_position: Callable[[str, str], Any]
    """``parse_position(text, rule set name)``."""
    format_position: Callable[[Any], str]
    """A position on one line."""

    # whole turns
    legal_turns: Callable[..., Iterator[tuple[Any, ...]]]
    """``legal_turns(position, history)``: every legal turn, as its actions but the end."""
    turn_results: Callable[..., Mapping[Any, tuple[Any, ...]]]
    """``turn_results(position, history)``: the distinct positions that a turn can make, each with
    a shortest turn that makes it."""

    # notation
    read_action: Callable[[Any, Sequence[Word], History], tuple[Any, int]]
    """The next action of a record, read strictly, and how many words it took."""
    format_action: Callable[[Any, Any], str]
    """An action as a record holds it."""
    interpret: Callable[[Any, str, History], tuple[Any, ...]]
    """What a person types, as actions that are legal one after the other."""
    end: Any
    """The action that only ends a turn, which records do not write; None where there is none."""
    changed_cells: Callable[[Any, Sequence[Any]], frozenset[str]]
    """The cells that actions, played from a position, touch."""

    # seeing
    insight: Callable[[Any], Insight]
    text_board: Callable[[Any, Look], TextBoard]
    piece_sets: Mapping[str, Text]
    status: Callable[[Any], Sequence[Text]]
    """What stands beside the board: steps left, captured pieces."""
    scene: Callable[..., Scene]
    """``scene(position, flipped=, last=, marks=)``."""
    group_actions: Callable[[Any, Sequence[Any]], Sequence[tuple[Text, Sequence[Any]]]]
    """Legal actions in groups with a heading each, for a person to read."""
    prompt_words: Mapping[str, Text]
    """Words of this game that `interpret` understands besides actions, each with its help."""

    # the rest of the book
    rulebook: Callable[[str], Sequence[Clause]]
    formats: Mapping[str, Format]
    score_winner: Callable[[Sequence[Any]], int | None] | None = None
    """Who wins when the clock stops the whole game: from the positions after each turn."""

    def tag(self, position: Position) -> str:
        """The turn that is to be played in a position, or is open in it, as in ``2g``."""
        return f"{position.number}{self.player_letters[position.mover]}"
