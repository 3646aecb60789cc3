"""The specification of the search: plain negamax where nothing is pruned, and each of its limits."""

import time
from typing import Any

import numpy as np
import pytest

from engine.search.test_alphabeta import GAMES, middle_game, played_at_random
from engine.search.test_nets import inputs_of, random_net
from trine.core.clock import Limits
from trine.core.compiled.arrays import Rows
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING, WIN
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.analysis import analyze
from trine.engine.players.assessment import turns_of
from trine.engine.players.bot import Bot
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.kernel.constants import SearchConstants
from trine.engine.search.kernel.node import INFINITE, NO_LIMIT, score_of_result, score_of_win
from trine.engine.search.kernel.pvs import search_within
from trine.engine.search.kernel.quiescence import quiescence
from trine.engine.search.kernel.worker import GameFunctions, Worker
from trine.engine.search.nets import NO_NET, SearchNet, fit_for_search
from trine.engine.search.tree import TreeSearch
from trine.engine.search.worker_factory import WorkerFactory, functions_of, new_table
from trine.games import new_play, open_heuristics, open_kernel

ZERO = (
    "futility_depth",
    "razoring_margin",
    "lmr_scale",
    "lmr_base",
    "lmr_in_turn",
    "evasion_plies",
    "correction_scale",
)
NOTHING_PRUNED = SearchConstants(**dict.fromkeys(ZERO, 0))


@kernel()
def no_null_move(rows: Rows, ply: int) -> bool:
    return False


@kernel()
def negamax_within(game: GameFunctions, worker: Worker, ply: int, depth: int) -> int:
    row = worker.rows[ply]
    if depth <= 0:
        return quiescence(game, worker, ply, -INFINITE, INFINITE, worker.state[0].quiescence_plies)
    mover = game.mover(row)
    if ply:
        result = game.result(row)
        if result != ONGOING:
            return score_of_result(result, mover, ply)
        detected = game.detect_win(row)
        if detected:
            return score_of_win(detected, ply)
    total = worker.state[0].root_actions
    if ply:
        total = game.generate(row, worker.actions[ply])
    best = ply - WIN
    onward = depth if total == 1 and ply else depth - 1  # an only action costs no depth
    for index in range(total):
        game.play(worker.rows, ply, int(worker.actions[ply, index]))
        score = negamax_within(game, worker, ply + 1, onward)
        if game.mover(worker.rows[ply + 1]) != mover:
            score = -score
        best = max(best, score)
    return best


@kernel()
def searched(game: GameFunctions, worker: Worker, depth: int) -> int:
    return search_within(game, worker, depth, 0)


@kernel()
def negamax(game: GameFunctions, worker: Worker, depth: int) -> int:
    return negamax_within(game, worker, 0, depth)


def worker_of(play: Play, net: SearchNet = NO_NET) -> Worker:
    kernel, heuristics = open_kernel(play.room.name), open_heuristics(play.room.name)
    worker_factory = WorkerFactory(kernel, heuristics)
    worker = worker_factory.worker(
        play, new_table(1), np.zeros(1, np.int64), heuristics.weights, net
    )
    NOTHING_PRUNED.write(worker.state[0], heuristics)
    worker.state[0].node_limit = NO_LIMIT
    return worker


def unpruned(game: str) -> GameFunctions:
    functions = functions_of(open_kernel(game), open_heuristics(game))
    return functions._replace(null_move=no_null_move)


FEW_CHOICES = {"arimaa": "2g 8/8/3H4/3E4/4e2r/8/8/R7", "corridor": "quoridor 5 2 c2,c4 b3h 1,1 1"}
"""A position of each game in which four actions can be searched whole."""


def net_of(game: str, kind: str) -> SearchNet:
    if kind == "no net":
        return NO_NET
    return fit_for_search(random_net(game), inputs_of(game))


def few(game: str) -> Play:
    if game not in FEW_CHOICES:
        return played_at_random(game, 3, until=10)
    return new_play(game, position=FEW_CHOICES[game])


@GAMES
@pytest.mark.parametrize("kind", ["no net", "a net"])
def test_without_pruning_the_search_is_plain_negamax(game: str, kind: str) -> None:
    functions, net = unpruned(game), net_of(game, kind)
    plays = {middle_game(game): 2, few(game): 4}
    for play, deepest in plays.items():
        for depth in range(1, deepest + 1):
            plain = negamax(functions, worker_of(play, net), depth)
            assert searched(functions, worker_of(play, net), depth) == plain


@GAMES
def test_deepening_finds_what_negamax_finds(game: str) -> None:
    searching = AlphaBeta(game, hash_mb=1, constants=NOTHING_PRUNED, net=NO_NET)
    searching.functions = unpruned(game)
    (found,) = searching.search(few(game), Limits(depth=4))
    assert found.score.points == negamax(searching.functions, worker_of(few(game)), 4)


@GAMES
def test_an_analysis_has_a_depth_however_small_its_limits(game: str) -> None:
    bot = Bot(game, hash_mb=1)
    for nodes in (1, 3, 30):
        best = analyze(bot, few(game), Limits(nodes=nodes), lines=2)[0]
        assert best.depth >= 1


def test_a_forced_turn_is_searched_on_and_shown_whole() -> None:
    play = new_play("arimaa", position="5g 8/2c5/rRRd4/8/8/8/8/8")
    for limits in (Limits(hard=20), Limits(depth=8), Limits(soft=20)):
        (best,) = analyze(Bot("arimaa", hash_mb=1), play, limits)
        assert best.score.decided_in == 5
    (brief,) = analyze(Bot("arimaa", hash_mb=1), play, Limits(nodes=20))
    assert 3 <= brief.nodes <= 20
    assert len(turns_of(play.position, brief.pv)) > 1


SEARCHES = pytest.mark.parametrize(
    ("search", "play"),
    [
        (lambda: AlphaBeta("tzaar", hash_mb=1), lambda: middle_game("tzaar")),
        (lambda: TreeSearch("corridor", hash_mb=1), lambda: new_play("corridor", players=4)),
    ],
    ids=["alpha-beta", "tree"],
)


@SEARCHES
@pytest.mark.parametrize(
    "limits",
    [Limits(depth=2), Limits(nodes=500), Limits(soft=0.05), Limits(hard=0.05)],
    ids=["depth", "nodes", "soft", "hard"],
)
def test_each_limit_ends_each_search(search: Any, play: Any, limits: Limits) -> None:
    began = time.process_time()
    assert search().search(play(), limits)[0].pv
    assert time.process_time() - began < 20


@SEARCHES
def test_a_stop_ends_each_search(search: Any, play: Any) -> None:
    stop = Stop()
    assert search().search(play(), Limits(), lambda info: stop.set(), stop)[0].pv


@GAMES
def test_no_more_positions_are_searched_than_the_limit_of_nodes(game: str) -> None:
    searching = AlphaBeta(game, hash_mb=1)
    play = middle_game(game)
    searching.search(play, Limits(depth=1))
    whole_depth_1 = searching.searched
    for nodes in range(whole_depth_1 + 300, whole_depth_1 + 340):
        searching.clear()
        searching.search(play, Limits(nodes=nodes))
        assert searching.searched <= nodes
