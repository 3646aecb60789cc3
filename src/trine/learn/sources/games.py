"""Recorded games: where each began, its actions with the scores of searches, its result.

A game of TZAAR takes about 200 bytes. Positions are not kept: compiled code replays millions of
actions a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trine.learn.files import Arrays, read_arrays, write_arrays
from trine.selfplay.kernel.state import MOVE


@dataclass(frozen=True, eq=False)
class GameBatch:
    """Games of a plan."""

    numbers: NDArray[np.int64]
    """Shapes: game. Its number in the plan."""
    starts: NDArray[np.uint64]
    """Shapes: game, word. The position in which the players began to think."""
    lengths: NDArray[np.int64]
    """Shapes: game. Units: actions."""
    results: NDArray[np.int8]
    """Shapes: game. The winner, or what `trine.core.contract.score` has."""
    moves: NDArray[Any]
    """Shapes: action of all games, one game after the other. Records of the fields of
    `trine.selfplay.kernel.state.MOVE`."""
    seconds: float = 0.0
    """The time of a processor that they took."""

    def __len__(self) -> int:
        return len(self.lengths)

    def write(self, file: Path) -> None:
        """Write the file, whole or not at all."""
        write_arrays(
            file,
            numbers=self.numbers,
            starts=self.starts,
            lengths=self.lengths,
            results=self.results,
            action=self.moves["action"],
            score=self.moves["score"],
            marks=self.moves["marks"],
            seconds=np.float32(self.seconds),
        )

    @classmethod
    def read(cls, file: Path) -> GameBatch | None:
        """Return the games of a file; None if it is missing, or was damaged by a power cut."""
        return read_arrays(file, cls._of_arrays)

    @classmethod
    def _of_arrays(cls, data: Arrays) -> GameBatch:
        moves = np.zeros(len(data["action"]), MOVE)
        for name in ("action", "score", "marks"):
            moves[name] = data[name]
        facts = {name: data[name] for name in ("numbers", "starts", "lengths", "results")}
        return cls(**facts, moves=moves, seconds=float(data["seconds"]))
