"""The people at a game, and the moments from which absent ones may be claimed against."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from trine.core.clock import TimeControl

CLOSED: Final = 10.0
"""Units: seconds; after so long whoever closed the page may be claimed against."""
LOST: Final = 40.0
"""Units: seconds; the same where the connection was lost."""
TURNS_OF_A_GAME: Final = 40
"""By how many turns of a player the length of a game is estimated. Guess."""
_SLOWER: Final = ((480.0, 1.0), (1500.0, 2.0))
"""Up to which estimated time of a player, in seconds, the times are multiplied by how much."""


class Presence(StrEnum):
    """The state of a seat as the others see it."""

    HERE = "here"
    RECONNECTING = "reconnecting"
    LEFT = "left"


@dataclass(frozen=True)
class Away:
    """Since when nobody is at a seat, and how that came."""

    since: float
    closed: bool
    """Whether the page was closed, rather than the connection lost."""


@dataclass
class Attendance:
    """The presence of people at the seats of one game."""

    control: TimeControl | None
    _here: dict[int, int] = field(default_factory=dict)
    """The number of pages that are open for a seat."""
    _away: dict[int, Away] = field(default_factory=dict)

    def come(self, seat: int) -> bool:
        """A page is opened for a seat; return whether its player was missed."""
        self._here[seat] = self._here.get(seat, 0) + 1
        return self._away.pop(seat, None) is not None

    def go(self, seat: int, at: float, *, closed: bool) -> bool:
        """A page of a seat is gone; whether it was the last."""
        self._here[seat] = max(0, self._here.get(seat, 0) - 1)
        if self._here[seat]:
            return False
        self._away[seat] = Away(at, closed)
        return True

    def miss(self, seat: int, at: float) -> None:
        """Nobody is at a seat from here on, unless that was so already."""
        if not self._here.get(seat):
            self._away.setdefault(seat, Away(at, closed=False))

    def has_come(self, seat: int) -> bool:
        """Whether a page has ever been open for a seat."""
        return seat in self._here

    def is_here(self, seat: int) -> bool:
        """Whether a page is open for a seat."""
        return self._here.get(seat, 0) > 0

    def claimable_from(self, seat: int) -> float | None:
        """The moment from which the others can claim; None where nobody is missing, or no clock."""
        away = self._away.get(seat)
        if not away or not self.control or self.control.by_days:
            return None
        return away.since + (CLOSED if away.closed else LOST) * slowness(self.control)

    def seen(self, seat: int, at: float) -> Presence:
        """Return the state of a seat at a moment."""
        away = self._away.get(seat)
        if not away or (self.control and self.control.by_days):
            return Presence.HERE
        patience = CLOSED if away.closed else LOST
        late = at >= away.since + patience * slowness(self.control)
        return Presence.LEFT if away.closed or late else Presence.RECONNECTING


def slowness(control: TimeControl | None) -> float:
    """Return the factor by which one waits longer for an absent player than in a fast game.

    >>> slowness(TimeControl(3, 180)), slowness(TimeControl(120, 120))
    (1.0, 3.0)
    """
    if control is None:
        return 3.0
    estimated = estimated_time(control)
    return next((factor for most, factor in _SLOWER if estimated <= most), 3.0)


def estimated_time(control: TimeControl) -> float:
    """Units: seconds; the time that a player is expected to need for a game.

    >>> estimated_time(TimeControl(3, 180))
    300
    """
    return control.reserve + TURNS_OF_A_GAME * control.move
