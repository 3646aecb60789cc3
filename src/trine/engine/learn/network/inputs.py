"""Positions as inputs of compiled training, and the calibration of their terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import NetInputs
from trine.engine.learn.kernel.training_step import Scratch, TrainingBatch, Weights, add_outputs
from trine.engine.learn.logistic import POINTS
from trine.engine.learn.network.examples import Examples
from trine.engine.search.kernel.net import LANES

MAX_LOG_ODDS: Final = 10.0
"""Units: log odds; predictions are clipped to this."""
NEWTON_STEPS: Final = 8
MAX_POSITIONS: Final = 300_000
"""Units: positions; a sample of this size is enough."""


def new_scratch() -> Scratch:
    return Scratch(np.zeros(LANES, np.float32), np.zeros(LANES, np.float32))


def sizes_of(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each term's typical size, to normalize it by."""
    sizes = np.sqrt(np.square(counts[:: -(-len(counts) // MAX_POSITIONS)]).mean(0))
    return np.where(sizes > 0, sizes, 1).astype(np.float32)


def batch_of(inputs: NetInputs, examples: Examples, sizes: NDArray[np.float32]) -> TrainingBatch:
    """Return positions with targets, in all symmetries of the game; ``sizes`` normalize terms."""
    records = examples.records
    plain = np.arange(len(inputs.mirrored), dtype=np.int32)
    symmetries = [plain] if inputs.symmetries is None else list(inputs.symmetries)
    return TrainingBatch(
        examples.active,
        np.ascontiguousarray(records["mover"]),
        np.ascontiguousarray(records["bucket"]),
        (records["terms"] / POINTS).astype(np.float32),
        examples.results,
        examples.counts / sizes,
        np.ascontiguousarray([[one, inputs.mirrored[one]] for one in symmetries], np.int32),
    )


def calibration_of(
    batch: TrainingBatch, stage: NDArray[np.uint8], inside: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the best calibration of the terms without a net, by some positions.

    Points may be worth less with few pieces left, and the stage where lines end depends on the
    score: the net need not learn either.

    Returns: by bucket, the factor of the terms; by stage of the turn, the offset. Units of the
        offset: log odds.
    """
    buckets, stages = int(batch.buckets.max()) + 1, int(stage.max()) + 1
    slopes, offsets = np.zeros(buckets), np.zeros(stages)  # curvature is greatest at 0: safe start
    inside = inside[:: -(-len(inside) // MAX_POSITIONS)]
    terms, targets = batch.terms[inside].astype(np.float64), batch.targets[inside]
    columns = np.zeros((len(inside), buckets + stages), np.float32)
    every = np.arange(len(inside))
    columns[every, batch.buckets[inside]] = terms
    columns[every, buckets + stage[inside].astype(np.int64)] = 1
    for _ in range(NEWTON_STEPS):
        log_odds = np.clip(columns @ np.append(slopes, offsets), -MAX_LOG_ODDS, MAX_LOG_ODDS)
        chances = 1 / (1 + np.exp(-log_odds))
        gradient = columns.T @ (chances - targets)
        curvature = (columns * (chances * (1 - chances))[:, None]).T @ columns
        pull = np.append(slopes - 1, offsets)  # a prior: no change without evidence
        step = np.linalg.solve(curvature + np.eye(len(pull)), gradient + pull)
        slopes, offsets = slopes - step[:buckets], offsets - step[buckets:]
    return slopes, offsets


def calibrated(
    batch: TrainingBatch,
    stage: NDArray[np.uint8],
    shape: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> TrainingBatch:
    """Return positions with calibrated terms."""
    slopes, offsets = shape
    terms = slopes[batch.buckets] * batch.terms + offsets[stage]
    return batch._replace(terms=terms.astype(np.float32))


def mean_output(teachers: Sequence[Weights], batch: TrainingBatch) -> NDArray[np.float32]:
    output = np.zeros(len(batch.terms), np.float32)
    for teacher in teachers:
        add_outputs(teacher, batch, new_scratch(), output)
    output /= len(teachers)
    return output
