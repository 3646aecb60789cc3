"""Returns of games: by hand for a short one, and of real games what their ends say."""

from functools import partial

import numpy as np
import pytest

from trine.core.contract.score import DRAW
from trine.engine.learn.games import EvalConfig, games_with_returns, returns_of
from trine.engine.learn.network.examples import POINTS
from trine.engine.players.chances import MIN_CHANCE, Curve
from trine.engine.selfplay.kernel.playing import MOVE, SEARCHED
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_kernel

PROVEN_SCORE = 30_000


def moves(*told: tuple[int, int | None]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Actions by their mover and score; None was not searched for."""
    found = np.zeros(len(told), MOVE)
    for move, (mover, score) in zip(found, told, strict=True):
        move["mover"] = mover
        if score is not None:
            move["score"], move["marks"] = score, SEARCHED
    return found


def test_each_turn_counts_as_much_as_the_decay_says() -> None:
    game = moves(
        (0, 50), (0, None), (1, PROVEN_SCORE), (0, 0), (0, PROVEN_SCORE), (1, None), (0, 20)
    )
    third, fifth = 1 / (1 + np.exp(-0.5 * 20 / POINTS)), 0.0  # the last turn's score; the result
    before = 0.5 * third + 0.5 * fifth  # of the first player's third turn; its second score is late
    second = 0.5 * 0.5 + 0.5 * before
    first = 0.5 * MIN_CHANCE + 0.5 * second
    told = returns_of(game, 1, 0.5, Curve(0.5))
    assert told == pytest.approx([first, first, second, before, before, before, fifth])


def test_results_alone_and_scores_alone() -> None:
    game = moves((0, 10), (1, 10), (0, PROVEN_SCORE), (1, -PROVEN_SCORE))
    assert (returns_of(game, 0, 1.0, Curve(1.0)) == 1).all()
    assert (returns_of(game, 1, 1.0, Curve(1.0)) == 0).all()
    assert (returns_of(game, DRAW, 1.0, Curve(1.0)) == 0.5).all()
    next_turns = returns_of(game, DRAW, 0.0, Curve(1.0))
    sure = 1 - MIN_CHANCE
    assert next_turns == pytest.approx([1 / (1 + np.exp(10 / POINTS)), sure, sure, 0.5], rel=1e-9)


@pytest.mark.parametrize("game", ["tzaar", "arimaa"])
def test_positions_of_a_game_are_worth_what_it_came_to(game: str) -> None:
    plan = SelfPlayPlan(game, "official", nodes=60)
    play = partial(games_with_returns, plan, EvalConfig())
    number, data = play(0.8, 1, range(2, 4))
    results = play(1.0, 1, range(2, 4))[1]
    assert number == 1 and {3} <= set(data.games) <= {2, 3} and np.isnan(data.scores).all()
    assert (data.rows == results.rows).all() and set(results.results) <= {0, 0.5, 1}
    kernel = open_kernel(game)
    for one in set(data.games):
        mine = data.games == one
        movers = np.array([kernel.mover(row) for row in data.rows[mine]])
        for_first = np.where(movers == 0, data.results[mine], 1 - data.results[mine])
        won = np.where(movers == 0, results.results[mine], 1 - results.results[mine])
        assert len(set(won)) == 1, "all positions of a game have its result"
        assert (
            abs(for_first[-8:].mean() - won[0]) < 0.3 and ((for_first > 0) & (for_first < 1)).any()
        )
