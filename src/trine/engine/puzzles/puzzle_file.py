"""Files of puzzles: records, one after the other; those that are shipped, and those of others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from trine.core.contract.record import format_record, read_records
from trine.engine.puzzles.puzzle import Puzzle, puzzle_of
from trine.play.record.files import read_lines


def read_puzzles(path: str | Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a file; raises `TrineError`."""
    for record in read_records(read_lines(path), str(path)):
        if record.error:
            raise record.error
        yield puzzle_of(record)


def append_puzzle(path: Path, puzzle: Puzzle) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(format_record(puzzle.record) + "\n")
        stream.flush()
        os.fsync(stream.fileno())


@cache
def shipped(game: str) -> Sequence[Puzzle]:
    """Return the puzzles of a game that come with this program; none of a game of others.

    >>> {puzzle.game for puzzle in shipped("corridor")}
    {'corridor'}
    """
    file = files("trine.engine.puzzles.sets").joinpath(f"{game}.trine")
    if not file.is_file():
        return ()
    with as_file(file) as path:
        return tuple(read_puzzles(path))


class MinedFile:
    """A file to which puzzles are added; mining goes on where it was broken off.

    Guarantee: a game is noted once its puzzles are on disk; a puzzle stands in the file once.
    """

    def __init__(self, path: Path) -> None:
        """Open a file, which need not be there yet; raises `TrineError`."""
        self.path, self._seen = path, path.with_name(f"{path.name}.seen")
        self._names = {one.name for one in read_puzzles(path)} if path.exists() else set()
        self._games = set(self._seen.read_text("utf-8").split()) if self._seen.exists() else set()

    def __len__(self) -> int:
        return len(self._names)

    def has_seen(self, game: str) -> bool:
        return game in self._games

    def add(self, puzzle: Puzzle) -> None:
        if puzzle.name not in self._names:
            append_puzzle(self.path, puzzle)
            self._names.add(puzzle.name)

    def note(self, game: str) -> None:
        with self._seen.open("a", encoding="utf-8") as stream:
            stream.write(f"{game}\n")
        self._games.add(game)
