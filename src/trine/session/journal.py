"""The journal of a running game, a door: where entries are kept before they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from trine.session.entries import Entry


class Journal(Protocol):
    """Keeps the entries of one game, in their order."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Keep entries, all of them or none; they are safe when this returns.

        Raises:
            FileError: they cannot be kept; then the journal is as it was before.
        """

    def beat(self, at: float) -> None:
        """Note that the house is at work at a moment: time until then has passed for players.

        It may get lost, and is not an entry.
        """

    def close(self) -> None:
        """Give back what the journal holds; nothing is asked of it any more."""


@dataclass
class MemoryJournal:
    """A journal that lasts as long as the program."""

    entries: list[Entry] = field(default_factory=list)
    alive: float | None = None
    """The last moment at which the house was at work, if that was noted."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Keep entries."""
        self.entries += entries

    def beat(self, at: float) -> None:
        """Note a moment."""
        self.alive = at

    def close(self) -> None:
        """Nothing is held."""
