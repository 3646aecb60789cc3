"""Training examples of a net: the distinct positions of datasets, as its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trine.engine.learn.dataset import Dataset
from trine.engine.search.kernel.static_eval import one_bucket
from trine.engine.search.kernel.worker import GameFunctions
from trine.engine.search.nets import words_for
from trine.engine.search.worker_factory import functions_of
from trine.engine.selfplay.kernel.net_examples import EXAMPLE_DTYPE, extract_all
from trine.games import open_heuristics, open_kernel


@dataclass(frozen=True, eq=False)
class FeatureExtractor:
    """Computes the active inputs of positions for the nets of a game."""

    functions: GameFunctions
    stage: Any
    words: int
    """The number of words for the bits of all inputs."""
    weights: NDArray[np.float32]
    """All numbers that the evaluation looks up."""
    counts: NDArray[np.float32]
    """Scratch: the counts of the terms."""
    terms: int

    @classmethod
    def of(cls, game: str, weights: NDArray[np.float32] | None = None) -> FeatureExtractor:
        """Return the extractor of a game for nets; ``weights`` are the terms', None: the game's."""
        heuristics = open_heuristics(game)
        assert heuristics.net is not None
        return cls(
            functions_of(open_kernel(game), heuristics),
            heuristics.net.stage or one_bucket,
            words_for(len(heuristics.net.mirrored)),
            heuristics.weights if weights is None else weights,
            np.zeros(len(heuristics.terms), np.float32),
            len(heuristics.terms) if heuristics.net.takes_terms else 0,
        )

    def extract(
        self, rows: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.float32], NDArray[np.bool_]]:
        """Return the inputs of a net in positions, and whether a search evaluates it there.

        Returns: the active inputs; records of `EXAMPLE_DTYPE`; the terms that are inputs; whether
            the net is evaluated. Shapes: position, word; position; position, term; position.
        """
        count = len(rows)
        active = np.zeros((count, self.words), np.uint64)
        records, asked = np.zeros(count, EXAMPLE_DTYPE), np.zeros(count, np.uint8)
        counts = np.zeros((count, self.terms), np.float32)
        if count:
            extract_all(
                self.functions,
                self.stage,
                np.ascontiguousarray(rows),
                self.weights,
                self.counts,
                active,
                records,
                counts,
                asked,
            )
        return active, records, counts, asked.astype(np.bool_)


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
    results: NDArray[np.float32]
    """Shapes: position. The target chances."""

    def __len__(self) -> int:
        return len(self.results)

    @classmethod
    def none(cls, words: int, terms: int) -> Examples:
        """Return an empty set of examples, with ``words`` words of inputs and some terms each."""
        none, counts = np.zeros(0, np.float32), np.zeros((0, terms), np.float32)
        return cls(np.zeros((0, words), np.uint64), np.zeros(0, EXAMPLE_DTYPE), counts, none)

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
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
    """Return the distinct positions where a search evaluates the net; ``weights``: of the terms."""
    extractor = FeatureExtractor.of(game, weights)
    parts = [Examples.none(extractor.words, extractor.terms)]
    for data in datasets:
        active, records, counts, asked = extractor.extract(data.rows)
        asked &= ~np.isnan(data.results)
        records["game"] = np.unique(data.openings, return_inverse=True)[1]
        parts.append(Examples(active[asked], records[asked], counts[asked], data.results[asked]))
    return Examples.joined(parts)
