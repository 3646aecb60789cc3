"""Jobs of learning nets: games of self-play, and pairs of games between two nets.

A job is a pure function of its plan, its number and its nets, wherever and whenever it is done.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from random import Random
from statistics import median
from typing import Final

import numpy as np

from trine.core.play import Play
from trine.core.score import DRAW, ONGOING
from trine.games import open_heuristics, open_kernel
from trine.learn.game_files import GameBatch
from trine.learn.selfplay import LONGEST, Plan
from trine.learn.trial import weights_with
from trine.search.games import Games, Manner
from trine.search.kernel.games import MOVE
from trine.search.kernel.handicap import WHOLE
from trine.search.nets import NO_NET, NetFile, fit_for_search

HASH_MB: Final = 0.5
"""Units: MiB; of self-play, enough for some thousand nodes. Guess."""
GATE_HASH_MB: Final = 2.0
"""Units: MiB; of each player in the gate. Guess."""
TIMED: Final = 7
"""The number of times that the speeds of two nets are measured, one after the other. Guess."""
TIMED_NODES: Final = 20_000


@dataclass(frozen=True)
class Side:
    """An evaluation: a net, and whether it stands beside the room's terms."""

    net: NetFile | None
    terms: bool = True

    def manner(self, plan: Plan, nodes: int, *, by_turns: bool, strays: float = 0.0) -> Manner:
        """Return how a player with this evaluation thinks."""
        inputs, net = open_heuristics(plan.game).net, NO_NET
        if self.net is not None and inputs is not None:
            net = fit_for_search(self.net, inputs)
        weights = None if self.terms else without_terms(plan.game)
        stray_share = round(WHOLE * strays)
        return Manner(
            nodes=nodes, by_turns=by_turns, stray_share=stray_share, net=net, weights=weights
        )


@cache
def without_terms(game: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return the array that an evaluation looks up, with terms that all weigh nothing."""
    return weights_with(game, [0.0] * len(open_heuristics(game).terms))


def play_batch(plan: Plan, side: Side, job: int, size: int) -> tuple[int, GameBatch]:
    """Play the games of a job of self-play; those without an end are left out.

    Returns: the number of the job, and the games.
    """
    began, kernel = time.process_time(), open_kernel(plan.game)
    manner = side.manner(plan, plan.nodes, by_turns=False, strays=plan.strays)
    games: Games | None = None
    numbers, starts, results, moves = [], [], [], [np.zeros(0, MOVE)]
    for number in range(job * size, (job + 1) * size):
        play = plan.begin(Random(f"{plan.seed} {number}"))
        if play.outcome or len(play.turns) >= LONGEST:
            continue
        games = games or Games(play, hash_mb=[HASH_MB])
        course = games.play(play, (manner, manner), turn_limit=LONGEST, seed=number)
        if course.result == ONGOING:
            continue
        row = np.zeros(kernel.words(play.position), np.uint64)
        kernel.to_row(play.position, row)
        numbers.append(number)
        starts.append(row)
        results.append(course.result)
        moves.append(course.moves)
    batch = GameBatch(
        np.array(numbers, np.int64),
        np.array(starts, np.uint64) if starts else np.zeros((0, 1), np.uint64),
        np.array([len(part) for part in moves[1:]], np.int64),
        np.array(results, np.int8),
        np.concatenate(moves),
        time.process_time() - began,
    )
    return job, batch


def play_pairs(
    plan: Plan, sides: tuple[Side, Side], nodes: tuple[int, int], job: int, size: int
) -> tuple[int, list[tuple[int, int]]]:
    """Play the pairs of games of a job: each beginning twice, with the seats swapped.

    A game without an end counts as drawn.

    Returns: the number of the job, and the half points of the first side in both games of each.
    """
    new, old = (
        side.manner(plan, limit, by_turns=True) for side, limit in zip(sides, nodes, strict=True)
    )
    games: Games | None = None
    pairs = []
    for number in range(job * size, (job + 1) * size):
        play = plan.begin(Random(f"trial {plan.seed} {number}"))
        if play.outcome:  # neither has played
            pairs.append((1, 1))
            continue
        games = games or Games(play, hash_mb=[GATE_HASH_MB, GATE_HASH_MB])
        first = games.play(play, (new, old), turn_limit=LONGEST)
        second = games.play(play, (old, new), turn_limit=LONGEST)
        pairs.append((_half_points(first.result, 0), _half_points(second.result, 1)))
    return job, pairs


def speed_ratio(plan: Plan, sides: tuple[Side, Side]) -> float:
    """Return the nodes that the first side searches while the second searches one.

    Both play the same beginnings by turns, so that a busy machine delays them alike.
    """
    ratios = []
    for number in range(TIMED):
        play = plan.begin(Random(f"speed {plan.seed} {number}"))
        games = Games(play, hash_mb=[GATE_HASH_MB])
        rates = [_rate(games, play, side.manner(plan, 400, by_turns=True)) for side in sides]
        ratios.append(rates[0] / rates[1])
    return median(ratios)


def _rate(games: Games, play: Play, manner: Manner) -> float:
    """Return the nodes a second of a player against itself."""
    best, spent = 0.0, 0
    while spent < TIMED_NODES:
        began = time.process_time()
        course = games.play(play, (manner, manner), turn_limit=len(play.turns) + 20)
        nodes = int(course.moves["nodes"].sum())
        best = max(best, nodes / (time.process_time() - began))
        spent += max(nodes, 1)
    return best


def _half_points(result: int, seat: int) -> int:
    return 1 if result in (DRAW, ONGOING) else 2 * (result == seat)
