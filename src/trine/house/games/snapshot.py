"""A snapshot of a game, a value from which all views are made, and the pages that hear of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Protocol

from trine.core.compiled.ahead import Progress
from trine.core.contract.checked import CheckedLine
from trine.core.text.sentence import text
from trine.house.games.live_game import LiveGame
from trine.house.games.presence import Presence

ABORTED: Final = text("The game was broken off before its first turn.")
"""The result of an aborted game."""


@dataclass(frozen=True)
class Snapshot(LiveGame):
    """A game as it stands, with what can be seen besides."""

    version: int = 0
    """The number of the snapshot, among those of a host."""
    waking: bool = False
    """Whether the clock stands still until players are back, after the house was closed."""
    warming: Progress | None = None
    """The progress of the computer if it is to move and still compiles its code."""
    presence: Mapping[int, Presence] = field(default_factory=dict)
    """The presence at each seat of a person, as others see it."""
    claimable: frozenset[int] = frozenset()
    """The seats whose absence can be claimed."""
    drafts: Mapping[int, CheckedLine] = field(default_factory=dict)
    """The drafts by seat; only its owner may see one."""
    at: float = 0.0
    """The time of the snapshot."""
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """The views of the snapshot made so far, so that each is made once."""


_KNOWN: Final = tuple(one.name for one in fields(LiveGame))


def snapshot_of(game: LiveGame, **seen: Any) -> Snapshot:
    """A game as it stands, with what is ``seen`` besides."""
    return Snapshot(**{name: getattr(game, name) for name in _KNOWN}, **seen)


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
