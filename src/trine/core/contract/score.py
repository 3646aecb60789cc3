"""Scores: the value of a position for a player, for searches and for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIN: Final = 30_000
"""The score of a won play; a win by the n-th action from here scores n less."""
PROVEN_SCORE: Final = 25_000
"""Scores beyond this, on both sides, are proven wins and losses."""

ONGOING: Final = -1
"""The result of an ongoing play, where compiled code has the winner's index."""
DRAW: Final = -2
"""The result of a draw, where compiled code has the winner's index."""

UNRESTRICTED: Final = 0
"""A repetition rule: a third occurrence of a position has no consequence."""
DRAWS: Final = 1
"""A repetition rule: a third occurrence is a draw."""
LOSES: Final = 2
"""A repetition rule: the player who causes a third occurrence loses."""
FORBIDDEN: Final = 3
"""A repetition rule: a third occurrence is illegal; a player without another action loses. A search
treats it as `LOSES`."""


@dataclass(frozen=True)
class Score:
    """The value of a position for one player.

    Units: points; 400 are odds of ten to one between players who do not err.
        `trine.engine.players.chances` converts points to chances of people.

    >>> Score(WIN - 3).decided_in, Score(-WIN + 8).decided_in, Score(120).decided_in
    (3, 8, None)
    """

    points: int

    @property
    def decided_in(self) -> int | None:
        """The number of actions of all players until the proven end; None if no end is proven."""
        return WIN - abs(self.points) if abs(self.points) > PROVEN_SCORE else None

    def __neg__(self) -> Score:
        """Return the score for the other player."""
        return Score(-self.points)
