"""A folder of samples from self-play: a file for each batch of games, written whole or not at all.

An interruption of self-play loses the batches that are being played; the next run plays the missing
ones.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from trine.core.errors import FileError
from trine.core.text import text
from trine.core.workplace import HERE, Workplace
from trine.games import open_kernel
from trine.learn.samples import Samples
from trine.learn.selfplay import Plan, play_games
from trine.learn.sharing import share
from trine.record.files import file_error

BATCH: Final = 20
"""Units: games; the most that are lost when a process is killed: some seconds. Guess."""
PLAN: Final = "plan.json"


class Folder:
    """Samples of a plan, on disk."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Open a folder, or make it.

        Raises:
            FileError: the folder cannot be made or read, or holds samples of another plan.
        """
        self.path, self.plan = path, plan
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not (path / PLAN).exists():
                write_whole(path / PLAN, json.dumps(plan.as_data(), indent=1).encode())
            kept = json.loads((path / PLAN).read_text(encoding="utf-8"))
        except OSError as error:
            raise file_error(path, error) from None
        except ValueError:
            kept = None
        if kept != plan.as_data():
            raise FileError(
                text("{folder} holds positions of other games; name another", folder=str(path))
            )

    def missing(self, games: int) -> list[int]:
        """Return the numbers of the batches missing for some games; the last batch is whole too."""
        batches = range(-(-games // BATCH))
        return [batch for batch in batches if _read(self._file(batch)) is None]

    def keep(self, batch: int, samples: Samples) -> None:
        """Keep the samples of a batch.

        Raises:
            FileError: they cannot be written.
        """
        file = self._file(batch)
        try:
            with _beside(file).open("wb") as stream:
                np.savez_compressed(
                    stream,
                    rows=samples.rows,
                    results=samples.results,
                    games=samples.games,
                    openings=samples.openings,
                    scores=samples.labels,
                )
            _beside(file).replace(file)
        except OSError as error:
            raise file_error(file, error) from None

    def read(self) -> Samples:
        """Return the samples in the folder.

        Raises:
            FileError: they were written by another version of the game's kernel.
        """
        read = (_read(file) for file in sorted(self.path.glob("games-*.npz")))
        parts = [samples for samples in read if samples is not None]
        for samples in parts:
            self._check_rows(samples)
        return Samples.joined(parts)

    def _file(self, batch: int) -> Path:
        return self.path / f"games-{batch * BATCH:07}.npz"

    def _check_rows(self, samples: Samples) -> None:
        """Raise an error if a kernel of another version has written the rows."""
        kernel = open_kernel(self.plan.game)
        for row in samples.rows[:1]:
            again = np.zeros_like(row)
            try:
                kernel.to_row(kernel.to_position(row), again)
            except (ValueError, LookupError):
                again = ~row
            if (row != again).any():
                raise FileError(
                    text(
                        "{folder} was written by another version; name another",
                        folder=str(self.path),
                    )
                )


def play_batch(plan: Plan, batch: int) -> tuple[int, Samples]:
    """Play the games of a batch, by its number: the job of a worker, on whatever machine."""
    return batch, play_games(plan, range(batch * BATCH, (batch + 1) * BATCH))


def play_missing(
    folder: Folder, games: int, workplace: Workplace = HERE
) -> Generator[int, None, None]:
    """Bring a folder to some games, and yield the number of games of each batch that is kept.

    Raises:
        FileError: samples cannot be written.
        TrineError: a worker has died.
    """
    jobs = [partial(play_batch, folder.plan, batch) for batch in folder.missing(games)]
    with closing(share(jobs, workplace)) as played:
        for batch, samples in played:
            folder.keep(batch, samples)
            yield BATCH


def _beside(file: Path) -> Path:
    """Return the path at which a file is written until it is complete."""
    return file.with_name(file.name + ".part")


def write_whole(file: Path, data: bytes) -> None:
    """Write a file, whole or not at all."""
    _beside(file).write_bytes(data)
    _beside(file).replace(file)


def _read(file: Path) -> Samples | None:
    """Return the samples of a file; None if it is missing, or was damaged by a power cut."""
    try:
        with file.open("rb") as stream, np.load(stream) as data:
            return Samples(
                data["rows"], data["results"], data["games"], data["openings"], data["scores"]
            )
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None
