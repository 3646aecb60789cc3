"""Positions as compiled training takes them, and what is added to their terms beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import NetInputs
from trine.learn.kernel.training import Batch, Scratch, Weights, add_outputs
from trine.learn.logistic import POINTS
from trine.search.kernel.net import LANES

FARTHEST: Final = 10.0
"""Units: logarithms of odds; no stage of a turn is worth more."""
HALVINGS: Final = 40
MOST_STAGES: Final = 64


def new_scratch() -> Scratch:
    """Return the memory of one sample."""
    return Scratch(np.zeros(LANES, np.float32), np.zeros(LANES, np.float32))


def batch_of(
    inputs: NetInputs,
    active: NDArray[np.uint64],
    seen: NDArray[Any],
    targets: NDArray[np.float32],
) -> Batch:
    """Return positions with targets, in all symmetries of the game."""
    plain = np.arange(len(inputs.mirrored), dtype=np.int32)
    symmetries = [plain] if inputs.symmetries is None else list(inputs.symmetries)
    return Batch(
        active,
        np.ascontiguousarray(seen["mover"]),
        np.ascontiguousarray(seen["bucket"]),
        (seen["terms"] / POINTS).astype(np.float32),
        targets,
        np.ascontiguousarray([[one, inputs.mirrored[one]] for one in symmetries], np.int32),
    )


def stages_of(
    batch: Batch, stage: NDArray[np.uint8], inside: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what positions of each stage have in common beside the terms, by some of them.

    Units: logarithms of odds.
    """
    terms, targets, stage = batch.terms[inside], batch.targets[inside], stage[inside]
    low, high = np.full(MOST_STAGES, -FARTHEST), np.full(MOST_STAGES, FARTHEST)
    expected = np.bincount(stage, targets, MOST_STAGES)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        chances = np.bincount(stage, 1 / (1 + np.exp(-(terms + middle[stage]))), MOST_STAGES)
        low, high = (
            np.where(chances < expected, middle, low),
            np.where(chances < expected, high, middle),
        )
    counted = np.bincount(stage, minlength=MOST_STAGES) > 0
    return np.where(counted, (low + high) / 2, 0.0)


def mean_output(teachers: Sequence[Weights], batch: Batch) -> NDArray[np.float32]:
    """Return the mean of the outputs of nets for each sample."""
    output = np.zeros(len(batch.terms), np.float32)
    for teacher in teachers:
        add_outputs(teacher, batch, new_scratch(), output)
    output /= len(teachers)
    return output
