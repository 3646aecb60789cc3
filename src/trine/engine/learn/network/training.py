"""Training a small net on positions of games: in real numbers, then rounded for the search.

Guarantee: the same positions, settings and seed give the same net, on machines whose processors
have the same instructions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.engine.learn.kernel.training import Batch, Weights, learn, loss_of
from trine.engine.learn.logistic import POINTS
from trine.engine.learn.network.adamw import AdamW, random_weights
from trine.engine.learn.network.batches import (
    batch_of,
    mean_output,
    new_scratch,
    shape_of,
    shaped,
    units_of,
)
from trine.engine.learn.network.examples import Examples
from trine.engine.learn.network.rounding import (
    in_real_numbers,
    margins_of,
    rounded,
    scaled,
    units_of_net,
)
from trine.engine.search.nets import NetFile
from trine.games import open_heuristics

HELD_OUT: Final = 0.1
"""The share of the openings whose positions judge the net and are not learned from. Guess."""
TRUST: Final = 0.75
"""The share of what teachers say in the targets, if there are any. Guess."""
FEWEST: Final = 1000
"""Units: positions; fewer teach nothing."""


@dataclass(frozen=True)
class Settings:
    """The settings of a training."""

    epochs: int = 20
    """The number of times that each position is learned from."""
    batch: int = 1024
    """Units: positions; of one step."""
    rate: float = 0.002
    """The size of a step at the beginning; it falls to 0 along a cosine."""
    decay: float = 0.01
    """The share of a weight that it loses, for each unit of the rates of all steps."""
    patience: int = 5
    """Units: epochs; after so many without a better loss the training ends."""
    teachers: int = 0
    """The number of nets that learn before, each from other random weights. The net learns from the
    mean of what they say, which is truer than each: nets that learn from few positions differ."""
    seed: int = 0
    output_scale: float = 1.0
    """The factor of the output when the net has learned."""


@dataclass(frozen=True)
class Epoch:
    """The losses of an epoch of training. Units: nats a position."""

    number: int
    learned: float
    """The loss of the positions that are learned from, as the net was when it met them."""
    held_out: float
    """The loss of those held out."""


@dataclass(frozen=True)
class Trained:
    """A net, and how its training went."""

    net: NetFile
    before: float
    """The loss of the held-out positions by the terms alone."""
    after: float
    """The same with the net, rounded as it is."""
    epochs: tuple[Epoch, ...]
    positions: int
    held_out: int
    seconds: float
    slopes: tuple[float, ...] = ()
    """By bucket, the factor by which the terms alone tell chances best."""
    stages: tuple[float, ...] = ()
    """Units: points; what was added to the terms of each stage of a turn."""

    def as_data(self) -> dict[str, Any]:
        """Return all but the net, as JSON knows it."""
        return {
            "before": self.before,
            "after": self.after,
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "positions": self.positions,
            "held_out": self.held_out,
            "seconds": self.seconds,
            "slopes": [round(slope, 3) for slope in self.slopes],
            "stages": [round(points, 1) for points in self.stages],
        }


def train(
    game: str,
    examples: Examples,
    settings: Settings,
    told: Callable[[Epoch], object] = lambda epoch: None,
    first: NetFile | None = None,
) -> Trained:
    """Train a net on examples of a game, after its teachers.

    Args: ``told`` hears of all epochs, those of teachers included; ``first``, a net of the game
        that all learn on from, instead of from random weights.

    Raises:
        TrineError: there are too few positions.
    """
    began, inputs = time.monotonic(), open_heuristics(game).net
    assert inputs is not None
    if len(examples) < FEWEST:
        raise TrineError(
            text(
                "{count} positions are too few to learn from; take {least} at least",
                count=len(examples),
                least=FEWEST,
            )
        )
    rng = np.random.default_rng(settings.seed)
    judging = rng.random(int(examples.seen["game"].max()) + 1) < HELD_OUT
    held = judging[examples.seen["game"]]
    inside, outside = np.flatnonzero(~held), np.flatnonzero(held)
    if not len(outside):  # of very few openings
        inside, outside = inside[: -len(inside) // 10], inside[-len(inside) // 10 :]
    units = units_of_net(first) if first else units_of(examples.counts)
    plain = batch_of(inputs, examples, units)
    slopes, stages = shape = shape_of(plain, examples.seen["stage"], inside)
    batch = shaped(plain, examples.seen["stage"], shape)
    # Beside terms that are worth less than they say, what a net says must be as much larger.
    worth = float(slopes[batch.buckets].mean())
    scale = settings.output_scale / worth
    known = scaled(in_real_numbers(first), 1 / scale) if first else None
    steps = settings.epochs * -(-len(inside) // settings.batch)

    def learned(sets: _Sets) -> tuple[Weights, list[Epoch]]:
        net = _copied(known) if known else random_weights(inputs, batch.counts.shape[1], rng)
        optimizer = AdamW(inputs, net, settings.rate, settings.decay, steps)
        return _learned(optimizer, settings, sets, rng, told)

    sets = _Sets(batch, batch, inside, outside)
    if settings.teachers:
        sets = _taught(sets, [learned(sets)[0] for _ in range(settings.teachers)])
    best, history = learned(sets)
    before = loss_of(best, batch, new_scratch(), outside, 0.0)
    final = scaled(best, scale)
    net = rounded(final, margins_of(final, batch, outside), units)
    after = loss_of(in_real_numbers(net), batch, new_scratch(), outside, worth)
    seconds, counts = time.monotonic() - began, (len(inside), len(outside))
    told_of = tuple(map(float, slopes)), tuple(float(one / worth * POINTS) for one in stages)
    return Trained(net, before, after, tuple(history), *counts, seconds, *told_of)


class _Sets(NamedTuple):
    """Positions to learn from, and others to judge by."""

    taught: Batch
    """With the targets to be learned."""
    judged: Batch
    """The same with those that judge."""
    inside: NDArray[np.int64]
    """The numbers of the positions that are learned from."""
    outside: NDArray[np.int64]
    """The numbers of the positions that judge."""


def _taught(sets: _Sets, teachers: Sequence[Weights]) -> _Sets:
    """Return what is learned from the mean of what teachers say, and partly from the facts."""
    batch = sets.judged
    chances = 1 / (1 + np.exp(-(mean_output(teachers, batch) + batch.terms)))
    targets = (TRUST * chances + (1 - TRUST) * batch.targets).astype(np.float32)
    return sets._replace(taught=batch._replace(targets=targets))


def _learned(
    optimizer: AdamW,
    settings: Settings,
    sets: _Sets,
    rng: np.random.Generator,
    told: Callable[[Epoch], object],
) -> tuple[Weights, list[Epoch]]:
    """Return the net with the best loss of a training, and the epochs."""
    net = optimizer.net
    losses = [loss_of(net, sets.judged, new_scratch(), sets.outside, 1.0)]
    best, history = _copied(net), list[Epoch]()
    for number in range(1, settings.epochs + 1):
        learned = _learn_once(optimizer, settings.batch, sets, rng)
        held_out = loss_of(net, sets.judged, new_scratch(), sets.outside, 1.0)
        epoch = Epoch(number, learned, held_out)
        history.append(epoch)
        told(epoch)
        if held_out < min(losses):
            best = _copied(net)
        losses.append(held_out)
        if number - int(np.argmin(losses)) >= settings.patience:
            break
    return best, history


def _learn_once(optimizer: AdamW, size: int, sets: _Sets, rng: np.random.Generator) -> float:
    """Learn from each sample once, in random order; return their mean loss."""
    order, batch, total = rng.permutation(sets.inside), sets.taught, 0.0
    symmetries = rng.integers(0, len(batch.mirrored), len(order))
    net, gradient, scratch = optimizer.net, optimizer.gradient, new_scratch()
    for begin in range(0, len(order), size):
        part = order[begin : begin + size]
        mirrored = symmetries[begin : begin + size]
        total += learn(net, gradient, batch, scratch, part, mirrored) * len(part)
        optimizer.step()
    return total / len(order)


def _copied(net: Weights) -> Weights:
    return Weights(*(part.copy() for part in net))
