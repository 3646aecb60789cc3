"""Players who do not appear at a game of a tournament.

A player who has not opened the game in time loses it unplayed. The time counts from the moment at
which this process has the game, so that downtimes of the house do not count.
"""

from __future__ import annotations

from typing import Final

from trine.core.clock import parse_time_control
from trine.house.games.agreement import Agreement
from trine.house.games.presence import slowness

PATIENCE: Final = 60.0
"""Units: seconds; the wait for a player in a fast game, up to three times as long in others."""
WHY: Final = "has not come"
MISSING: Final = "missing"
"""The key, in the data of an aborted game's event, of the seats that have lost it."""


def wanted_by(agreement: Agreement, now: float) -> float | None:
    """Return the moment by which players must have come; None if there is none."""
    if not agreement.tournament or not agreement.clock or agreement.by_days:
        return None
    return now + PATIENCE * slowness(parse_time_control(agreement.clock))
