"""Positions, actions and rule sets as all floors see them, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol, Self, TypeAlias, TypeVar

from trine.core.contract.outcome import Outcome
from trine.core.contract.seat import Seat
from trine.core.errors import IllegalError
from trine.core.history import NO_HISTORY, History
from trine.core.text.sentence import Text

ItsPosition: TypeAlias = Any
"""A `Position` of the room's own class: no room takes those of others."""
ItsAction: TypeAlias = Any
"""An `Action` of one of the room's own classes."""
ItsRuleSet: TypeAlias = Any
"""A `RuleSet` of the room's own class."""


class Action(Hashable, Protocol):
    """An atomic action: immutable, hashable, and readable by ``str``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet:
    """One rule set of a game. There is one object of each, so identity is equality."""

    name: str
    """As in ``arimaa/official``."""
    source: Text
    """Where its rules stand."""
    differs: Text
    """A summary for a person who chooses a rule set: how it differs from the others."""
    draws: bool = True
    """Whether the players can agree on a draw."""

    def __post_init__(self) -> None:
        """Number it among those of its module, which every process makes in the same order."""
        _MADE.setdefault(type(self).__module__, []).append(self)

    def __reduce__(self) -> tuple[Callable[[str, int], RuleSet], tuple[str, int]]:
        """Tell another process which one it is: there, too, is one object of each."""
        module = type(self).__module__
        return _made, (module, next(n for n, one in enumerate(_MADE[module]) if one is self))

    @property
    def goes_round(self) -> bool:
        """Whether a play can repeat its positions for ever; by default it cannot."""
        return False


_MADE: Final[dict[str, list[RuleSet]]] = {}
"""All rule sets, by the module of their class, in the order in which they were made."""


def _made(module: str, number: int) -> RuleSet:
    import_module(module)
    return _MADE[module][number]


class Position(Hashable, Protocol):
    """Everything that decides which actions are legal, the history aside. Immutable."""

    @property
    def rules(self) -> ItsRuleSet:
        """The rule set that is played."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats at the board, in turn order."""

    @property
    def playing(self) -> tuple[int, ...]:
        """The players who have not left the play; all of them where nobody can leave it."""

    @property
    def mover(self) -> int:
        """The player to move, 0 for the first in turn order."""

    @property
    def number(self) -> int:
        """The number of the turn in records."""

    @property
    def key(self) -> Hashable | None:
        """The key that repetition compares; None where nothing can repeat."""

    @property
    def turn_open(self) -> bool:
        """Whether the player to move has made a part of the turn."""

    @property
    def in_setup(self) -> bool:
        """Whether the board is still being set up."""

    def legal_actions(self, history: History = ...) -> tuple[ItsAction, ...]:
        """The legal actions, each once; not empty unless there is an outcome."""

    def why_not(self, action: ItsAction, history: History = ...) -> Text | None:
        """The rule that forbids an action, in words; None if it is legal."""

    def warning(self, action: ItsAction, history: History = ...) -> Text | None:
        """Return a warning for a person before a legal action, such as that it loses at once."""

    def play(self, action: ItsAction, history: History = ...) -> Self:
        """The position after an action; raises `IllegalError`."""

    def play_unchecked(self, action: ItsAction) -> Self:
        """The position after an action that is known to be legal."""

    def without_mover(self) -> Self:
        """The position when one of at least three players leaves, at the beginning of a turn."""

    def outcome(self, history: History = ...) -> Outcome | None:
        """The result, if the board gives one; the history includes this position."""


Judged = TypeVar("Judged", bound=Position)


class Checked:
    """The usual answers of positions, and the checked ``play``."""

    __slots__ = ()

    @property
    def playing(self: Judged) -> tuple[int, ...]:
        """All players: who leaves ends the play."""
        return tuple(range(len(self.seats)))

    @property
    def key(self) -> Hashable | None:
        """None: nothing can repeat."""
        return None

    @property
    def turn_open(self) -> bool:
        """Always false: every turn is one action."""
        return False

    @property
    def in_setup(self) -> bool:
        """Always false: the board begins as it is played on."""
        return False

    def warning(self, action: ItsAction, history: History = NO_HISTORY) -> Text | None:
        """None: no legal action needs a warning."""
        return None

    def without_mover(self: Judged) -> Judged:
        """Never called: when one of two players leaves, the other wins."""
        raise AssertionError("who leaves a play of two ends it")

    def play(self: Judged, action: ItsAction, history: History = NO_HISTORY) -> Judged:
        """Return the position after an action; raises `IllegalError`, which names the rule."""
        if reason := self.why_not(action, history):
            raise IllegalError(reason)
        return self.play_unchecked(action)


def position_after(position: Judged, actions: Iterable[ItsAction]) -> Judged:
    for action in actions:
        position = position.play_unchecked(action)
    return position
