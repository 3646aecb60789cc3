"""The lessons done by a person: a text file with lines such as ``arimaa push``."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from trine.play.record.files import file_error
from trine.play.record.shelf import games_folder


def progress_file() -> Path:
    """Return the file for progress, beside the folder for games; it need not exist yet."""
    return games_folder().parent / "lessons.txt"


class Named(Protocol):
    """A lesson or a puzzle."""

    @property
    def name(self) -> str:
        """The word by which progress is kept."""


class Progress:
    """The lessons done in all games."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: set[str] = set()
        with suppress(OSError):  # a file that cannot be read only forgets
            self._lines = set(path.read_text(encoding="utf-8", errors="replace").splitlines())

    def has(self, game: str, lesson: Named) -> bool:
        """Return whether a lesson was done, in any rule set."""
        return f"{game} {lesson.name}" in self._lines

    def count(self, game: str, lessons: Iterable[Named]) -> int:
        """Return the number of lessons done, of those given."""
        return sum(self.has(game, lesson) for lesson in lessons)

    def add(self, game: str, lesson: Named) -> None:
        """Record that a lesson was done.

        Raises:
            FileError: that cannot be kept; until the program ends it is known all the same.
        """
        if self.has(game, lesson):
            return
        line = f"{game} {lesson.name}"
        self._lines.add(line)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise file_error(str(self.path), error) from None
