"""Training a small net, compiled: the gradient of the loss over samples, and steps of AdamW.

The net of `trine.engine.search.kernel.net`, in floating point: two perspectives by the same
weights, one hidden layer clipped to 0 … 1. Its output is added to the log odds by the terms of the
evaluation; the loss is the cross-entropy of the resulting chance with the target.

Source: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization" (2017).
"""

from __future__ import annotations

import math
from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Bytes, Counts, FloatRows, Floats, NumberRows, WordRows
from trine.core.compiled.bits import ONE, lowest
from trine.core.compiled.jit import kernel

MIN_CHANCE: Final = 1e-7
"""Chances are clipped to this distance from 0 and 1, so that losses are finite."""


class Weights(NamedTuple):
    """The weights of a net, or one number for each weight."""

    input_weights: FloatRows  # Shapes: input, hidden
    hidden_bias: Floats  # Shapes: hidden
    output_weights: FloatRows  # Shapes: bucket, 2 · hidden: the mover's perspective, then the other
    output_bias: Floats  # Shapes: bucket
    term_weights: FloatRows
    """Shapes: term, term unit; empty if the net takes no terms. The term units are the first hidden
    units."""


class TrainingBatch(NamedTuple):
    """Samples to train a net on."""

    active: WordRows
    """Shapes: sample, word. The active inputs in the first player's perspective, as bits."""
    movers: Bytes  # Shapes: sample. The player to move
    buckets: Bytes  # Shapes: sample. The output bucket
    terms: Floats  # Shapes: sample. Units: log odds of the player to move, by the terms
    targets: Floats  # Shapes: sample. The target chance of the player to move
    counts: FloatRows
    """Shapes: sample, term. The terms for the player to move, if the net takes them."""
    mirrored: Annotated[NDArray[np.int32], "int32[:, :, ::1]"]
    """Shapes: symmetry, player, input. An input in a player's perspective after a symmetry of the
    game; the first symmetry is the identity."""


class Scratch(NamedTuple):
    """Scratch memory for one sample. Shapes: 2 · hidden."""

    accumulator: Floats
    gradient: Floats


@kernel(fastmath=True)
def forward(
    net: Weights, batch: TrainingBatch, scratch: Scratch, sample: int, symmetry: int
) -> np.float32:
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


@kernel(fastmath=True)
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


@kernel(forceinline=True)
def cross_entropy(chance: float, target: float) -> float:
    """Return the loss of a chance. Units: nats."""
    chance = min(max(chance, MIN_CHANCE), 1 - MIN_CHANCE)
    return -(target * math.log(chance) + (1 - target) * math.log(1 - chance))


@kernel()
def learn(
    net: Weights,
    gradient: Weights,
    batch: TrainingBatch,
    scratch: Scratch,
    order: Counts,
    symmetries: Counts,
) -> float:
    """Add the samples' mean gradient to ``gradient``; return their mean loss."""
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


@kernel()
def loss_of(
    net: Weights, batch: TrainingBatch, scratch: Scratch, order: Counts, part: float
) -> float:
    """Return the mean loss of samples; ``part`` times the net's output is added to the terms."""
    total = 0.0
    for sample in order:
        output = part * np.float64(forward(net, batch, scratch, sample, 0))
        chance = 1 / (1 + math.exp(-(output + batch.terms[sample])))
        total += cross_entropy(chance, np.float64(batch.targets[sample]))
    return total / len(order)


@kernel()
def add_outputs(net: Weights, batch: TrainingBatch, scratch: Scratch, outputs: Floats) -> None:
    """Add the output of a net for each sample, averaged over the symmetries of the game."""
    symmetries = batch.mirrored.shape[0]
    for sample in range(len(outputs)):
        for symmetry in range(symmetries):
            outputs[sample] += forward(net, batch, scratch, sample, symmetry) / symmetries


@kernel(fastmath=True)
def adamw_step(
    weights: Floats,
    gradient: Floats,
    means: Floats,
    squares: Floats,
    learning_rate: np.float32,
    weight_decay: np.float32,
    bound: np.float32,
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


# --- weights that inputs share --------------------------------------------------------------------
# The weights of an input are its own plus those of its groups (`NetInputs.factorizer`), so an
# example of one input trains its whole group a little.


@kernel()
def share_gradient(gradient: FloatRows, of_groups: FloatRows, factorizer: NumberRows) -> None:
    """Sum the gradients of inputs over their groups."""
    for way in range(factorizer.shape[0]):
        for place in range(factorizer.shape[1]):
            group = factorizer[way, place]
            if group >= 0:
                for lane in range(gradient.shape[1]):
                    of_groups[group, lane] += gradient[place, lane]


@kernel()
def add_groups(
    own: FloatRows, groups: FloatRows, factorizer: NumberRows, bound: np.float32, first: FloatRows
) -> None:
    """Write the weights of inputs: their own, plus those of their groups."""
    for place in range(own.shape[0]):
        for lane in range(own.shape[1]):
            first[place, lane] = own[place, lane]
        for way in range(factorizer.shape[0]):
            group = factorizer[way, place]
            if group >= 0:
                for lane in range(own.shape[1]):
                    first[place, lane] += groups[group, lane]
        for lane in range(own.shape[1]):
            first[place, lane] = min(max(first[place, lane], -bound), bound)
