"""Positions as a net sees them, and all else that is known about them, by compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trine.engine.search.kernel.assess import one_bucket
from trine.engine.search.kernel.worker import GameFunctions
from trine.engine.search.layout import functions_of
from trine.engine.search.nets import words_for
from trine.engine.selfplay.kernel.seeing import SEEN, see_all
from trine.games import open_heuristics, open_kernel


@dataclass(frozen=True, eq=False)
class FeatureExtractor:
    """All that finds the active features of positions, as the nets of a game see them."""

    functions: GameFunctions
    stage: Any
    words: int
    """The number of words that hold a bit for each feature."""
    weights: NDArray[np.float32]
    """All that the evaluation looks up."""
    counts: NDArray[np.float32]
    """Scratch: the terms as they are counted."""
    terms: int
    """The number of terms that a net sees."""

    @classmethod
    def of(cls, game: str, weights: NDArray[np.float32] | None = None) -> FeatureExtractor:
        """Return the extractor of a game whose room has inputs for nets.

        Args: ``weights`` of the terms; those of the room, unless they are given.
        """
        heuristics = open_heuristics(game)
        assert heuristics.net is not None
        return cls(
            functions_of(open_kernel(game), heuristics),
            heuristics.net.stage or one_bucket,
            words_for(len(heuristics.net.mirrored)),
            heuristics.weights if weights is None else weights,
            np.zeros(len(heuristics.terms), np.float32),
            len(heuristics.terms) if heuristics.net.sees_terms else 0,
        )

    def extract(
        self, rows: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.float32], NDArray[np.bool_]]:
        """Return what nets see of positions, and whether one is asked.

        Returns: the active features; what else is known; the terms that a net sees; whether one is
            asked. Shapes: position, word; position (records of `SEEN`); position, term; position.
        """
        count = len(rows)
        active = np.zeros((count, self.words), np.uint64)
        seen, asked = np.zeros(count, SEEN), np.zeros(count, np.uint8)
        counts = np.zeros((count, self.terms), np.float32)
        if count:
            see_all(
                self.functions,
                self.stage,
                np.ascontiguousarray(rows),
                self.weights,
                self.counts,
                active,
                seen,
                counts,
                asked,
            )
        return active, seen, counts, asked.astype(np.bool_)
