"""Positions, actions and rule sets, as all layers see them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias, TypeVar

from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, ctext


class History:
    """The number of times that each position has occurred, the current one included.

    >>> history = History(["a", "b", "a"])
    >>> history.times("a"), history.repeated
    (2, True)
    >>> history.remove("a")
    >>> history.repeated
    False
    """

    __slots__ = ("_repeated", "_times")

    def __init__(self, keys: Iterable[Hashable] = ()) -> None:
        self._times: dict[Hashable, int] = {}
        self._repeated = 0
        for key in keys:
            self.add(key)

    @property
    def repeated(self) -> bool:
        """Whether any position has occurred twice; repetition rules apply only then."""
        return self._repeated > 0

    def times(self, key: Hashable) -> int:
        return self._times.get(key, 0)

    def copy(self) -> History:
        twin = History()
        twin._times, twin._repeated = dict(self._times), self._repeated
        return twin

    def add(self, key: Hashable) -> None:
        times = self._times[key] = self._times.get(key, 0) + 1
        self._repeated += times == 2

    def remove(self, key: Hashable) -> None:
        times = self._times[key] - 1
        self._repeated -= times == 1
        if times:
            self._times[key] = times
        else:
            del self._times[key]


NO_HISTORY = History()
"""The history of a position without predecessors; shared, so never add to it."""


class Reason(StrEnum):
    """The reason why a play is over; records contain the values."""

    GOAL = "goal"
    ELIMINATION = "elimination"
    EXTINCTION = "extinction"
    NO_CAPTURE = "no capture"
    TRAPPED = "trapped"
    IMMOBILIZATION = "immobilization"
    REPETITION = "repetition"
    RESIGNATION = "resignation"
    TIME = "time"
    SCORE = "score"
    """The clock stopped the whole game, and the score of the board decided."""
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"

    @property
    def text(self) -> Text:
        return _WORDS[self]


_WORDS = {
    Reason.GOAL: ctext("reason", "goal"),
    Reason.ELIMINATION: ctext("reason", "elimination"),
    Reason.EXTINCTION: ctext("reason", "extinction"),
    Reason.NO_CAPTURE: ctext("reason", "no capture left"),
    Reason.TRAPPED: ctext("reason", "trapped"),
    Reason.IMMOBILIZATION: ctext("reason", "immobilization"),
    Reason.REPETITION: ctext("reason", "repetition"),
    Reason.RESIGNATION: ctext("reason", "resignation"),
    Reason.TIME: ctext("reason", "time"),
    Reason.SCORE: ctext("reason", "score"),
    Reason.AGREEMENT: ctext("reason", "agreement"),
    Reason.FORFEIT: ctext("reason", "forfeit"),
}


@dataclass(frozen=True)
class Cause:
    """The reason for the end of a play, as the board shows it."""

    text: Text
    """Follows a colon: "a rabbit has reached h8"."""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The end of a play: the winner, or a draw, and the reason.

    >>> Outcome(0, Reason.GOAL)
    Outcome(winner=0, reason=<Reason.GOAL: 'goal'>)
    """

    winner: int | None
    """The winner's index in turn order; None for a draw."""
    reason: Reason

    def points(self, players: int) -> tuple[float, ...]:
        """The score of each player: a point for the winner; a draw divides it.

        >>> Outcome(None, Reason.REPETITION).points(2), Outcome(1, Reason.GOAL).points(3)
        ((0.5, 0.5), (0.0, 1.0, 0.0))
        """
        if self.winner is None:
            return (1 / players,) * players
        return tuple(float(player == self.winner) for player in range(players))


@dataclass(frozen=True)
class Seat:
    """A seat at the board. The number of seats and their names depend on the play."""

    name: Text
    """The seat's name in sentences, as in "Gold to move"."""
    tag: str
    """The tag for the player's name in records, and the value of ``Result`` if the player wins."""
    letters: str
    """The letters that records may have after the number of a turn; we write the first one."""

    @property
    def letter(self) -> str:
        """The letter that we write after the number of a turn, as in ``2g``."""
        return self.letters[0]


ItsPosition: TypeAlias = Any
"""The game's own class of `Position`; one game never gets the positions of another."""
ItsAction: TypeAlias = Any
"""The game's own class, or classes, of `Action`."""
ItsRuleSet: TypeAlias = Any
"""The game's own class of `RuleSet`."""


class Action(Hashable, Protocol):
    """An atomic action: immutable and hashable; ``str`` gives its notation."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet:
    """A rule set of a game. Each is a single object, so identity is equality."""

    name: str
    """The name after the slash, as in ``arimaa/official``."""
    source: Text
    differs: Text
    """The difference from the other rule sets, for a person who chooses one."""
    draws: bool = True
    """Whether the players can agree on a draw."""

    def __post_init__(self) -> None:
        """Number the rule set within its module; the order is the same in every process."""
        _MADE.setdefault(type(self).__module__, []).append(self)

    def __reduce__(self) -> tuple[Callable[[str, int], RuleSet], tuple[str, int]]:
        """Pickle by identity: each process has one object of each."""
        module = type(self).__module__
        return _made, (module, next(n for n, one in enumerate(_MADE[module]) if one is self))

    @property
    def repetition_allowed(self) -> bool:
        """Whether positions can repeat forever; false by default."""
        return False


_MADE: Final[dict[str, list[RuleSet]]] = {}
"""All rule sets by the module of their class, in the order of their creation."""


def _made(module: str, number: int) -> RuleSet:
    import_module(module)
    return _MADE[module][number]


class Position(Protocol):
    """Everything that decides which actions are legal, except the history. Immutable.

    A game's class inherits the defaults: no setup, turns of one action, no repetition.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # a dataclass would take an inherited property for the default of its field

        @property
        def rules(self) -> ItsRuleSet: ...

        @property
        def seats(self) -> tuple[Seat, ...]:
            """The seats at the board, in turn order."""

        @property
        def mover(self) -> int:
            """The player to move, 0 for the first in turn order."""

        @property
        def number(self) -> int:
            """The number of the turn, as in records."""

        def __hash__(self) -> int:
            return 0

    @property
    def playing(self) -> tuple[int, ...]:
        """The players who have not left; by default all, since the play ends if one leaves."""
        return tuple(range(len(self.seats)))

    @property
    def key(self) -> Hashable | None:
        """The key that repetition compares; None, the default, if positions cannot repeat."""
        return None

    @property
    def turn_open(self) -> bool:
        """Whether the player to move has already played an action of the turn."""
        return False

    @property
    def in_setup(self) -> bool:
        return False

    def legal_actions(self, history: History = ...) -> tuple[ItsAction, ...]:
        """The legal actions without duplicates; empty only if there is an outcome."""

    def why_not(self, action: ItsAction, history: History = ...) -> Text | None:
        """The rule that forbids an action, in words; None if it is legal."""

    def warning(self, action: ItsAction, history: History = NO_HISTORY) -> Text | None:
        """Return a warning for a person before a legal action, such as one that loses at once."""
        return None

    def play(self, action: ItsAction, history: History = NO_HISTORY) -> Self:
        """Return the position after an action; raises `IllegalError` with the rule against it."""
        if reason := self.why_not(action, history):
            raise IllegalError(reason)
        return self.play_unchecked(action)

    def play_unchecked(self, action: ItsAction) -> Self:
        """The position after an action that is known to be legal."""

    def without_mover(self) -> Self:
        """The position after one of at least three players has left, at the beginning of a turn."""
        raise AssertionError("who leaves a play of two ends it")

    def outcome(self, history: History = ...) -> Outcome | None:
        """The result on the board, if any; the history includes this position."""


Judged = TypeVar("Judged", bound=Position)


def position_after(position: Judged, actions: Iterable[ItsAction]) -> Judged:
    for action in actions:
        position = position.play_unchecked(action)
    return position


@dataclass(frozen=True)
class Turn:
    """A whole turn of a play, as played."""

    before: Position
    actions: tuple[Action, ...]
    after: Position
    left: Reason | None = None
    """Why the player left the play in this turn while others play on."""

    @property
    def number(self) -> int:
        return self.before.number

    @property
    def player(self) -> int:
        return self.before.mover


@dataclass(frozen=True)
class Symmetry:
    """A rotation or reflection: a permutation of the cells, and perhaps of the seats.

    Guarantee: the legal actions of a position are mapped onto those of its image; playing and
        mapping commute; results are equal up to the permutation of the seats. Apart from
        repetition, a play and its image continue alike.
    """

    name: str
    """Short, for reports: ``mirror``, ``turn 60``."""
    players: tuple[int, ...]
    """The new seat of each player."""
    position: Callable[[ItsPosition], ItsPosition]
    """``position(position)``: the image of a position."""
    action: Callable[[ItsAction], ItsAction]
    """``action(action)``: the image of an action."""


Symmetries: TypeAlias = tuple[Symmetry, ...]


def identity(players: int) -> Symmetry:
    """Return the symmetry that changes nothing.

    >>> identity(2).players, identity(2).action("e4")
    ((0, 1), 'e4')
    """
    return Symmetry("same", tuple(range(players)), lambda position: position, lambda action: action)


Options = Mapping[str, str]
"""The agreement before a game: values of `StartOption`s by their tags."""
