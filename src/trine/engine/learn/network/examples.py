"""Training examples of a net: the distinct positions of datasets as inputs, calibrated terms."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.heuristics import NetInputs
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.kernel.training_step import Scratch, TrainingBatch, Weights, add_outputs
from trine.engine.search.kernel.net import LANES
from trine.engine.search.kernel.static_eval import one_bucket
from trine.engine.search.nets import words_for
from trine.engine.search.worker_factory import functions_of
from trine.engine.selfplay.kernel.net_examples import EXAMPLE_DTYPE, extract_all
from trine.games import open_heuristics, open_kernel

Vector = NDArray[np.float64]

SLOPE: Final = math.log(10) / 400  # nats for each point
POINTS: Final = 1 / SLOPE  # points for a log odds of 1
MAX_LOG_ODDS: Final = 10.0  # log odds; predictions are clipped to this
NEWTON_STEPS: Final = 8
MAX_POSITIONS: Final = 300_000  # positions; a sample of this size is enough


@dataclass(frozen=True)
class Examples:
    """Positions as inputs of a net, with their targets."""

    active: NDArray[np.uint64]
    """Shapes: position, word. The active inputs in the first player's perspective."""
    records: NDArray[Any]
    """Shapes: position. Records of `EXAMPLE_DTYPE`, but ``game`` is the number of the game's
    opening among all distinct openings."""
    counts: NDArray[np.float32]
    """Shapes: position, term. The terms that a net takes, for the player to move."""
    results: NDArray[np.float32]  # Shapes: position. The target chances

    def __len__(self) -> int:
        return len(self.results)

    @classmethod
    def none(cls, words: int, terms: int) -> Self:
        """Return an empty set of examples, with ``words`` words of inputs and some terms each."""
        none, counts = np.zeros(0, np.float32), np.zeros((0, terms), np.float32)
        return cls(np.zeros((0, words), np.uint64), np.zeros(0, EXAMPLE_DTYPE), counts, none)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the distinct examples of all parts; different parts have different games."""
        all_records, first = [], 0
        for part in parts:
            records = part.records.copy()
            records["game"] += first
            all_records.append(records)
            first += int(part.records["game"].max()) + 1 if len(part) else 0
        records = np.concatenate(all_records)
        kept = np.sort(np.unique(records["key"], return_index=True)[1])
        return cls(
            np.concatenate([part.active for part in parts])[kept],
            records[kept],
            np.concatenate([part.counts for part in parts])[kept],
            np.concatenate([part.results for part in parts])[kept],
        )


def examples_of(
    game: str, datasets: Iterable[Dataset], weights: NDArray[np.float32] | None = None
) -> Examples:
    """Return the distinct positions where a search evaluates the net.

    ``weights`` are for the evaluation's terms; None: the game's weights.
    """
    heuristics = open_heuristics(game)
    net, functions = heuristics.net, functions_of(open_kernel(game), heuristics)
    assert net is not None
    words, every_term = words_for(len(net.mirrored)), len(heuristics.terms)
    terms = every_term if net.takes_terms else 0
    parts = [Examples.none(words, terms)]
    for data in datasets:
        count = len(data)
        active, counts = np.zeros((count, words), np.uint64), np.zeros((count, terms), np.float32)
        records, asked = np.zeros(count, EXAMPLE_DTYPE), np.zeros(count, np.uint8)
        if count:
            extract_all(
                functions,
                net.stage or one_bucket,
                np.ascontiguousarray(data.rows),
                heuristics.weights if weights is None else weights,
                np.zeros(every_term, np.float32),
                active,
                records,
                counts,
                asked,
            )
        records["game"] = np.unique(data.openings, return_inverse=True)[1]
        kept = (asked != 0) & ~np.isnan(data.results)
        parts.append(Examples(active[kept], records[kept], counts[kept], data.results[kept]))
    return Examples.joined(parts)


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


def calibrate(
    batch: TrainingBatch,
    stage: NDArray[np.uint8],
    shape: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> TrainingBatch:
    slopes, offsets = shape
    terms = slopes[batch.buckets] * batch.terms + offsets[stage]
    return batch._replace(terms=terms.astype(np.float32))


def mean_output(teachers: Sequence[Weights], batch: TrainingBatch) -> NDArray[np.float32]:
    output = np.zeros(len(batch.terms), np.float32)
    for teacher in teachers:
        add_outputs(teacher, batch, new_scratch(), output)
    output /= len(teachers)
    return output
