"""Labels out of trees: legal positions that a net is asked about, always and everywhere the same."""

from __future__ import annotations

import numpy as np
import pytest

from trine.core.contract.score import ONGOING, WIN
from trine.games import ROOMS, open_heuristics, open_kernel, open_room
from trine.learn.dataset import Dataset
from trine.learn.sides import Side
from trine.learn.sources.trees import LABELS, label_games
from trine.selfplay.plan import Plan


def labels(game: str, job: int, size: int = 2, nodes: int = 60) -> Dataset:
    plan = Plan(game, open_room(game).default_rules, nodes=nodes, seed=3)
    number, batch = label_games(plan, Side(), job, size)
    assert number == job
    return batch


@pytest.mark.parametrize("game", ROOMS)
def test_positions_are_those_that_a_search_asks_about(game: str) -> None:
    kernel, heuristics, batch = open_kernel(game), open_heuristics(game), labels(game, 0)
    assert LABELS / 2 < len(batch) <= 2 * LABELS and set(batch.games) == {0, 1}
    assert np.isnan(batch.results).all() and np.abs(batch.scores).max() <= WIN
    assert len({int(kernel.key(row)) for row in batch.rows}) > 0.9 * len(batch)
    movers = set()
    for row in batch.rows:
        position = kernel.to_position(row)
        again = np.zeros_like(row)
        kernel.to_row(position, again)
        assert (row == again).all() and not position.in_setup
        assert kernel.result(row) == ONGOING and heuristics.detect_win(row) == 0
        movers.add(kernel.mover(row))
    assert movers == {0, 1}


def test_a_job_depends_on_nothing_but_its_number() -> None:
    both, second = labels("tzaar", 0, 2), labels("tzaar", 1, 1)
    of_second = both.games == 1
    assert (both.rows[of_second] == second.rows).all()
    assert (both.scores[of_second] == second.scores).all()
    assert (second.games == 1).all()


def test_more_nodes_find_other_scores() -> None:
    few, many = labels("arimaa", 0, 1, nodes=20), labels("arimaa", 0, 1, nodes=2000)
    assert len(few) and len(many) and few.scores.tolist() != many.scores.tolist()
