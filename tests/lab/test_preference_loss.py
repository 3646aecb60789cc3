"""Preferences: are the weights found by which turns were chosen?"""

from __future__ import annotations

import numpy as np
import pytest

from fitting.linear import Fitter, Imitation
from fitting.preferences import PreferenceLoss, Preferences
from fitting.terms import Counted
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.logistic import SLOPE

pytestmark = pytest.mark.nightly

TRUE = np.array([40.0, -15.0, 80.0])
SHARPNESS = 5.0
TURNS, OTHERS = 30, 9


def chosen(games: int, seed: int = 1) -> tuple[Preferences, Counted]:
    """Turns that are drawn by the true weights."""
    rng = np.random.default_rng(seed)
    turns = games * TURNS
    values = rng.normal(size=(turns, OTHERS + 1, len(TRUE))) * [2, 5, 0.5]
    liking = SLOPE * SHARPNESS * values @ TRUE + rng.gumbel(size=(turns, OTHERS + 1))
    for turn, best in enumerate(liking.argmax(1)):
        values[turn, [0, best]] = values[turn, [best, 0]]
    rows = turns * (OTHERS + 1)
    preferences = Preferences(
        np.zeros((rows, 1), np.uint64),
        np.full(turns, OTHERS + 1),
        np.zeros(turns, np.int64),
        np.repeat(np.arange(games), TURNS) * 3,  # numbers of games have gaps
    )
    return preferences, Counted(
        values.reshape(rows, -1).astype(np.float32), np.zeros(rows, np.float32)
    )


def results(games: int = 80) -> tuple[Counted, Dataset]:
    """Results that are drawn by the true weights, too few to tell them well."""
    rng = np.random.default_rng(2)
    values = (rng.normal(size=(games, len(TRUE))) * [2, 5, 0.5]).astype(np.float32)
    promise = 1 / (1 + np.exp(-SLOPE * values @ TRUE))
    data = Dataset.of(
        np.zeros((games, 1), np.uint64),
        np.arange(games),
        results=(rng.random(games) < promise).astype(np.float32),
    )
    return Counted(values, np.zeros(games, np.float32)), data


def test_turns_tell_the_weights_that_few_results_leave_open() -> None:
    present = [20.0, 0.0, 20.0]
    alone = Fitter(*results(), present).fit()
    fit = Fitter(*results(), present, imitation=Imitation(*chosen(40), 1.0)).fit()
    # Turns tell how the weights stand to each other, results how large they are.
    found, unaided = (one.weights / one.weights[0] for one in (fit, alone))
    wanted = TRUE / TRUE[0]
    assert np.abs(found / wanted - 1).max() < 0.25 < np.abs(unaided / wanted - 1).max()
    assert (np.abs(fit.weights - TRUE) < 4 * fit.errors).all()
    assert (fit.errors < alone.errors).all()
    told = fit.likeness
    assert told and alone.likeness is None
    assert (told.turns, told.games) == (8 * TURNS, 8)
    assert told.chance == pytest.approx(np.log(OTHERS + 1))
    assert told.after.mean < told.before.mean - 2 * told.before.error < told.chance


def test_weights_can_be_found_from_nothing() -> None:
    fit = Fitter(*results(300), [0.0] * 3, imitation=Imitation(*chosen(10), 1.0)).fit()
    assert fit.weights / fit.weights[0] == pytest.approx(TRUE / TRUE[0], rel=0.25)
    assert (np.abs(fit.weights - TRUE) < 4 * fit.errors).all()


def test_turns_of_no_weight_change_nothing() -> None:
    alone = Fitter(*results(), [20.0, 5.0, 20.0]).fit()
    fit = Fitter(*results(), [20.0, 5.0, 20.0], imitation=Imitation(*chosen(10), 0.0)).fit()
    assert fit.weights == pytest.approx(alone.weights, rel=1e-3)
    assert fit.errors == pytest.approx(alone.errors, rel=1e-3)


def test_the_gradient_is_that_of_the_loss() -> None:
    preferences, counted = chosen(10)
    terms = counted.counts.astype(np.float64)
    turns = PreferenceLoss.of(preferences, terms, np.arange(len(terms)) % 7 * np.float64(3))
    points, log, small = TRUE / 3, 0.4, 1e-4
    _, gradient, by_sharpness = turns.cost(points, log)
    bend = turns.bend(points, log)
    for term in range(len(TRUE)):
        step = np.eye(len(TRUE))[term] * small
        up, down = turns.cost(points + step, log), turns.cost(points - step, log)
        assert gradient[term] == pytest.approx((up[0] - down[0]) / (2 * small), rel=1e-4)
        assert bend[term, :-1] == pytest.approx((up[1] - down[1]) / (2 * small), rel=1e-4, abs=1e-9)
    higher, lower = (turns.losses(points, log + off).mean() for off in (small, -small))
    assert by_sharpness == pytest.approx((higher - lower) / (2 * small), rel=1e-4)
    by_game = turns.gradients(points, log)
    assert by_game.shape == (len(TRUE) + 1, 10)
    assert by_game.sum(1) == pytest.approx([*gradient, by_sharpness])


def test_a_part_has_the_turns_of_its_games() -> None:
    preferences, counted = chosen(10)
    terms = counted.counts.astype(np.float64)
    turns = PreferenceLoss.of(preferences, terms, np.zeros(len(terms)))
    some = turns.part(np.array([1, 4]))
    assert (len(some), some.games) == (2 * TURNS, 2)
    losses = turns.losses(TRUE, 0.0)
    assert some.losses(TRUE, 0.0) == pytest.approx(losses[np.isin(turns.game, [1, 4])])


def test_few_games_are_not_imitated() -> None:
    with pytest.raises(TrineError, match="turns of 9 games are too few"):
        Fitter(*results(), TRUE.tolist(), imitation=Imitation(*chosen(9), 0.1))
