"""Curves of chances: is a known one found, and is it judged by games that it has not seen?"""

from dataclasses import replace

import numpy as np
import pytest

from fitting.calibration import (
    FOLDS,
    HeldOutScore,
    bins_of,
    calibrate,
    chances_of,
    fit_curve,
    loss_of,
)
from fitting.leveled import LeveledGames, LeveledPlan
from fitting.plan import FittingPlan
from shared_data import SHARED, shared_file
from trine.core.contract.score import WIN
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset
from trine.engine.players.chances import Curve, curve_of
from trine.games import BUNDLED_GAMES, open_room

pytestmark = pytest.mark.nightly

TRUE = Curve(0.6, 0.04)
GAMES = 8_000
QUICK = LeveledPlan(FittingPlan("tzaar", "official", label_nodes=300), (1, 3))


def made_up(curve: Curve, games: int = GAMES, seed: int = 1) -> Dataset:
    """Four positions a game, whose scores come near each other and whose result is drawn."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 600, games)
    won = rng.random(games) < [curve.chance(points) for points in first]
    return Dataset.of(
        np.zeros((4 * games, 1), np.uint64),
        np.repeat(np.arange(games), 4) * 3,
        scores=np.repeat(first, 4),
        results=np.repeat(won.astype(np.float32), 4),
    )


def test_a_known_curve_is_found() -> None:
    found = fit_curve(made_up(TRUE, 20_000))
    for points in (50, 300, 1_000, 2_000):
        assert found.chance(points) == pytest.approx(TRUE.chance(points), abs=0.02)


def test_what_is_predicted_happens_and_the_scale_of_the_search_is_too_sure() -> None:
    data = made_up(TRUE)
    _, found = calibrate(data)
    assert found.most < 0.05
    assert found.after.mean < found.before.mean - found.after.error
    assert (found.games, found.positions) == (GAMES, 4 * GAMES)
    assert sum(one.positions for one in found.bins) == found.positions
    too_sure = bins_of(chances_of(Curve(), data), data)
    assert max(abs(one.predicted - one.happened.mean) for one in too_sure) > 0.05


def test_no_game_is_judged_by_a_curve_that_was_fitted_to_it() -> None:
    """One opening alone is great leads that are all lost: no curve of others foretells that."""
    data = made_up(Curve(3, 0))
    alike = np.flatnonzero(data.games < 3 * GAMES // FOLDS)
    data.scores[alike] = 5_000
    data.results[alike] = 0
    data = replace(data, openings=np.where(data.games < 3 * GAMES // FOLDS, 0, data.openings + 1))
    _, found = calibrate(data)
    lost = found.after.mean * len(data) / len(alike)
    assert lost > -np.log(1 - Curve(3, 0.02).chance(5_000))


def test_copies_in_a_game_are_no_news() -> None:
    data = made_up(TRUE)
    once = data.chosen(np.arange(0, len(data), 4))
    errors = [loss_of(chances_of(TRUE, part), part).error for part in (once, data)]
    assert errors[0] == pytest.approx(errors[1])
    assert fit_curve(once).chance(300) == pytest.approx(fit_curve(data).chance(300))


def test_a_game_of_many_positions_counts_as_one() -> None:
    """A tenth of the games has other chances, and twenty times as many positions."""
    many, few = made_up(Curve(0.05), 400), made_up(Curve(2), 4_000, seed=2)
    few = replace(few, games=few.games + 10_000, openings=few.openings + np.uint64(10_000))
    copied = many.chosen(np.repeat(np.arange(len(many)), 20))
    assert fit_curve(Dataset.joined([copied, few])).chance(300) == pytest.approx(
        fit_curve(Dataset.joined([many, few])).chance(300), abs=1e-3
    )


def test_proven_positions_are_counted_apart() -> None:
    data = made_up(TRUE)
    data.scores[:8] = np.copysign(WIN - 7, data.results[:8] - 0.5)
    data.scores[8:12] = -np.copysign(WIN - 7, data.results[8:12] - 0.5)
    found = HeldOutScore.of(chances_of(TRUE, data), data)
    assert found.proven == 12
    assert found.proven_right == pytest.approx(8 / 12)
    assert found.positions == len(data) - 12
    assert fit_curve(data) == fit_curve(data.chosen(np.arange(12, len(data))))


def test_few_games_fit_no_curve() -> None:
    with pytest.raises(TrineError, match="40 games are too few"):
        calibrate(made_up(TRUE, 40))


def test_games_of_levels_depend_on_their_numbers_alone() -> None:
    both = LeveledGames(QUICK).play(range(2))
    alone = LeveledGames(QUICK).play([1])
    second = both.chosen(np.flatnonzero(both.games == 1))
    assert len(alone) > 3
    for name in ("rows", "scores", "results", "openings"):
        assert np.array_equal(getattr(alone, name), getattr(second, name))
    assert set(both.results.tolist()) <= {0.0, 0.5, 1.0}


@pytest.mark.nightly
@pytest.mark.parametrize("game", BUNDLED_GAMES)
def test_what_is_predicted_of_games_of_levels_happens(game: str) -> None:
    """Of other games than those that the curve was fitted to: they have another seed."""
    rules = open_room(game).default_rules
    plan = LeveledPlan(FittingPlan(game, rules, seed=1, label_nodes=5_000), (4, 6))
    data = LeveledGames(plan).play(range(60))
    found = HeldOutScore.of(chances_of(curve_of(game, rules), data), data)
    for one in found.bins:
        assert abs(one.predicted - one.happened.mean) < 0.05 + 2 * one.happened.error, found.bins


@pytest.mark.nightly
def test_arimaa_tells_people_truer_chances_than_the_scale_of_the_search() -> None:
    """On real games, of another rule set, none of which its curve was fitted to."""
    file = shared_file(SHARED / "data" / "arimaa" / "allgames2002.txt")
    plan = LeveledPlan(FittingPlan("arimaa", "classic", label_nodes=2_000), (4, 8))
    data = LeveledGames(plan).read(file, first=0)
    assert data.games_seen >= 40
    found = HeldOutScore.of(chances_of(curve_of("arimaa", "official"), data), data)
    assert found.after.mean < found.before.mean - 0.02
