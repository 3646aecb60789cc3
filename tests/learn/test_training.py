"""Training nets: the gradient is that of the loss, a rule is found, and chance comes from the seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from net_positions import INPUTS, QUICK, made_up
from trine.core.contract.score import DRAW
from trine.core.errors import TrineError
from trine.games import new_play, open_heuristics, open_kernel
from trine.learn.dataset import Dataset
from trine.learn.kernel.training import Batch, Scratch, Weights, learn, loss_of
from trine.learn.network.examples import Examples, examples_of, examples_of_games
from trine.learn.network.training import train
from trine.learn.sources.games import GameBatch
from trine.search.kernel.net import HIDDEN, LANES
from trine.search.nets import fit_for_search
from trine.selfplay.game import SelfPlay
from trine.selfplay.settings import PlayerSettings


def test_the_gradient_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(3)
    floats = np.float32

    def some(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return (0.3 * rng.standard_normal(shape)).astype(floats)

    net = Weights(some(128, HIDDEN), some(HIDDEN) + floats(0.5), some(2, LANES), some(2))
    mirrored = np.array([[np.arange(128), np.roll(np.arange(128), 64)]], np.int32)
    batch = Batch(
        rng.integers(0, 2**63, (20, 2)).astype(np.uint64)
        & rng.integers(0, 2**63, (20, 2)).astype(np.uint64)
        & rng.integers(0, 2**63, (20, 2)).astype(np.uint64),
        rng.integers(0, 2, 20).astype(np.uint8),
        rng.integers(0, 2, 20).astype(np.uint8),
        some(20),
        rng.random(20).astype(floats),
        mirrored,
    )
    scratch = Scratch(np.zeros(LANES, floats), np.zeros(LANES, floats))
    gradient = Weights(*(np.zeros_like(part) for part in net))
    order, none = np.arange(20), np.zeros(20, np.int64)
    before = learn(net, gradient, batch, scratch, order, none)
    assert before == pytest.approx(loss_of(net, batch, scratch, order, 1.0))
    for weights, one in zip(net, gradient, strict=True):
        flat, flat_gradient = weights.reshape(-1), one.reshape(-1)
        # Where a sum leaves its bounds the slope jumps; the steepest are the surest.
        for place in np.argsort(-np.abs(flat_gradient))[:6]:
            kept, found = flat[place], []
            for change in (-1e-3, 1e-3):
                flat[place] = kept + floats(change)
                found.append(loss_of(net, batch, scratch, order, 1.0))
            flat[place] = kept
            assert (found[1] - found[0]) / 2e-3 == pytest.approx(flat_gradient[place], rel=0.1)


def test_a_rule_is_found_and_the_seed_decides() -> None:
    positions, told = made_up(6000), list[int]()
    trained = train("tzaar", positions, QUICK, lambda epoch: told.append(epoch.number))
    assert trained.before == pytest.approx(np.log(2)) and trained.after < 0.1
    assert told == [1, 2, 3] and 300 < trained.held_out < 900
    assert trained.after == pytest.approx(trained.epochs[-1].held_out, abs=0.01), "rounded"
    again = train("tzaar", positions, QUICK)
    other = train("tzaar", positions, replace(QUICK, seed=1))
    assert again.net.hash == trained.net.hash != other.net.hash
    fit_for_search(replace(trained.net, card={"inputs": INPUTS.name}), INPUTS)


def test_a_net_learns_from_teachers_what_they_agree_on() -> None:
    positions, told = made_up(3000), list[int]()
    noise = np.random.default_rng(4).random(len(positions)) < 0.25
    noisy = replace(positions, results=np.where(noise, 1 - positions.results, positions.results))
    quick = replace(QUICK, epochs=4)
    alone = train("tzaar", noisy, quick)
    taught = train("tzaar", noisy, replace(quick, teachers=3), lambda e: told.append(e.number))
    assert told == [1, 2, 3, 4] * 4 and len(taught.epochs) == 4
    assert taught.before == alone.before and taught.held_out == alone.held_out
    last = [one.epochs[-1].held_out for one in (taught, alone)]
    assert last[0] < last[1] - 0.02, "it has learned less by heart"


def test_few_positions_are_refused() -> None:
    with pytest.raises(TrineError, match="999 positions are too few"):
        train("tzaar", made_up(999), QUICK)


def test_positions_are_those_of_the_games() -> None:
    kernel, heuristics, play = open_kernel("tzaar"), open_heuristics("tzaar"), new_play("tzaar")
    played = SelfPlay(play, hash_mb=[0.25]).play(
        play, (PlayerSettings(nodes=20), PlayerSettings(nodes=20))
    )
    start = np.zeros((1, kernel.words(play.position)), np.uint64)
    kernel.to_row(play.position, start[0])
    results = np.array([played.result], np.int8)
    lengths = np.array([len(played.moves)])
    batch = GameBatch(np.zeros(1, np.int64), start, lengths, results, played.moves)
    positions = examples_of_games("tzaar", [batch, batch])
    found = {int(one["key"]): index for index, one in enumerate(positions.seen)}
    assert len(found) == len(positions) > 20, "each once"
    features, met = np.zeros(len(heuristics.terms), np.float32), 0
    for move in played.moves:
        row = np.zeros(kernel.words(play.position), np.uint64)
        kernel.to_row(play.position, row)
        index = found.get(int(kernel.key(row)))
        if index is None:
            assert heuristics.detect_win(row)
        else:
            met, one = met + 1, positions.seen[index]
            points = heuristics.evaluate(row, play.mover, heuristics.weights, features)
            assert (one["score"], one["terms"], one["mover"]) == (move["score"], points, play.mover)
            assert positions.results[index] == (played.result == play.mover)
            words = np.zeros(len(positions.active[index]), np.uint64)
            INPUTS.write(row, words)
            assert (words == positions.active[index]).all()
        play.act_unchecked(kernel.action_of(play.position, int(move["action"])))
    assert met == len(positions) and played.result != DRAW
    assert positions.targets(1.0) == pytest.approx(positions.results)


def test_positions_with_scores_are_seen_as_those_of_games_are() -> None:
    kernel, play = open_kernel("tzaar"), new_play("tzaar")
    played = SelfPlay(play, hash_mb=[0.25]).play(
        play, (PlayerSettings(nodes=20), PlayerSettings(nodes=20))
    )
    start = np.zeros((1, kernel.words(play.position)), np.uint64)
    kernel.to_row(play.position, start[0])
    rows, scores = [], []
    results, lengths = np.array([played.result], np.int8), np.array([len(played.moves)])
    games = GameBatch(np.zeros(1, np.int64), start, lengths, results, played.moves)
    for move in played.moves:
        row = np.zeros(kernel.words(play.position), np.uint64)
        kernel.to_row(play.position, row)
        rows.append(row)
        scores.append(move["score"])
        play.act_unchecked(kernel.action_of(play.position, int(move["action"])))
    kernel.to_row(play.position, over := np.zeros(len(rows[0]), np.uint64))
    labels = Dataset.of(
        np.array([*rows, over]), np.arange(len(rows) + 1), scores=np.array([*scores, 0])
    )
    of_games, of_labels = examples_of_games("tzaar", [games]), examples_of("tzaar", [labels] * 2)
    assert (of_games.active == of_labels.active).all()
    for name in ("key", "terms", "score", "mover", "bucket", "stage"):
        assert (of_games.seen[name] == of_labels.seen[name]).all(), name
    assert np.isnan(of_labels.results).all(), "and the score is all there is to learn"
    assert of_labels.targets(1.0) == pytest.approx(of_games.targets(0.0))
    both = Examples.joined([of_games, of_labels])
    assert len(both) == len(of_games), "each once"
