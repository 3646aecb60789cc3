"""Lag: the network's share of a player's time, measured here and refunded within a quota."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST: Final = 1.0
"""Units: seconds; the largest quota. Guess."""
GAIN: Final = 0.1
"""Units: seconds; the addition to the quota by each turn. Guess."""
MOST_A_TURN: Final = 0.5
"""Units: seconds; the largest refund of a turn. Guess."""
SMOOTHING: Final = 0.3
"""The weight of the newest measurement in the mean. Guess."""


@dataclass
class Lag:
    """The lag of a player, and the rest of the quota.

    >>> lag = Lag()
    >>> lag.measure(0.2)
    >>> lag.refund(), round(lag.quota, 3)
    (0.2, 0.9)
    """

    round_trip: float = 0.0
    """Units: seconds; the smoothed mean of the round-trip time."""
    quota: float = MOST
    measured: bool = False

    def measure(self, seconds: float) -> None:
        """Record the round-trip time of a ping."""
        if not self.measured:
            self.round_trip, self.measured = seconds, True
        else:
            self.round_trip += SMOOTHING * (seconds - self.round_trip)

    @property
    def compensation(self) -> float:
        """Units: seconds; the refund of a turn that comes now."""
        return min(self.round_trip, self.quota, MOST_A_TURN)

    def refund(self) -> float:
        """Return the refund of a turn, taken from the quota, which then grows a little."""
        refund = self.compensation
        self.quota = min(MOST, self.quota - refund + GAIN)
        return refund
