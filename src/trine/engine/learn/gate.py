"""The gate: pairs of games that a net must win before it is adopted.

A job is a pure function of its plan, its number and its evaluations, so it can run anywhere, at any
time.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Final

from trine.core.contract.score import DRAW, ONGOING
from trine.core.play import Play
from trine.engine.learn.eval_config import EvalConfig
from trine.engine.selfplay.game import SelfPlay
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.engine.selfplay.selfplay_plan import MAX_TURNS, SelfPlayPlan

HASH_MB: Final = 2.0
"""Units: MiB for each player. Guess."""
TIMED_RUNS: Final = 7
"""The number of times that the speeds of two evaluations are measured in turn. Guess."""
TIMED_NODES: Final = 20_000

Pair = tuple[int, int]
"""The half points of the first evaluation in both games of a pair."""


def play_pairs(
    plan: SelfPlayPlan,
    sides: tuple[EvalConfig, EvalConfig],
    nodes: tuple[int, int],
    job: int,
    numbers: range,
) -> tuple[int, list[Pair]]:
    """Play the pairs of games of a job: each start twice, with the seats swapped.

    An unfinished game counts as a draw. ``nodes`` are the limits for a turn.

    Returns: the number of the job, and its pairs.
    """
    new, old = (side.settings(plan.game, limit) for side, limit in zip(sides, nodes, strict=True))
    games: SelfPlay | None = None
    pairs = []
    for number in numbers:
        play = plan.begin(plan.rng(number, "trial"))
        if play.outcome:  # the opening has not ended the play
            pairs.append((1, 1))
            continue
        games = games or SelfPlay(play, hash_mb=[HASH_MB, HASH_MB])
        first = games.play(play, (new, old), turn_limit=MAX_TURNS)
        second = games.play(play, (old, new), turn_limit=MAX_TURNS)
        pairs.append((_half_points(first.result, 0), _half_points(second.result, 1)))
    return job, pairs


def speed_ratio(plan: SelfPlayPlan, sides: tuple[EvalConfig, EvalConfig]) -> float:
    """Return the nodes that the first evaluation searches while the second searches one.

    Both play from the same starts in turn, so that a busy machine delays them alike.
    """
    ratios = []
    for number in range(TIMED_RUNS):
        play = plan.begin(plan.rng(number, "speed"))
        games = SelfPlay(play, hash_mb=[HASH_MB])
        rates = [_rate(games, play, side.settings(plan.game, 400)) for side in sides]
        ratios.append(rates[0] / rates[1])
    return median(ratios)


def _rate(games: SelfPlay, play: Play, settings: PlayerSettings) -> float:
    best, spent = 0.0, 0
    while spent < TIMED_NODES:
        began = time.process_time()
        played = games.play(play, (settings, settings), turn_limit=len(play.turns) + 20)
        nodes = int(played.moves["nodes"].sum())
        best = max(best, nodes / (time.process_time() - began))
        spent += max(nodes, 1)
    return best


def _half_points(result: int, seat: int) -> int:
    return 1 if result in (DRAW, ONGOING) else 2 * (result == seat)
