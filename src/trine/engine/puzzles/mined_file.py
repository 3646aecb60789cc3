"""A file of puzzles that are being mined, with the games that were looked at beside it."""

from __future__ import annotations

from pathlib import Path

from trine.engine.puzzles.puzzle import Puzzle
from trine.engine.puzzles.puzzle_file import append_puzzle, read_puzzles


class MinedFile:
    """A file to which puzzles are added; mining goes on where it was broken off.

    Guarantee: a game is noted once its puzzles are on disk; a puzzle stands in the file once.
    """

    def __init__(self, path: Path) -> None:
        """Open a file, which need not be there yet.

        Raises:
            TrineError: it cannot be read, or holds something else.
        """
        self.path, self._seen = path, path.with_name(f"{path.name}.seen")
        self._names = {one.name for one in read_puzzles(path)} if path.exists() else set()
        self._games = set(self._seen.read_text("utf-8").split()) if self._seen.exists() else set()

    def __len__(self) -> int:
        return len(self._names)

    def has_seen(self, game: str) -> bool:
        """Whether a game was looked at, by its name."""
        return game in self._games

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle."""
        if puzzle.name not in self._names:
            append_puzzle(self.path, puzzle)
            self._names.add(puzzle.name)

    def note(self, game: str) -> None:
        """Note that a game was looked at."""
        with self._seen.open("a", encoding="utf-8") as stream:
            stream.write(f"{game}\n")
        self._games.add(game)
