"""Positions, actions and rule sets, as all layers see them."""

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


class Position(Hashable, Protocol):
    """Everything that decides which actions are legal, except the history. Immutable."""

    @property
    def rules(self) -> ItsRuleSet: ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats at the board, in turn order."""

    @property
    def playing(self) -> tuple[int, ...]:
        """The players who have not left the play; all, if players cannot leave a play."""

    @property
    def mover(self) -> int:
        """The player to move, 0 for the first in turn order."""

    @property
    def number(self) -> int:
        """The number of the turn, as in records."""

    @property
    def key(self) -> Hashable | None:
        """The key that repetition compares; None if positions cannot repeat."""

    @property
    def turn_open(self) -> bool:
        """Whether the player to move has already played an action of the turn."""

    @property
    def in_setup(self) -> bool:
        """Whether the board is still being set up."""

    def legal_actions(self, history: History = ...) -> tuple[ItsAction, ...]:
        """The legal actions without duplicates; empty only if there is an outcome."""

    def why_not(self, action: ItsAction, history: History = ...) -> Text | None:
        """The rule that forbids an action, in words; None if it is legal."""

    def warning(self, action: ItsAction, history: History = ...) -> Text | None:
        """Return a warning for a person before a legal action, such as one that loses at once."""

    def play(self, action: ItsAction, history: History = ...) -> Self:
        """The position after an action; raises `IllegalError`."""

    def play_unchecked(self, action: ItsAction) -> Self:
        """The position after an action that is known to be legal."""

    def without_mover(self) -> Self:
        """The position after one of at least three players has left, at the beginning of a turn."""

    def outcome(self, history: History = ...) -> Outcome | None:
        """The result on the board, if any; the history includes this position."""


Judged = TypeVar("Judged", bound=Position)


class Checked:
    """Default implementations for positions, and `play`, which checks the rules."""

    __slots__ = ()

    @property
    def playing(self: Judged) -> tuple[int, ...]:
        """All players: if one leaves, the play ends."""
        return tuple(range(len(self.seats)))

    @property
    def key(self) -> Hashable | None:
        """None: positions cannot repeat."""
        return None

    @property
    def turn_open(self) -> bool:
        """Always false: every turn is one action."""
        return False

    @property
    def in_setup(self) -> bool:
        """Always false: there is no setup phase."""
        return False

    def warning(self, action: ItsAction, history: History = NO_HISTORY) -> Text | None:
        """None: no legal action needs a warning."""
        return None

    def without_mover(self: Judged) -> Judged:
        """Never called, because if one of two players leaves, the other wins."""
        raise AssertionError("who leaves a play of two ends it")

    def play(self: Judged, action: ItsAction, history: History = NO_HISTORY) -> Judged:
        """Return the position after an action; raises `IllegalError` with the rule against it."""
        if reason := self.why_not(action, history):
            raise IllegalError(reason)
        return self.play_unchecked(action)


def position_after(position: Judged, actions: Iterable[ItsAction]) -> Judged:
    for action in actions:
        position = position.play_unchecked(action)
    return position
