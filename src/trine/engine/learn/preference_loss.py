"""The loss of an evaluation against the turns of strong players.

A player chooses a turn with a probability that grows with the points of the position after it:
``exp(SLOPE * sharpness * points)``, divided by the sum of the same over all turns of a choice. The
sharpness tells how closely such players follow the points; it is fitted too.

Source: D. McFadden, "Conditional logit analysis of qualitative choice behavior" (1974).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.engine.learn.logistic import SLOPE, Matrix, Vector, least
from trine.engine.learn.preferences import Preferences

Numbers = NDArray[np.int64]

FEWEST_GAMES: Final = 10
"""The fewest games whose turns are imitated: a fifth of them is held out. Guess."""
SHARPNESS: Final = (0.01, 100.0)
"""The bounds of the sharpness."""
LOG_SHARPNESS: Final = (math.log(SHARPNESS[0]), math.log(SHARPNESS[1]))


class PreferenceLoss:
    """The loss of turns, by the terms that count after them."""

    def __init__(self, terms: Matrix, rest: Vector, sizes: Numbers, games: Numbers) -> None:
        """Take terms and the rest of the points after each turn.

        Shapes: ``terms`` position, term; ``rest`` position; ``sizes`` and ``games`` turn, as
            `Preferences` has them.
        """
        self._terms, self._rest, self._sizes, self._numbers = terms, rest, sizes, games
        self._first: Numbers = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        """Shapes: turn. The place of the position after the played turn."""
        found, self.game = np.unique(games, return_inverse=True)
        """Shapes: turn. The games, numbered without gaps."""
        self.games = len(found)

    @classmethod
    def of(cls, preferences: Preferences, terms: Matrix, rest: Vector) -> PreferenceLoss:
        """Return the loss of preferences.

        Raises:
            TrineError: the turns are of too few games.
        """
        loss = cls(terms, rest, preferences.sizes, preferences.games)
        loss.check_games()
        return loss

    def check_games(self) -> None:
        """Raise an error if there is too little to learn from.

        Raises:
            TrineError: the turns are of too few games.
        """
        if self.games < FEWEST_GAMES:
            raise TrineError(
                text(
                    "turns of {count} games are too few to imitate; take {least} at least",
                    count=self.games,
                    least=FEWEST_GAMES,
                )
            )

    def __len__(self) -> int:
        return len(self._sizes)

    def part(self, games: Numbers) -> PreferenceLoss:
        """Return the part with the turns of some games, by their numbers without gaps."""
        turns = np.isin(self.game, games)
        rows = np.repeat(turns, self._sizes)
        return PreferenceLoss(
            self._terms[rows], self._rest[rows], self._sizes[turns], self._numbers[turns]
        )

    @property
    def chance(self) -> float:
        """The mean loss of a choice by chance."""
        return float(np.log(self._sizes).mean())

    def losses(self, points: Vector, log_sharpness: float) -> Vector:
        """Return the loss of each turn, with the points of each term."""
        return self._losses_and_shares(self._points(points), log_sharpness)[0]

    def cost(self, points: Vector, log_sharpness: float) -> tuple[float, Vector, float]:
        """Return the mean loss, and its gradient by the points and by the sharpness's logarithm."""
        total = self._points(points)
        losses, shares = self._losses_and_shares(total, log_sharpness)
        shares[self._first] -= 1
        gradient = SLOPE * math.exp(log_sharpness) * shares / len(self)
        by_points: Vector = gradient @ self._terms
        return float(losses.mean()), by_points, float(gradient @ total)

    def sharpness_of(self, points: Vector) -> float:
        """Return the logarithm of the sharpness that fits points best."""
        return least(lambda log: float(self.losses(points, log).mean()), LOG_SHARPNESS)

    def bend(self, points: Vector, log_sharpness: float) -> Matrix:
        """Return the information about the points, and the sharpness's logarithm behind them.

        Shapes: parameter, parameter. Among points they are the second derivatives of the mean loss.
        """
        _, shares = self._losses_and_shares(self._points(points), log_sharpness)
        moves = self._moves(points)
        shared = moves * shares[:, None]
        means = np.add.reduceat(shared, self._first)
        steep = (SLOPE * math.exp(log_sharpness)) ** 2 / len(self)
        bend: Matrix = steep * (shared.T @ moves - means.T @ means)
        return bend

    def gradients(self, points: Vector, log_sharpness: float) -> Matrix:
        """Return the part of each game in the gradient of the mean loss.

        Shapes: parameter, game; the sharpness's logarithm comes last.
        """
        _, shares = self._losses_and_shares(self._points(points), log_sharpness)
        shares[self._first] -= 1
        steep = SLOPE * math.exp(log_sharpness) / len(self)
        by_turn = np.add.reduceat(self._moves(points) * shares[:, None] * steep, self._first)
        return np.stack([np.bincount(self.game, turns, self.games) for turns in by_turn.T])

    def _moves(self, points: Vector) -> Matrix:
        """Return how logits move with the parameters, in units of their own slope."""
        return np.column_stack([self._terms, self._points(points)])

    def _points(self, points: Vector) -> Vector:
        """Return the points after each turn, all terms together."""
        total: Vector = self._rest + self._terms @ points
        return total

    def _losses_and_shares(self, total: Vector, log_sharpness: float) -> tuple[Vector, Vector]:
        """Return the loss of each turn, and the probability of each position."""
        logits = SLOPE * math.exp(log_sharpness) * total
        logits -= np.repeat(np.maximum.reduceat(logits, self._first), self._sizes)
        likely = np.exp(logits)
        sums = np.add.reduceat(likely, self._first)
        losses: Vector = np.log(sums) - logits[self._first]
        shares: Vector = likely / np.repeat(sums, self._sizes)
        return losses, shares
