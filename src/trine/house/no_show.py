"""Players who do not come to a game of a tournament.

Who has not opened the game in time loses it without having played. The time counts from the moment
at which this process has the game, so that nobody pays for the downtime of the house.
"""

from __future__ import annotations

from typing import Final

from trine.core.clock import parse_time_control
from trine.house.agreement import Agreement
from trine.house.presence import slowness

PATIENCE: Final = 60.0
"""Units: seconds; so long one is waited for in a fast game, up to three times as long in others."""
WHY: Final = "has not come"
MISSING: Final = "missing"
"""In the data of the event by which a game is broken off, the seats that have lost it."""


def wanted_by(agreement: Agreement, now: float) -> float | None:
    """The moment by which players must have come; None where there is none."""
    if not agreement.tournament or not agreement.clock or agreement.by_days:
        return None
    return now + PATIENCE * slowness(parse_time_control(agreement.clock))
