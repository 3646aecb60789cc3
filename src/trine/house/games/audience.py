"""The audience of a game: the open pages, which hear of every change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from trine.house.games.snapshot import Snapshot


class Watcher(Protocol):
    """A page or program that shows a game."""

    def changed(self, snapshot: Snapshot) -> None:
        """The game has changed; this must take no time."""

    def dropped(self) -> None:
        """The game has left this process; a new request is led to it."""


@dataclass
class Audience:
    """The watchers of one game."""

    idle_from: float
    """The moment at which the last watcher left."""
    _watchers: dict[Watcher, str | None] = field(default_factory=dict)
    """The id of each watcher's person, if known."""

    def __len__(self) -> int:
        return len(self._watchers)

    def __contains__(self, watcher: Watcher) -> bool:
        return watcher in self._watchers

    def add(self, watcher: Watcher, person: str | None) -> None:
        """Add a watcher, which hears of changes."""
        self._watchers[watcher] = person

    def remove(self, watcher: Watcher, at: float) -> str | None:
        """Remove a watcher, and return its person."""
        self.idle_from = at
        return self._watchers.pop(watcher)

    def pages_of(self, person: str | None) -> int:
        """The number of watchers that belong to a person."""
        return sum(found == person for found in self._watchers.values())

    def hand_over(self, person: str, other: str) -> None:
        """Give the pages of a person to another."""
        for watcher, found in self._watchers.items():
            if found == person:
                self._watchers[watcher] = other

    def tell(self, snapshot: Snapshot) -> None:
        """Tell all watchers that the game has changed."""
        for watcher in list(self._watchers):
            watcher.changed(snapshot)

    def tell_owner(self, snapshot: Snapshot, seat: int) -> None:
        """Tell only the owner of a seat that the game has changed."""
        for watcher, person in list(self._watchers.items()):
            if seat in snapshot.seats_of(person):
                watcher.changed(snapshot)

    def dismiss(self) -> None:
        """Tell all watchers that the game is no longer played here."""
        for watcher in list(self._watchers):
            watcher.dropped()
