"""Games between neighbours: what they ask for is what was worth something."""

import json
from pathlib import Path

import numpy as np
import pytest

import neighbours
from trine.engine.learn.dataset import write_arrays

pytestmark = pytest.mark.nightly


def test_a_step_that_wins_games_is_asked_for_and_others_hardly(tmp_path: Path) -> None:
    names, rng = neighbours.moved_names(), np.random.default_rng(7)
    good = names.index("trap_control")
    signs = rng.choice((-1, 1), (4000, len(names)))
    won = rng.random((4000, 2)) < 0.5 + 0.1 * signs[:, [good]]
    write_arrays(tmp_path / "games.npz", signs=signs, points=2 * won)
    neighbours.effects(tmp_path, tmp_path / "steps.json")
    steps = json.loads((tmp_path / "steps.json").read_text("utf-8"))
    assert steps["trap_control"] > 1
    assert max(abs(step) for name, step in steps.items() if name != "trap_control") < 1


def test_a_player_a_step_away_has_other_weights_within_the_bounds_of_the_search() -> None:
    assert neighbours.constants({}) != neighbours.constants({"futility_margin": 1.0})
    for name, direction in neighbours.directions().items():
        assert direction.any(), name
