"""Turns of strong players that a net learns from: gradient, losses, and what it makes of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from net_positions import COUNT, INPUTS, QUICK, made_up
from trine.core.errors import TrineError
from trine.games import new_play
from trine.learn.kernel.choosing import Alternatives, learn_choices, loss_of_choices, write_chances
from trine.learn.kernel.training import Batch, Weights
from trine.learn.network.batches import new_scratch
from trine.learn.network.preferences import SeenPreferences
from trine.learn.network.training import train
from trine.learn.preferences import Preferences, RecordedTurns
from trine.search.kernel.net import HIDDEN, LANES
from trine.selfplay.kernel.replay import SEEN
from trine.selfplay.plan import Plan
from trine.selfplay.random_starts import play_random_turn

SIZE = 6


def liking(input_: int, games: int = 60, turns: int = 10, seed: int = 1) -> SeenPreferences:
    """Turns of players who like what one input tells of the player to move afterwards, to be set.

    That player is the other one, so they do not like it for themselves. The terms tell them a
    little, too.
    """
    rng = np.random.default_rng(seed)
    count = games * turns * SIZE
    bits = np.zeros((count, (COUNT + 63) // 64 * 64), np.uint8)
    bits[:, :COUNT] = rng.random((count, COUNT)) < 0.02
    players = rng.integers(0, 2, games * turns).astype(np.uint8)
    seen = np.zeros(count, SEEN)
    seen["mover"] = 1 - np.repeat(players, SIZE)
    places = np.where(seen["mover"] == 0, input_, INPUTS.mirrored[input_])
    bits[np.arange(count), places] = np.arange(count) % SIZE == 0
    points = rng.normal(60 * (np.arange(count) % SIZE == 0), 60)
    seen["terms"] = -np.rint(points)
    active = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    sizes, numbers = np.full(games * turns, SIZE), np.repeat(np.arange(games), turns)
    return SeenPreferences(np.ascontiguousarray(active), seen, sizes, players, numbers)


def test_the_gradient_is_that_of_the_loss() -> None:
    rng, floats = np.random.default_rng(3), np.float32

    def some(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return (0.3 * rng.standard_normal(shape)).astype(floats)

    net = Weights(some(128, HIDDEN), some(HIDDEN) + floats(0.5), some(2, LANES), some(2))
    bits = [rng.integers(0, 2**63, (20, 2)).astype(np.uint64) for _ in range(3)]
    targets = rng.random((4, 5))
    batch = Batch(
        bits[0] & bits[1] & bits[2],
        rng.integers(0, 2, 20).astype(np.uint8),
        rng.integers(0, 2, 20).astype(np.uint8),
        some(20),
        (targets / targets.sum(1, keepdims=True)).ravel().astype(floats),
        np.array([[np.arange(128), np.roll(np.arange(128), 64)]], np.int32),
    )
    choices = Alternatives(np.arange(0, 21, 5), np.array([0, 1, 1, 0], np.uint8), np.zeros(5))
    scratch, gradient = new_scratch(), Weights(*(np.zeros_like(part) for part in net))
    order, none = np.arange(4), np.zeros(4, np.int64)
    before = learn_choices(net, gradient, batch, scratch, choices, order, none, 1.5, 1.0)

    def loss() -> float:
        return float(loss_of_choices(net, batch, scratch, choices, order, 1.5, 1.0))

    assert before == pytest.approx(loss())
    for weights, one in zip(net[:3], gradient[:3], strict=True):
        flat, flat_gradient = weights.reshape(-1), one.reshape(-1)
        for place in np.argsort(-np.abs(flat_gradient))[:6]:
            kept, found = flat[place], []
            for change in (-1e-3, 1e-3):
                flat[place] = kept + floats(change)
                found.append(loss())
            flat[place] = kept
            assert (found[1] - found[0]) / 2e-3 == pytest.approx(flat_gradient[place], rel=0.1)
    chances = np.zeros(20, floats)
    write_chances(net, batch, scratch, choices, 1.5, chances)
    assert chances.reshape(4, 5).sum(1) == pytest.approx(np.ones(4))


def test_a_net_learns_what_strong_players_like() -> None:
    imitated, positions = liking(9), made_up(3000)
    settings = replace(QUICK, imitation=1.0)
    trained = train("tzaar", positions, settings, preferences=imitated)
    told = trained.likeness
    assert told and (told.turns, told.held_out) == (540, 60)
    assert 1 < told.before < np.log(SIZE) and told.after < 0.3
    assert trained.after < 0.2, "and what the positions tell, too"
    assert [epoch.turns is None for epoch in trained.epochs] == [False] * 3
    again = train("tzaar", positions, settings, preferences=imitated)
    alone = train("tzaar", positions, settings)
    assert again.net.hash == trained.net.hash != alone.net.hash and alone.likeness is None


def test_teachers_tell_what_they_make_of_turns() -> None:
    trained = train(
        "tzaar", made_up(1500), replace(QUICK, imitation=1.0, teachers=2), preferences=liking(9)
    )
    assert trained.likeness and trained.likeness.after < 0.7


def test_sharpness_is_that_of_the_terms() -> None:
    imitated = liking(9, games=400)
    rng, slope, sharp = np.random.default_rng(2), np.log(10) / 400, 5.0
    points = rng.normal(0, 60, (len(imitated), SIZE))
    noise = rng.gumbel(size=points.shape) / (slope * sharp)
    for turn, best in enumerate((points + noise).argmax(1)):
        points[turn, [0, best]] = points[turn, [best, 0]]
    imitated.seen["terms"] = -np.rint(points).ravel()  # the other player is to move
    inside, outside = imitated.divide(0)
    assert imitated.sharpness(inside) == pytest.approx(sharp, rel=0.1)
    assert not set(imitated.games[inside]) & set(imitated.games[outside])


def test_turns_of_few_games_are_refused() -> None:
    with pytest.raises(TrineError, match="turns of 6 games are too few"):
        train("tzaar", made_up(1500), QUICK, preferences=liking(9, games=6))
    none = SeenPreferences.of("tzaar", Preferences.none())
    with pytest.raises(TrineError, match="turns of 0 games are too few"):
        train("tzaar", made_up(1500), QUICK, preferences=none)


def test_choices_are_seen_as_positions_are() -> None:
    play, rng = new_play("tzaar"), Random(1)
    for _ in range(3):
        play_random_turn(play, rng)
    choices = RecordedTurns(Plan("tzaar", "official")).preferences_of(play, 7)
    imitated = SeenPreferences.of("tzaar", choices)
    assert len(imitated) == len(choices) and imitated.played.sum() == len(choices)
    assert imitated.firsts[-1] == len(choices.rows) and (imitated.games == 7).all()
    assert imitated.active.any(1).all()
