"""Training a small net, compiled: the gradient of the loss over samples, and steps of AdamW.

The net is that of `trine.engine.search.kernel.net` in floating point: two perspectives by the same
weights, one hidden layer clipped to 0 … 1. Its output is added to the log odds by the terms of the
evaluation; the loss is the cross-entropy of the resulting chance with the target.

Source: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization" (2017).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.compiled.bits import ONE, lowest
from trine.core.compiled.jit import kernel

Floats = NDArray[np.float32]

MIN_CHANCE: Final = 1e-7
"""Chances are clipped to this distance from 0 and 1, so that losses are finite."""


class Weights(NamedTuple):
    """The weights of a net, or one number for each weight."""

    input_weights: Floats
    """Shapes: input, hidden."""
    hidden_bias: Floats
    """Shapes: hidden."""
    output_weights: Floats
    """Shapes: bucket, 2 · hidden: the mover's perspective, then the other."""
    output_bias: Floats
    """Shapes: bucket."""
    term_weights: Floats
    """Shapes: term, term unit; empty if the net takes no terms. The term units are the first hidden
    units."""


class TrainingBatch(NamedTuple):
    """Samples to train a net on."""

    active: NDArray[np.uint64]
    """Shapes: sample, word. The active inputs in the first player's perspective, as bits."""
    movers: NDArray[np.uint8]
    """Shapes: sample. The player to move."""
    buckets: NDArray[np.uint8]
    """Shapes: sample. The output bucket."""
    terms: Floats
    """Shapes: sample. Units: log odds of the player to move, by the terms."""
    targets: Floats
    """Shapes: sample. The target chance of the player to move."""
    counts: Floats
    """Shapes: sample, term. The terms for the player to move, if the net takes them."""
    mirrored: NDArray[np.int32]
    """Shapes: symmetry, player, input. An input in a player's perspective after a symmetry of the
    game; the first symmetry is the identity."""


class Scratch(NamedTuple):
    """Scratch memory for one sample. Shapes: 2 · hidden."""

    accumulator: Floats
    gradient: Floats


FLOATS: Final = types.Array(types.float32, 1, "C")
_F2: Final = types.Array(types.float32, 2, "C")
BYTES: Final = types.Array(types.uint8, 1, "C")
WEIGHTS: Final = types.NamedTuple((_F2, FLOATS, _F2, FLOATS, _F2), Weights)
BATCH: Final = types.NamedTuple(
    (
        types.Array(types.uint64, 2, "C"),
        BYTES,
        BYTES,
        FLOATS,
        FLOATS,
        _F2,
        types.Array(types.int32, 3, "C"),
    ),
    TrainingBatch,
)
SCRATCH: Final = types.NamedUniTuple(FLOATS, 2, Scratch)
ORDER: Final = types.Array(types.int64, 1, "C")


@kernel(types.float32(WEIGHTS, BATCH, SCRATCH, types.int64, types.int64), fastmath=True)
def forward(
    net: Weights, batch: TrainingBatch, scratch: Scratch, sample: int, symmetry: int
) -> float:
    """Return the output of a net for a sample; the net's accumulator stays in the scratch."""
    hidden = net.input_weights.shape[1]
    accumulator, mover = scratch.accumulator, np.int64(batch.movers[sample])
    own, other = batch.mirrored[symmetry, mover], batch.mirrored[symmetry, 1 - mover]
    for lane in range(hidden):
        accumulator[lane] = net.hidden_bias[lane]
        accumulator[hidden + lane] = net.hidden_bias[lane]
    for term in range(net.term_weights.shape[0]):
        times, of_term = batch.counts[sample, term], net.term_weights[term]
        if times != 0:
            for lane in range(len(of_term)):
                accumulator[lane] += times * of_term[lane]
                accumulator[hidden + lane] -= times * of_term[lane]
    for word in range(batch.active.shape[1]):
        bits = batch.active[sample, word]
        while bits:
            place = (word << 6) + lowest(bits)
            bits &= bits - ONE
            near, far = net.input_weights[own[place]], net.input_weights[other[place]]
            for lane in range(hidden):
                accumulator[lane] += near[lane]
                accumulator[hidden + lane] += far[lane]
    weights = net.output_weights[batch.buckets[sample]]
    total = net.output_bias[batch.buckets[sample]]
    for lane in range(2 * hidden):
        total += weights[lane] * min(max(accumulator[lane], np.float32(0)), np.float32(1))
    return total  # type: ignore[no-any-return]


@kernel(
    types.void(WEIGHTS, WEIGHTS, BATCH, SCRATCH, types.int64, types.int64, types.float32),
    fastmath=True,
)
def backward(
    net: Weights,
    gradient: Weights,
    batch: TrainingBatch,
    scratch: Scratch,
    sample: int,
    symmetry: int,
    derivative: np.float32,
) -> None:
    """Add the gradient of the weights, from the derivative of the output; call after `forward`."""
    hidden = net.input_weights.shape[1]
    bucket, mover = batch.buckets[sample], np.int64(batch.movers[sample])
    weights, accumulator, back = net.output_weights[bucket], scratch.accumulator, scratch.gradient
    gradient.output_bias[bucket] += derivative
    of_last = gradient.output_weights[bucket]
    for lane in range(2 * hidden):
        value = accumulator[lane]
        of_last[lane] += derivative * min(max(value, np.float32(0)), np.float32(1))
        inside = np.float32(value > 0) * np.float32(value < 1)
        back[lane] = derivative * weights[lane] * inside
    for lane in range(hidden):
        gradient.hidden_bias[lane] += back[lane] + back[hidden + lane]
    for term in range(net.term_weights.shape[0]):
        times, of_term = batch.counts[sample, term], gradient.term_weights[term]
        if times != 0:
            for lane in range(len(of_term)):
                of_term[lane] += times * (back[lane] - back[hidden + lane])
    own, other = batch.mirrored[symmetry, mover], batch.mirrored[symmetry, 1 - mover]
    for word in range(batch.active.shape[1]):
        bits = batch.active[sample, word]
        while bits:
            place = (word << 6) + lowest(bits)
            bits &= bits - ONE
            near, far = gradient.input_weights[own[place]], gradient.input_weights[other[place]]
            for lane in range(hidden):
                near[lane] += back[lane]
            for lane in range(hidden):
                far[lane] += back[hidden + lane]


@kernel(types.float64(types.float64, types.float64), forceinline=True)
def cross_entropy(chance: float, target: float) -> float:
    """Return the loss of a chance. Units: nats."""
    chance = min(max(chance, MIN_CHANCE), 1 - MIN_CHANCE)
    return -(target * math.log(chance) + (1 - target) * math.log(1 - chance))


@kernel(types.float64(WEIGHTS, WEIGHTS, BATCH, SCRATCH, ORDER, ORDER))
def learn(
    net: Weights,
    gradient: Weights,
    batch: TrainingBatch,
    scratch: Scratch,
    order: NDArray[np.int64],
    symmetries: NDArray[np.int64],
) -> float:
    """Add the mean gradient of samples, each in a symmetry; return their mean loss."""
    total, share = 0.0, np.float32(1 / len(order))
    for index in range(len(order)):
        sample, symmetry = order[index], symmetries[index]
        output = np.float64(forward(net, batch, scratch, sample, symmetry))
        chance = 1 / (1 + math.exp(-(output + batch.terms[sample])))
        target = np.float64(batch.targets[sample])
        total += cross_entropy(chance, target)
        derivative = np.float32(chance - target) * share
        backward(net, gradient, batch, scratch, sample, symmetry, derivative)
    return total / len(order)


@kernel(types.float64(WEIGHTS, BATCH, SCRATCH, ORDER, types.float64))
def loss_of(
    net: Weights, batch: TrainingBatch, scratch: Scratch, order: NDArray[np.int64], part: float
) -> float:
    """Return the mean loss of samples; ``part`` times the net's output is added to the terms."""
    total = 0.0
    for sample in order:
        output = part * np.float64(forward(net, batch, scratch, sample, 0))
        chance = 1 / (1 + math.exp(-(output + batch.terms[sample])))
        total += cross_entropy(chance, np.float64(batch.targets[sample]))
    return total / len(order)


@kernel(types.void(WEIGHTS, BATCH, SCRATCH, FLOATS))
def add_outputs(net: Weights, batch: TrainingBatch, scratch: Scratch, outputs: Floats) -> None:
    """Add the output of a net for each sample, averaged over the symmetries of the game."""
    symmetries = batch.mirrored.shape[0]
    for sample in range(len(outputs)):
        for symmetry in range(symmetries):
            outputs[sample] += forward(net, batch, scratch, sample, symmetry) / symmetries


@kernel(
    types.void(
        FLOATS, FLOATS, FLOATS, FLOATS, types.float32, types.float32, types.float32, types.int64
    ),
    fastmath=True,
)
def adamw_step(
    weights: Floats,
    gradient: Floats,
    means: Floats,
    squares: Floats,
    learning_rate: float,
    weight_decay: float,
    bound: float,
    number: int,
) -> None:
    """Make a step of AdamW, numbered from 1, and zero the gradient; clip weights to ``bound``."""
    first, second = np.float32(0.9), np.float32(0.999)
    scale = np.float32(1 / (1 - 0.9**number))
    square_scale = np.float32(1 / (1 - 0.999**number))
    for place in range(len(weights)):
        derivative = gradient[place]
        gradient[place] = 0
        means[place] = first * means[place] + (1 - first) * derivative
        squares[place] = second * squares[place] + (1 - second) * derivative * derivative
        size = np.sqrt(squares[place] * square_scale) + np.float32(1e-8)
        value = weights[place] - learning_rate * (
            means[place] * scale / size + weight_decay * weights[place]
        )
        weights[place] = min(max(value, -bound), bound)
