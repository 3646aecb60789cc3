"""Files of labels: positions as rows, each with its score, of any source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trine.learn.whole_files import read_arrays, write_arrays


@dataclass(frozen=True, eq=False)
class LabelBatch:
    """Positions with scores."""

    rows: NDArray[np.uint64]
    """Shapes: position, word."""
    scores: NDArray[np.int16]
    """Shapes: position. Units: points, for the player to move."""
    games: NDArray[np.int64]
    """Shapes: position. The number of the game that it comes from; positions of one are held out
    together."""
    results: NDArray[np.float32]
    """Shapes: position. For the player to move: 1, 0, or half for a draw; not a number where there
    is none."""
    seconds: float = 0.0
    """The time of a processor that they took."""

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def of(
        cls,
        rows: NDArray[np.uint64],
        scores: NDArray[np.int16],
        games: NDArray[np.int64],
        seconds: float = 0.0,
    ) -> Self:
        """Return positions without results."""
        return cls(rows, scores, games, np.full(len(scores), np.nan, np.float32), seconds)

    def write(self, file: Path) -> None:
        """Write the file, whole or not at all."""
        write_arrays(
            file,
            rows=self.rows,
            scores=self.scores,
            games=self.games,
            results=self.results,
            seconds=np.float32(self.seconds),
        )


def read_labels(file: Path) -> LabelBatch | None:
    """Return the labels of a file; None if it is missing, or was damaged by a power cut."""
    return read_arrays(file, _labels_of)


def _labels_of(data: Mapping[str, NDArray[Any]]) -> LabelBatch:
    return LabelBatch(
        data["rows"],
        data["scores"],
        data["games"],
        data["results"],
        float(data["seconds"]) if "seconds" in data else 0.0,
    )
