"""Trials: matches between two sets of weights, so that weaker ones are not adopted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from trine.core.play import Play
from trine.games import open_heuristics
from trine.learn.selfplay import Plan, play_on, quick_search

Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Trial:
    """Pairs of games between a challenger and a champion, at fixed nodes for each action.

    Both games of a pair have the same beginning, with the seats swapped.
    """

    plan: Plan
    """The beginnings, nodes and seed of the games; the seed must not be that of the samples."""
    challenger: tuple[float, ...]
    """Weights, in the order of the terms."""
    champion: tuple[float, ...]

    def play_pair(self, number: int) -> tuple[int, int]:
        """Play a pair by its number.

        Returns: the half points of the challenger in the first game and in the second.
        """
        searches = [
            quick_search(self.plan.game, weights_with(self.plan.game, weights))
            for weights in (self.challenger, self.champion)
        ]
        points = []
        for seat in (0, 1):
            rng = Random(f"trial {self.plan.seed} {number}")
            play = self.plan.begin(rng)
            seated = searches if seat == 0 else searches[::-1]
            play_on(play, seated, self.plan.nodes, rng)
            points.append(_half_points(play, seat))
        return points[0], points[1]


def weights_with(game: str, weights: Sequence[float]) -> Weights:
    """Return the array that an evaluation looks up, with other weights of its terms."""
    looked_up: Weights = open_heuristics(game).weights.copy()
    looked_up[: len(weights)] = weights
    return looked_up


def pairs_of(trial: Trial, pairs: int) -> list[partial[tuple[int, int]]]:
    """Return the jobs that play a number of pairs."""
    return [partial(trial.play_pair, number) for number in range(pairs)]


def _half_points(play: Play, seat: int) -> int:
    if play.outcome is None or play.outcome.winner is None:
        return 1
    return 2 if play.outcome.winner == seat else 0
