"""Files of recorded games: where each began, its actions with the scores of searches, its result.

A game of TZAAR takes about 200 bytes. Positions are not kept: compiled code replays millions of
actions a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trine.learn.whole_files import read_arrays, write_arrays
from trine.search.kernel.games import MOVE


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
    """Shapes: game. The winner, or what `trine.core.score` has."""
    moves: NDArray[Any]
    """Shapes: action of all games, one game after the other. Records of the fields of
    `trine.search.kernel.games.MOVE`."""
    seconds: float = 0.0
    """The time of a processor that they took."""

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


def read_games(file: Path) -> GameBatch | None:
    """Return the games of a file; None if it is missing, or was damaged by a power cut."""
    return read_arrays(file, _games_of)


def _games_of(data: Mapping[str, NDArray[Any]]) -> GameBatch:
    moves = np.zeros(len(data["action"]), MOVE)
    for name in ("action", "score", "marks"):
        moves[name] = data[name]
    return GameBatch(
        data["numbers"],
        data["starts"],
        data["lengths"],
        data["results"],
        moves,
        float(data["seconds"]),
    )
