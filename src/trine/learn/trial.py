"""Trials: matches between two sets of weights, so that weaker ones are not adopted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trine.core.score import DRAW, ONGOING
from trine.games import open_heuristics
from trine.learn.selfplay import HASH_MB, LONGEST, Plan
from trine.search.constants import OF_ROOM, SearchConstants
from trine.search.nets import NO_NET

if TYPE_CHECKING:
    from trine.search.games import Manner

Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Trial:
    """Pairs of games between a challenger and a champion, at fixed nodes for each action.

    Both games of a pair have the same beginning, with the seats swapped. Where weights are tried,
    both evaluate by the terms alone.
    """

    plan: Plan
    """The beginnings, nodes and seed of the games; the seed must not be that of the samples."""
    challenger: tuple[float, ...]
    """Weights, in the order of the terms, and the numbers of a table; empty for the room's."""
    champion: tuple[float, ...]
    constants: SearchConstants = OF_ROOM
    """The challenger's constants of the search; the champion has the room's."""

    def play_pair(self, number: int) -> tuple[int, int]:
        """Play a pair by its number; a game without an end counts as drawn.

        Returns: the half points of the challenger in the first game and in the second.
        """
        from trine.search.games import Manner  # compiles the loop over games

        challenger, champion = (
            Manner(
                nodes=self.plan.nodes,
                weights=weights_with(self.plan.game, given) if given else None,
                constants=constants,
                net=NO_NET if self.challenger else None,
            )
            for given, constants in (
                (self.challenger, self.constants),
                (self.champion, OF_ROOM),
            )
        )
        return play_pair(self.plan, "trial", number, challenger, champion)


def play_pair(
    plan: Plan, kind: str, number: int, challenger: Manner, champion: Manner
) -> tuple[int, int]:
    """Play a pair of games of a plan, by its number; a game without an end counts as drawn.

    Args: pairs of another ``kind`` have other beginnings.

    Returns: the half points of the challenger in the first game and in the second.
    """
    from trine.search.games import Games  # compiles the loop over games

    play = plan.begin(Random(f"{kind} {plan.seed} {number}"))
    if play.outcome:  # neither has played
        return 1, 1
    games = Games(play, hash_mb=[HASH_MB, HASH_MB])
    first = games.play(play, (challenger, champion), turn_limit=LONGEST)
    second = games.play(play, (champion, challenger), turn_limit=LONGEST)
    return _half_points(first.result, 0), _half_points(second.result, 1)


def weights_with(game: str, weights: Sequence[float]) -> Weights:
    """Return the array that an evaluation looks up, with others of all that is fitted in it."""
    heuristics = open_heuristics(game)
    looked_up: Weights = heuristics.weights.copy()
    terms = len(heuristics.terms)
    looked_up[: min(terms, len(weights))] = weights[:terms]
    if heuristics.table and len(weights) > terms:
        looked_up[terms:] = heuristics.table.spread(weights[terms:])
    return looked_up


def pairs_of(trial: Trial, pairs: int) -> list[partial[tuple[int, int]]]:
    """Return the jobs that play a number of pairs."""
    return [partial(trial.play_pair, number) for number in range(pairs)]


def _half_points(result: int, seat: int) -> int:
    return 1 if result in (DRAW, ONGOING) else 2 * (result == seat)
