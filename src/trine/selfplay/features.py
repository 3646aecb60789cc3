"""Positions as a net sees them, and all else that is known about them, by compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trine.games import open_heuristics, open_kernel
from trine.search.kernel.assess import one_bucket
from trine.search.kernel.worker import GameFunctions
from trine.search.layout import functions_of
from trine.search.nets import words_for
from trine.selfplay.kernel.seeing import SEEN, see_all


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
        )

    def extract(
        self, rows: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.bool_]]:
        """Return the active features of positions, what else is seen, and whether a net is asked.

        Shapes: position, word; position (records of `SEEN`); position.
        """
        count = len(rows)
        active = np.zeros((count, self.words), np.uint64)
        seen, asked = np.zeros(count, SEEN), np.zeros(count, np.uint8)
        if count:
            see_all(
                self.functions,
                self.stage,
                np.ascontiguousarray(rows),
                self.weights,
                self.counts,
                active,
                seen,
                asked,
            )
        return active, seen, asked.astype(np.bool_)
