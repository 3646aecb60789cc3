"""Fitting: does it find weights that made the results, and say truly how sure they are?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fitting.linear import Fitter
from fitting.terms import Counted
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset

pytestmark = pytest.mark.nightly

TRUE = np.array([40.0, -15.0, 0.0, 120.0])
GAMES = 3000


def made_up(games: int = GAMES, seed: int = 1) -> tuple[Counted, Dataset]:
    """Four positions a game, whose result is drawn by the true weights of the first one."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(games, len(TRUE))) * [2, 5, 1, 0.5]
    promise = 1 / (1 + 10 ** (-(first @ TRUE) / 400))
    result = (rng.random(games) < promise).astype(np.float32)
    values = np.repeat(first, 4, axis=0).astype(np.float32)
    data = Dataset.of(
        np.zeros((4 * games, 1), np.uint64),
        np.repeat(np.arange(games), 4) * 7,  # numbers of games have gaps
        results=np.repeat(result, 4),
        openings=np.repeat(np.arange(games, dtype=np.uint64) // 3, 4),  # three games begin alike
    )
    return Counted(values, np.zeros(len(values), np.float32)), data


def test_known_weights_are_found_within_their_errors() -> None:
    counted, data = made_up()
    fit = Fitter(counted, data, [20.0, -20.0, 5.0, 60.0]).fit()
    off = (fit.weights - TRUE) / fit.errors
    assert np.abs(off).max() < 4, off
    assert (fit.errors * [2, 5, 1, 0.5] < 25).all(), fit.errors


def test_errors_are_those_of_repeated_fits() -> None:
    fits = [Fitter(*made_up(800, seed), [1.0] * 4).fit() for seed in range(8)]
    scatter = np.std([fit.weights for fit in fits], axis=0, ddof=1)
    told = np.mean([fit.errors for fit in fits], axis=0)
    # Eight fits know their scatter to a quarter; copies in a game must not count as news.
    assert (scatter < 1.6 * told).all() and (told < 2 * scatter).all(), (scatter, told)


def test_held_out_games_get_better_promises_from_fitted_weights() -> None:
    fit = Fitter(*made_up(), [-40.0, 15.0, 0.0, -120.0]).fit()
    assert fit.after.mean < fit.before.mean - 0.05
    assert fit.gain.mean == pytest.approx(fit.before.mean - fit.after.mean)
    assert fit.gain.mean > 5 * fit.gain.error
    assert fit.held_out == GAMES // 5


def test_games_that_begin_alike_are_held_out_together() -> None:
    counted, data = made_up(100)
    # 24 openings with a game each, and one with 76.
    data = replace(data, openings=np.minimum(data.games // 7, 24).astype(np.uint64))
    assert Fitter(counted, data, [1.0] * 4).fit().held_out in (5, 80)
    alike = replace(data, openings=np.zeros_like(data.openings))
    assert Fitter(counted, alike, [1.0] * 4).fit().held_out == 20, "then games are held out"


def test_right_weights_of_a_wrong_size_are_scaled() -> None:
    fit = Fitter(*made_up(), (TRUE / 4).tolist()).fit()
    assert 3 < fit.scale < 5
    assert abs(fit.scaled.mean - fit.after.mean) < 0.003


def test_the_present_scale_can_be_kept() -> None:
    counted, data = made_up()
    values = counted.counts.copy()
    values[:, 2] = 0
    present = (TRUE / 4).tolist()
    present[2] = 7.0
    fit = Fitter(Counted(values, counted.rest), data, present).fit()
    kept = fit.on_the_present_scale()
    assert kept.weights[2] == 7
    assert kept.weights[[0, 1, 3]] == pytest.approx(TRUE[[0, 1, 3]] / 4, rel=0.2)
    assert kept.errors[0] == pytest.approx(fit.errors[0] / fit.scale)


def test_weights_can_be_found_from_nothing() -> None:
    fit = Fitter(*made_up(), [0.0] * 4).fit()
    assert fit.scale == 1 and fit.scaled == fit.before
    assert np.abs((fit.weights - TRUE) / fit.errors).max() < 4


def test_results_by_chance_teach_little() -> None:
    counted, data = made_up()
    guessed = np.random.default_rng(3).integers(0, 2, GAMES).astype(np.float32)
    data = replace(data, results=np.repeat(guessed, 4))
    fit = Fitter(counted, data, TRUE.tolist()).fit()
    assert fit.after.mean == pytest.approx(np.log(2), abs=0.01)


def test_draws_count_half() -> None:
    counted, data = made_up()
    drawn = replace(data, results=np.full(len(data), 0.5, np.float32))
    fit = Fitter(counted, drawn, TRUE.tolist()).fit()
    assert np.abs(fit.weights * [2, 5, 1, 0.5]).max() < 10
    assert fit.after.mean == pytest.approx(np.log(2), abs=0.001)


def test_what_is_besides_the_terms_is_taken_off() -> None:
    counted, data = made_up()
    rest = counted.counts[:, 3] * np.float32(TRUE[3])
    values = counted.counts.copy()
    values[:, 3] = 0
    fit = Fitter(Counted(values, rest), data, [20.0, -20.0, 5.0, 33.0]).fit()
    assert fit.weights[3] == 33 and np.isnan(fit.errors[3])
    assert (np.abs(fit.weights - TRUE)[:3] < 4 * fit.errors[:3]).all()


def test_signs_stay_where_that_is_wished() -> None:
    free = Fitter(*made_up(), [20.0, 20.0, 0.0, 60.0]).fit()
    bound = Fitter(*made_up(), [20.0, 20.0, 0.0, 60.0], keep_signs=True).fit()
    assert free.weights[1] < 0
    assert bound.weights[1] == 0 and bound.weights[0] > 0


def test_terms_that_hardly_occur_keep_their_weights() -> None:
    counted, data = made_up()
    values = counted.counts.copy()
    values[36:, 2] = 0  # nine games of four data
    fit = Fitter(Counted(values, counted.rest), data, [20.0, -20.0, 77.0, 60.0]).fit()
    assert fit.weights[2] == 77 and np.isnan(fit.errors[2])


def test_few_games_teach_nothing() -> None:
    with pytest.raises(TrineError, match="49 games are too few"):
        Fitter(*made_up(49), TRUE.tolist())


def test_scores_teach_where_results_are_mere_chance() -> None:
    counted, data = made_up(200)
    scores = (counted.counts @ TRUE).astype(np.float32)
    drawn = np.random.default_rng(3).integers(0, 2, len(data)).astype(np.float32)
    scored = replace(data, results=drawn, scores=scores)
    fit = Fitter(counted, scored, [20.0, -20.0, 5.0, 60.0], share_of_results=0, prior=1000).fit()
    assert fit.prior == 1000
    assert np.allclose(fit.weights, TRUE, atol=1)
    blind = Fitter(counted, scored, [20.0, -20.0, 5.0, 60.0], share_of_results=1, prior=1000).fit()
    assert abs(blind.weights[3]) < TRUE[3] / 2
    proven = replace(scored, scores=np.where(scores > 0, 29_990, -29_990).astype(np.float32))
    assert Fitter(counted, proven, [1.0] * 4, share_of_results=0, prior=30).fit().weights[0] > 1
