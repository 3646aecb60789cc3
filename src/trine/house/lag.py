"""Lag: what the net took of a player's time, measured by us, and given back within a quota."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST: Final = 1.0
"""Units: seconds; a quota never grows beyond it. Guess."""
GAIN: Final = 0.1
"""Units: seconds; each turn adds that to the quota. Guess."""
MOST_A_TURN: Final = 0.5
"""Units: seconds; no turn is given back more. Guess."""
SMOOTHING: Final = 0.3
"""The share of the newest measure in the mean. Guess."""


@dataclass
class Lag:
    """The lag of one player, and what is left of the quota.

    >>> lag = Lag()
    >>> lag.measure(0.2)
    >>> lag.refund(), round(lag.quota, 3)
    (0.2, 0.9)
    """

    round_trip: float = 0.0
    """Units: seconds, a smoothed mean."""
    quota: float = MOST
    measured: bool = False

    def measure(self, seconds: float) -> None:
        """Note how long one of our pings was under way, there and back."""
        if not self.measured:
            self.round_trip, self.measured = seconds, True
        else:
            self.round_trip += SMOOTHING * (seconds - self.round_trip)

    @property
    def compensation(self) -> float:
        """Units: seconds; what a turn that comes now would be given back."""
        return min(self.round_trip, self.quota, MOST_A_TURN)

    def refund(self) -> float:
        """Take what a turn is given back from the quota, which then grows a little."""
        refund = self.compensation
        self.quota = min(MOST, self.quota - refund + GAIN)
        return refund
