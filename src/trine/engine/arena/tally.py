"""The results of a match for one of two players: games and pairs of games.

Two games are a pair if they share an opening and the players swap seats. The advantage of a side in
the opening cancels out, so statistics treat pairs, not games, as independent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

LOST: Final = 0
DRAWN: Final = 1
WON: Final = 2
"""Units: half points."""


@dataclass(frozen=True)
class Tally:
    """Games and pairs, counted for one player against another.

    >>> tally = Tally().after_pair(WON, LOST).after_pair(WON, DRAWN)
    >>> tally.games, tally.points, tally.pairs
    (4, 2.5, (0, 0, 1, 1, 0))
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """The pentanomial counts: the number of pairs with 0, 1, 2, 3, 4 half points."""
    drawn_pairs: int = 0
    """The number of pairs that were two draws, not a win and a loss."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The score: a point for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def split_pairs(self) -> int:
        """The number of pairs that were a win and a loss."""
        return self.pairs[2] - self.drawn_pairs

    def after_pair(self, first: int, second: int) -> Tally:
        """Return the tally with one more pair, by the half points of its games."""
        tally = self.after_game(first).after_game(second)
        zero, one, two, three, four = (
            count + (first + second == half_points) for half_points, count in enumerate(self.pairs)
        )
        drawn = self.drawn_pairs + (first == second == DRAWN)
        return replace(tally, pairs=(zero, one, two, three, four), drawn_pairs=drawn)

    def after_game(self, half_points: int) -> Tally:
        """Return the tally with one more game that is not in a pair."""
        assert LOST <= half_points <= WON, half_points
        return replace(
            self,
            wins=self.wins + (half_points == WON),
            draws=self.draws + (half_points == DRAWN),
            losses=self.losses + (half_points == LOST),
        )
