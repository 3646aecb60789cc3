"""Games played for learning: self-play, and the gate's pairs that a new net must win.

A job is a pure function of its plan, its number and its evaluations, so it can run anywhere, at any
time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import DRAW, ONGOING
from trine.core.play import Play
from trine.engine.learn.dataset import Dataset
from trine.engine.players.chances import Curve, curve_of
from trine.engine.search.nets import NO_NET, NetFile, fit_for_search
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.engine.selfplay.kernel.playing import SEARCHED
from trine.engine.selfplay.selfplay_plan import MAX_TURNS, SelfPlayPlan
from trine.games import open_heuristics, open_kernel

DEEP_HASH_MB: Final = 0.5  # MiB; enough for some thousand nodes. Guess
LAMBDA: Final = 0.8
"""At this λ a fit changes Arimaa's game-tuned weights least; a smaller λ learns what the search
sees anyway, a larger one learns noise. Measured."""


def returns_of(
    moves: NDArray[Any], result: int, td_lambda: float, curve: Curve
) -> NDArray[np.float64]:
    """Return the TD(λ) return of each action of a game, a training target, for the first player.

    The score of a search looks a few turns ahead; the result of a game says little about a position
    far from its end. A *return* lies between: it sums the scores of later turns and finally the
    result, each weighted ``td_lambda`` times as much as the one before.

    ``moves`` are records of `trine.engine.selfplay.kernel.playing.MOVE`, ``result`` is the winner
    or a constant of `trine.core.contract.score`, and ``curve`` maps points to chances.

    Shapes: action. Units: chances. In the last turn they are the result.

    Source: R. S. Sutton, "Learning to Predict by the Methods of Temporal Differences" (1988); at
        the ends of principal variations: J. Baxter, A. Tridgell, L. Weaver, "TDLeaf(λ)" (1999).
    """
    movers = moves["mover"]
    turns = np.cumsum(np.append(0, movers[1:] != movers[:-1]))
    searched = np.flatnonzero(moves["marks"] & SEARCHED)
    searched = searched[np.unique(turns[searched], return_index=True)[1]]  # the first of its turn
    scores = moves["score"][searched].astype(np.float64)
    for_first = np.where(movers[searched] == 0, scores, -scores)
    chances = [curve.chance(points) for points in for_first]
    found = np.zeros(int(turns[-1]) + 1)
    worth, after = 0.5 if result == DRAW else float(result == 0), len(found)
    for turn, chance in zip(turns[searched][::-1], chances[::-1], strict=True):
        found[turn:after] = worth
        worth, after = (1 - td_lambda) * chance + td_lambda * worth, turn
    found[:after] = worth
    return found[turns]  # type: ignore[no-any-return]


def games_with_returns(
    plan: SelfPlayPlan, side: EvalConfig, td_lambda: float, job: int, numbers: range
) -> tuple[int, Dataset]:
    """Play the games of a job; return its number, and all quiet positions of the finished games.

    The results are returns (`returns_of`), which differ within a game.
    """
    began, kernel = time.process_time(), open_kernel(plan.game)
    settings = side.settings(plan.game, plan.nodes)
    # Unlike people, the engine does not blunder by accident.
    curve = replace(curve_of(plan.game, plan.rules), lapses=0.0)
    parts, games = [], None
    for number in numbers:
        play = plan.begin(plan.rng(number))
        if play.outcome or len(play.turns) >= MAX_TURNS:
            continue
        games = games or SelfPlay(play, hash_mb=[DEEP_HASH_MB])
        played = games.play(play, (settings, settings), turn_limit=MAX_TURNS, keep_ends=True)
        quiet = played.quiet
        if played.result == ONGOING or not len(quiet):
            continue
        rows = np.array([kernel.row_of(kernel.to_position(row)) for row in played.ends[quiet]])
        first = returns_of(played.moves, played.result, td_lambda, curve)[quiet]
        moves_first = np.array([kernel.mover(row) == 0 for row in rows])
        parts.append(
            Dataset.of(
                rows,
                np.full(len(rows), number, np.int64),
                results=np.where(moves_first, first, 1 - first),
                openings=np.full(len(rows), kernel.key_of(play.position), np.uint64),
            )
        )
    return job, replace(Dataset.joined(parts), seconds=time.process_time() - began)


@dataclass(frozen=True)
class EvalConfig:
    """An evaluation: a net, and whether it adds to the game's terms."""

    net: NetFile | None = None
    terms: bool = True

    def settings(self, game: str, nodes: int) -> PlayerSettings:
        inputs, net = open_heuristics(game).net, NO_NET
        if self.net is not None and inputs is not None:
            net = fit_for_search(self.net, inputs)
        weights = None if self.terms else without_terms(game)
        return PlayerSettings(nodes=nodes, by_turns=True, net=net, weights=weights)


@cache
def without_terms(game: str) -> NDArray[np.float32]:
    """Return the array that an evaluation looks up, with weight 0 for all terms."""
    heuristics = open_heuristics(game)
    looked_up: NDArray[np.float32] = heuristics.weights.copy()
    looked_up[: len(heuristics.terms)] = 0
    return looked_up


HASH_MB: Final = 2.0  # MiB for each player. Guess
TIMED_RUNS: Final = 7
"""The number of times that the speeds of two evaluations are measured in turn. Guess."""
TIMED_NODES: Final = 20_000

Pair = tuple[int, int]  # the half points of the first evaluation in both games of a pair


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
        if play.outcome:  # the random turns of the opening have ended the play
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
