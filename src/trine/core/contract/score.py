"""Scores: the value of a position for a player, as searches count it and as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIN: Final = 30_000
"""The score of a play that is won; a win by the n-th action from here is worth n less."""
PROVEN_SCORE: Final = 25_000
"""Scores beyond this are proven wins and losses."""

ONGOING: Final = -1
"""In place of the winner's number, in compiled code: the play goes on."""
DRAW: Final = -2
"""In place of the winner's number, in compiled code: the play is drawn."""

UNRESTRICTED: Final = 0
"""The repetition rule by which the third occurrence of a position has no consequence."""
DRAWS: Final = 1
"""The repetition rule by which it is a draw."""
LOSES: Final = 2
"""The repetition rule by which the player who causes it loses."""
FORBIDDEN: Final = 3
"""The repetition rule by which no player may cause it; one who has no other action loses. A search
takes it for `LOSES`."""


@dataclass(frozen=True)
class Score:
    """The value of a position for one player.

    Units: points, 400 of which stand for odds of ten to one between players who do not err. What
        chance people have with them is told by `trine.engine.players.chances`.

    >>> Score(WIN - 3).decided_in, Score(-WIN + 8).decided_in, Score(120).decided_in
    (3, 8, None)
    """

    points: int

    @property
    def decided_in(self) -> int | None:
        """The number of actions, of all players, until the proven end; None if none is proven."""
        return WIN - abs(self.points) if abs(self.points) > PROVEN_SCORE else None

    def __neg__(self) -> Score:
        """Return the score from the other player's side."""
        return Score(-self.points)
