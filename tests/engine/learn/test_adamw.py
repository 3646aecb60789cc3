"""What a room asks of a net's weights: shared ones, the opposite for the other player, stages."""

from dataclasses import replace

import numpy as np
import pytest

from trine.engine.learn.network.examples import Examples
from trine.engine.learn.network.training import (
    AdamW,
    TrainingSettings,
    bound_of_inputs,
    random_weights,
    train,
)
from trine.engine.search.kernel.net import HIDDEN, ONE_IN
from trine.engine.search.nets import fit_for_search
from trine.engine.selfplay.kernel.net_examples import EXAMPLE_DTYPE
from trine.games import open_heuristics

ARIMAA = open_heuristics("arimaa").net
assert ARIMAA is not None
TERMS = len(open_heuristics("arimaa").terms)
QUICK = TrainingSettings(epochs=3, batch_size=64, learning_rate=0.01)


def positions(number: int = 3000, seed: int = 0) -> Examples:
    """Positions whose result only the stage of the turn tells."""
    assert ARIMAA is not None
    rng = np.random.default_rng(seed)
    bits = np.zeros((number, len(ARIMAA.mirrored)), np.uint8)
    bits[:] = rng.random(bits.shape) < 0.02
    seen = np.zeros(number, EXAMPLE_DTYPE)
    seen["key"], seen["game"] = np.arange(number), rng.integers(0, 200, number)
    seen["mover"], seen["stage"] = rng.integers(0, 2, number), rng.integers(0, 4, number)
    won = rng.random(number) < 0.3 + 0.1 * seen["stage"]
    active = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    counts = np.zeros((number, TERMS), np.float32)
    return Examples(np.ascontiguousarray(active), seen, counts, won.astype(np.float32))


def test_what_a_stage_has_in_common_is_not_learned() -> None:
    trained = train("arimaa", positions(), replace(QUICK, learning_rate=0.0001))
    expected = [400 * np.log10(chance / (1 - chance)) for chance in (0.3, 0.4, 0.5, 0.6)]
    assert trained.stages == pytest.approx(expected, abs=35)
    assert trained.before < 0.68, "the stages were added"
    assert trained.after == pytest.approx(trained.before, abs=0.01)


def test_a_net_that_sees_terms_learns_on_in_their_units() -> None:
    some = positions()
    terms = np.random.default_rng(1).integers(-9, 9, some.counts.shape).astype(np.float32)
    wins = (terms[:, 3] > 0).astype(np.float32)  # told by a term alone
    first = train("arimaa", replace(some, counts=terms, results=wins), QUICK)
    assert first.after < first.before / 2
    few = replace(some, counts=terms / np.float32(3), results=wins)
    careful = replace(QUICK, learning_rate=1e-6, epochs=1, output_scale=0.5)
    scaled = replace(first.net, term_scales=first.net.term_scales * 3)
    on = train("arimaa", few, careful, first=scaled)
    assert on.after == pytest.approx(first.after, abs=0.03)
    assert on.net.term_scales == pytest.approx(scaled.term_scales)


def test_a_net_learns_on_with_a_term_that_is_new_to_it() -> None:
    some = positions()
    terms = np.random.default_rng(1).integers(-9, 9, some.counts.shape).astype(np.float32)
    first = train("arimaa", replace(some, counts=terms), QUICK).net
    before = first.seeing([name for name in first.term_names if name != "material"])
    told = replace(some, counts=terms, results=(terms[:, 0] > 0).astype(np.float32))
    on = train("arimaa", told, QUICK, first=before)
    assert first.term_names[0] == "material" and on.net.term_names == first.term_names
    assert on.after < on.before / 2, "told by the new term alone"
    assert on.net.term_scales[1:] == pytest.approx(before.term_scales)


def test_a_net_says_the_opposite_for_the_other_player() -> None:
    assert ARIMAA is not None
    net = train("arimaa", positions(), QUICK).net
    assert (
        net.output_weights[:, :HIDDEN] == -net.output_weights[:, HIDDEN:]
    ).all() and net.output_weights.any()
    assert not net.output_bias.any()
    seated = fit_for_search(replace(net, card={"inputs": ARIMAA.name}), ARIMAA)
    chosen = np.array([3, 70, 500], np.intp)
    said = [
        seated.points(chosen, np.ones(TERMS, np.float32) * sign, mover, 0)
        for mover, sign in ((0, 1), (1, -1))
    ]
    assert said[0] == -said[1] != 0


def test_a_quieter_net_says_a_share() -> None:
    loud, quiet = (
        train("arimaa", positions(), replace(QUICK, output_scale=part)).net for part in (1.0, 0.5)
    )
    assert (loud.input_weights == quiet.input_weights).all()
    assert quiet.output_weights == pytest.approx(loud.output_weights / 2, abs=1)
    assert (
        quiet.margins[loud.margins < 20_000] <= loud.margins[loud.margins < 20_000] // 2 + 2
    ).all()


def test_inputs_learn_for_others_of_their_group() -> None:
    assert ARIMAA is not None and ARIMAA.factorizer is not None
    rng = np.random.default_rng(1)
    optimizer = AdamW(ARIMAA, random_weights(ARIMAA, 0, rng), 0.01, 0.0, 10)
    before = optimizer.net.input_weights.copy()
    blocks, kinds = ARIMAA.factorizer
    for _ in range(3):
        optimizer.gradient.input_weights[10] = 1.0
        optimizer.step()
    assert not optimizer.gradient.input_weights.any()
    moved = (before - optimizer.net.input_weights).mean(1)
    of_block = (blocks == blocks[10]) & (np.arange(len(blocks)) != 10)
    of_kind = (kinds == kinds[10]) & (blocks != blocks[10])
    assert of_block.sum() == 3 and of_kind.sum() == 60
    assert moved[10] > 1.4 * moved[of_block].min() > 1.9 * moved[of_kind].max() > 0
    assert moved[kinds != kinds[10]] == pytest.approx(0, abs=1e-6)


def test_sums_of_shared_weights_keep_their_bound() -> None:
    assert ARIMAA is not None
    optimizer, bound = (
        AdamW(ARIMAA, random_weights(ARIMAA, 0, np.random.default_rng(1)), 5.0, 0.0, 10),
        bound_of_inputs(ARIMAA),
    )
    for _ in range(5):
        optimizer.gradient.input_weights[10] = -1.0
        optimizer.step()
    assert optimizer.net.input_weights[10].max() == pytest.approx(bound)
    assert (bound * ONE_IN + 1) * (ARIMAA.max_active + 1) <= 32767


def test_groups_of_arimaa_are_alike_on_both_sides() -> None:
    """The second player sees an input's image in its place, and the image's groups are images."""
    assert ARIMAA is not None and ARIMAA.factorizer is not None
    for way in ARIMAA.factorizer:
        images: dict[int, int] = {}
        for place, group in enumerate(way):
            if group >= 0:
                image = way[ARIMAA.mirrored[place]]
                assert images.setdefault(int(group), int(image)) == image
        assert len(set(images.values())) == len(images)


def test_a_net_learns_what_a_term_says_beside_an_input() -> None:
    """Who is ahead by a term wins where an input is set, and loses elsewhere."""
    base = positions(6000)
    rng = np.random.default_rng(2)
    ahead, is_set = rng.normal(0, 5, len(base)), rng.random(len(base)) < 0.5
    counts, active = np.zeros_like(base.counts), base.active.copy()
    counts[:, 7] = ahead
    active[:, 0] = np.where(is_set, active[:, 0] | np.uint64(8), active[:, 0] & ~np.uint64(8))
    won = ((ahead > 0) == is_set).astype(np.float32)
    told = replace(base, counts=counts, active=active, results=won)
    trained = train("arimaa", told, replace(QUICK, epochs=8))
    assert trained.before > 0.68 and trained.after < 0.4
    assert trained.after == pytest.approx(trained.epochs[-1].held_out, abs=0.01), "rounded"
    blind = train("arimaa", replace(told, counts=counts[:, :0]), replace(QUICK, epochs=8))
    assert blind.after > 0.6
    assert trained.net.term_weights.any() and not blind.net.term_weights.size
