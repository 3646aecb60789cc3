"""Datasets: positions with scores, results, or both, from any source.

Weights and nets are trained on the same datasets, and validated on positions of other openings.
"""

import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trine.core.work.files import write_atomically
from trine.games import open_kernel

Arrays = Mapping[str, NDArray[Any]]
Made = TypeVar("Made")


def write_json(file: Path, data: Any) -> None:
    words = json.dumps(data, indent=1) + "\n"
    write_atomically(file, lambda stream: stream.write(words.encode()))


def read_json(file: Path) -> Any:
    """Return the data of a file; None if it is missing or damaged."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_arrays(file: Path, **arrays: ArrayLike) -> None:
    write_atomically(file, lambda stream: np.savez_compressed(stream, **arrays))  # type: ignore[arg-type]


def read_arrays(file: Path, make: Callable[[Arrays], Made]) -> Made | None:
    """Return ``make`` of the arrays of a file; None if it is missing or damaged."""
    try:
        with file.open("rb") as stream, np.load(stream) as data:
            return make(data)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error):
        return None


@dataclass(frozen=True, eq=False)
class Dataset:
    """Positions, as rows of the game's kernel, with their labels.

    Rows are stored instead of the counts or inputs of an evaluation, so that the games need not be
    played again after a change of its terms, or of a net's inputs.
    """

    rows: NDArray[np.uint64]  # Shapes: position, word
    scores: NDArray[np.float32]
    """Shapes: position. Units: points; a search's score for the player to move; NaN without one."""
    results: NDArray[np.float32]
    """Shapes: position. For the player to move: 1 for a win, 0 for a loss, half for a draw, or a
    value in between (`trine.engine.learn.games.returns_of`); NaN if unknown."""
    games: NDArray[np.int64]  # Shapes: position. The number of the position's game
    openings: NDArray[np.uint64]
    """Shapes: position. The opening's last key: games with equal keys are held out together."""
    seconds: float = 0.0  # seconds; the processor time spent on producing these positions

    @classmethod
    def of(
        cls,
        rows: NDArray[np.uint64],
        games: NDArray[np.int64],
        *,
        scores: NDArray[np.generic] | None = None,
        results: NDArray[np.generic] | None = None,
        openings: NDArray[np.uint64] | None = None,
        seconds: float = 0.0,
    ) -> Self:
        """Return a dataset; without openings, each game has its own."""
        unknown = np.full(len(rows), np.nan, np.float32)
        return cls(
            rows,
            unknown if scores is None else scores.astype(np.float32),
            unknown if results is None else results.astype(np.float32),
            games,
            games.astype(np.uint64) if openings is None else openings,
            seconds,
        )

    @classmethod
    def none(cls) -> Self:
        return cls.of(np.zeros((0, 0), np.uint64), np.zeros(0, np.int64))

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Return the positions of all parts; different parts must not share game numbers."""
        every = list(parts)
        kept = [part for part in every if len(part)]
        if not kept:
            return cls.none()
        joined = {
            name: np.concatenate([getattr(part, name) for part in kept]) for name in cls._arrays()
        }
        return cls(**joined, seconds=sum(part.seconds for part in every))

    @classmethod
    def _arrays(cls) -> list[str]:
        return [field.name for field in fields(cls) if field.name != "seconds"]

    def chosen(self, places: NDArray[np.intp]) -> Self:
        return replace(self, **{name: getattr(self, name)[places] for name in self._arrays()})

    def distinct(self, game: str) -> Self:
        """Return each position once, with the first of its results."""
        key = open_kernel(game).key
        keys = np.array([key(row) for row in self.rows], np.uint64)
        return self.chosen(np.sort(np.unique(keys, return_index=True)[1]))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def games_seen(self) -> int:
        return len(np.unique(self.games))

    def write(self, file: Path) -> None:
        """Write the file atomically."""
        write_arrays(file, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def read(cls, file: Path) -> Self | None:
        """Return the dataset of a file; None if it is missing or damaged."""
        return read_arrays(file, cls._of_arrays)

    @classmethod
    def _of_arrays(cls, data: Arrays) -> Self:
        return cls.of(
            data["rows"],
            data["games"],
            scores=data["scores"],
            results=data["results"],
            openings=data.get("openings"),
            seconds=float(data["seconds"]) if "seconds" in data else 0.0,
        )
