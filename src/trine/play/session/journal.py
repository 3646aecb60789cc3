"""The journal of a running game: the interface of what stores entries before they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from trine.play.session.entries import Entry


class Journal(Protocol):
    """A store of the entries of one game, in order."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Store entries, all or none, safe when this returns; raises `FileError`."""

    def beat(self, at: float) -> None:
        """Record a moment at which the house runs: time until then has passed for the players.

        It may get lost, and is not an entry.
        """

    def close(self) -> None:
        """Release what the journal holds; it is not used again."""


@dataclass
class MemoryJournal:
    """A journal in memory, which lasts as long as the program."""

    entries: list[Entry] = field(default_factory=list)
    alive: float | None = None
    """The last recorded moment at which the house ran, if any."""

    def append(self, entries: Sequence[Entry]) -> None:
        self.entries += entries

    def beat(self, at: float) -> None:
        self.alive = at

    def close(self) -> None:
        """Release nothing."""
