"""Training nets: the gradient is that of the loss, a rule is found, and chance comes from the seed."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from net_positions import INPUTS, QUICK, made_up
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.kernel.training_step import Scratch, TrainingBatch, Weights, learn, loss_of
from trine.engine.learn.network.examples import Examples, examples_of
from trine.engine.learn.network.training import train
from trine.engine.search.kernel.net import HIDDEN, LANES, TERM_UNITS
from trine.engine.search.nets import fit_for_search
from trine.engine.selfplay.selfplay_plan import play_random_turn
from trine.games import new_play, open_heuristics, open_kernel


def test_the_gradient_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(3)
    floats = np.float32

    def some(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return (0.3 * rng.standard_normal(shape)).astype(floats)

    net = Weights(
        some(128, HIDDEN), some(HIDDEN) + floats(0.5), some(2, LANES), some(2), some(9, TERM_UNITS)
    )
    mirrored = np.array([[np.arange(128), np.roll(np.arange(128), 64)]], np.int32)
    batch = TrainingBatch(
        rng.integers(0, 2**63, (20, 2)).astype(np.uint64)
        & rng.integers(0, 2**63, (20, 2)).astype(np.uint64)
        & rng.integers(0, 2**63, (20, 2)).astype(np.uint64),
        rng.integers(0, 2, 20).astype(np.uint8),
        rng.integers(0, 2, 20).astype(np.uint8),
        some(20),
        rng.random(20).astype(floats),
        some(20, 9),
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
    assert trained.before == pytest.approx(np.log(2), abs=0.005) and trained.after < 0.1
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


def test_a_net_learns_on_from_another() -> None:
    first = train("tzaar", made_up(6000), QUICK)
    careful = replace(QUICK, learning_rate=1e-6, epochs=1)
    more = train("tzaar", made_up(6000, seed=1), careful, first=first.net)
    assert more.after == pytest.approx(first.after, abs=0.03), "what it knew holds elsewhere"
    spoilt = replace(QUICK, learning_rate=0.9, epochs=1)
    kept = train("tzaar", made_up(6000, seed=1), spoilt, first=first.net)
    assert kept.epochs[0].held_out > kept.after == pytest.approx(more.after, abs=0.01)


def test_few_positions_are_refused() -> None:
    with pytest.raises(TrineError, match="999 positions are too few"):
        train("tzaar", made_up(999), QUICK)


def test_positions_are_seen_as_searches_see_them() -> None:
    kernel, heuristics, play = open_kernel("tzaar"), open_heuristics("tzaar"), new_play("tzaar")
    rows, movers, rng = [], [], Random(6)
    while not play.outcome:
        rows.append(kernel.row_of(play.position))
        movers.append(play.mover)
        play_random_turn(play, rng)
    count = len(rows)
    results = np.arange(count) / count
    data = Dataset.of(np.array(rows), np.arange(count), results=results)
    seen = examples_of("tzaar", [data, data])
    found = {int(one["key"]): index for index, one in enumerate(seen.records)}
    assert len(found) == len(seen) > 5, "each once"
    counts = np.zeros(len(heuristics.terms), np.float32)
    for number, row in enumerate(rows):
        index = found.get(int(kernel.key(row)))
        if index is None:
            assert heuristics.detect_win(row)
            continue
        one, mover = seen.records[index], movers[number]
        points = heuristics.evaluate(row, mover, heuristics.weights, counts)
        assert (one["terms"], one["mover"]) == (points, mover)
        words = np.zeros(len(seen.active[index]), np.uint64)
        INPUTS.write_active(row, words)
        assert (words == seen.active[index]).all()
        assert seen.results[index] == pytest.approx(results[number])
    assert len(Examples.joined([seen, seen])) == len(seen), "each once"


def test_what_the_terms_are_worth_is_not_for_a_net() -> None:
    positions = made_up(6000)
    rng = np.random.default_rng(5)
    positions.records["terms"] = rng.integers(-600, 600, len(positions))
    chances = 1 / (1 + 10 ** (-positions.records["terms"] / 800))  # half of what they say
    doubted = replace(positions, results=chances.astype(np.float32))
    trained = train("tzaar", doubted, replace(QUICK, learning_rate=1e-5))
    assert trained.slopes == pytest.approx([0.5] * len(trained.slopes), abs=0.02)
    assert trained.after == pytest.approx(trained.before, abs=0.005)
