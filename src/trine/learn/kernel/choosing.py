"""The loss of a net against the turns of strong players, and its gradient, compiled.

Each turn that was played stands among others of the same position. A player is taken to choose one
with a chance that grows with the points of the position after it, as `trine.learn.imitation` says;
here the net's output is part of these points.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.compiled.jit import kernel
from trine.learn.kernel.training import (
    BATCH,
    BYTES,
    FLOATS,
    ORDER,
    SCRATCH,
    WEIGHTS,
    Batch,
    Scratch,
    Weights,
    backward,
    forward,
)


class Alternatives(NamedTuple):
    """The turns of strong players that a net learns from, each among others of the position.

    The samples of a `Batch` are the positions after the turns, choice by choice; its targets are
    the shares in which they should be chosen.
    """

    firsts: NDArray[np.int64]
    """Shapes: choice, and one more. The number of its first sample."""
    players: NDArray[np.uint8]
    """Shapes: choices. Its player."""
    chances: NDArray[np.float64]
    """Shapes: sample of the largest choices. Scratch: logits, then the chances of being chosen."""


CHOICES: Final = types.NamedTuple((ORDER, BYTES, types.Array(types.float64, 1, "C")), Alternatives)


@kernel(
    types.float64(
        WEIGHTS, BATCH, SCRATCH, CHOICES, types.int64, types.int64, types.float64, types.float64
    )
)
def weigh_up(
    net: Weights,
    batch: Batch,
    scratch: Scratch,
    choices: Alternatives,
    turn: int,
    symmetry: int,
    sharpness: float,
    part: float,
) -> float:
    """Find the chances of the turns of a choice; return the loss of the shares they should have.

    Args: ``part`` of the net's output is added to the terms; logits are the sum times the
    ``sharpness``.
    """
    begin, end, chances = choices.firsts[turn], choices.firsts[turn + 1], choices.chances
    most = -np.inf
    for sample in range(begin, end):
        sign = 1.0 if batch.movers[sample] == choices.players[turn] else -1.0
        output = part * np.float64(forward(net, batch, scratch, sample, symmetry))
        logit = sign * sharpness * (output + batch.terms[sample])
        chances[sample - begin], most = logit, max(most, logit)
    total, loss = 0.0, 0.0
    for sample in range(begin, end):
        total += math.exp(chances[sample - begin] - most)
    log_total = math.log(total) + most
    for sample in range(begin, end):
        loss += np.float64(batch.targets[sample]) * (log_total - chances[sample - begin])
        chances[sample - begin] = math.exp(chances[sample - begin] - log_total)
    return loss


@kernel(
    types.float64(
        WEIGHTS,
        WEIGHTS,
        BATCH,
        SCRATCH,
        CHOICES,
        ORDER,
        ORDER,
        types.float64,
        types.float64,
    )
)
def learn_choices(
    net: Weights,
    gradient: Weights,
    batch: Batch,
    scratch: Scratch,
    choices: Alternatives,
    order: NDArray[np.int64],
    symmetries: NDArray[np.int64],
    sharpness: float,
    weight: float,
) -> float:
    """Add the mean gradient of some choices, times a weight; return their mean loss."""
    total, share = 0.0, weight * sharpness / len(order)
    for index in range(len(order)):
        turn, symmetry = order[index], symmetries[index]
        total += weigh_up(net, batch, scratch, choices, turn, symmetry, sharpness, 1.0)
        begin = choices.firsts[turn]
        for sample in range(begin, choices.firsts[turn + 1]):
            sign = 1.0 if batch.movers[sample] == choices.players[turn] else -1.0
            beyond = choices.chances[sample - begin] - np.float64(batch.targets[sample])
            forward(net, batch, scratch, sample, symmetry)
            backward(
                net, gradient, batch, scratch, sample, symmetry, np.float32(share * sign * beyond)
            )
    return total / len(order)


@kernel(types.float64(WEIGHTS, BATCH, SCRATCH, CHOICES, ORDER, types.float64, types.float64))
def loss_of_choices(
    net: Weights,
    batch: Batch,
    scratch: Scratch,
    choices: Alternatives,
    order: NDArray[np.int64],
    sharpness: float,
    part: float,
) -> float:
    """Return the mean loss of some choices; ``part`` of the net's output is added to the terms."""
    total = 0.0
    for turn in order:
        total += weigh_up(net, batch, scratch, choices, turn, 0, sharpness, part)
    return total / len(order)


@kernel(types.void(WEIGHTS, BATCH, SCRATCH, CHOICES, types.float64, FLOATS))
def write_chances(
    net: Weights,
    batch: Batch,
    scratch: Scratch,
    choices: Alternatives,
    sharpness: float,
    chances: NDArray[np.float32],
) -> None:
    """Write the chances of all turns by the terms of a batch alone."""
    for turn in range(len(choices.players)):
        weigh_up(net, batch, scratch, choices, turn, 0, sharpness, 0.0)
        begin = choices.firsts[turn]
        for sample in range(begin, choices.firsts[turn + 1]):
            chances[sample] = np.float32(choices.chances[sample - begin])
