"""The entries of a game's journal: every event of the game, as plain data.

An entry says who did what and when; the whole game, its clock included, can be rebuilt from its
entries. Actions are written in the notation of the game, seats by number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Kind(StrEnum):
    """The kind of an entry. The description of each kind names the fields of its data."""

    BEGIN = "begin"
    """The game begins. ``tags``: the tags of its record, with the terms."""
    ACT = "act"
    """Actions of one turn are played. ``words``; ``closes``: whether they finish the turn; if so,
    ``used``, and on a clock ``left``, in seconds. A turn without ``used`` takes no time."""
    UNDO = "undo"
    """The last actions of the open turn are taken back. ``count``: their number."""
    TAKEBACK = "takeback"
    """Whole turns are taken back. ``tags``: the turn to play, such as ``3g``, before each of these
    takebacks; ``used``: the time of the open turn, in seconds."""
    OFFER = "offer"
    """A player makes a request. ``what``; for a takeback also ``turns``."""
    ACCEPT = "accept"
    """A player accepts a request. ``what``."""
    DECLINE = "decline"
    """A player declines a request. ``what``."""
    LEAVE = "leave"
    """A player resigns, loses on time, or forfeits. ``reason``; for a forfeit ``words``;
    ``in_turn``: whether the player is to move; if so and the others play on, ``used``, ``left``."""
    DRAWN = "drawn"
    """All players agree on a draw."""
    END = "end"
    """The house ends the game. ``winner``: a seat or None; ``reason``."""
    PAUSE = "pause"
    """The clock stops. ``spent``, as in `RESUME`; ``consent``: whether the players asked for it."""
    RESUME = "resume"
    """The clock goes on. ``spent``: the time of the open turn so far, in seconds."""
    REMARK = "remark"
    """A comment is recorded. ``words``."""


@dataclass(frozen=True)
class Entry:
    """An event of a game."""

    kind: Kind
    seat: int | None
    """The number of the player's seat; None for the house."""
    at: float
    """Units: seconds since 1970, to the millisecond; never less than in the entry before."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The data of the kind, as JSON. Also ``turn``, the turn to play, such as ``2g``, and in the
    entry that ends the game ``result``, the record tags that state the result."""


class Journal(Protocol):
    """The storage of the entries of one game, in order."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Store entries durably, all or none; raises `FileError`."""

    def record_heartbeat(self, at: float) -> None:
        """Record that the program was running at a time; a later crash refunds no time before it.

        A heartbeat is not an entry, and may get lost.
        """

    def close(self) -> None:
        """Release files and locks; the journal cannot be used afterwards."""


@dataclass
class MemoryJournal:
    """A journal in memory."""

    entries: list[Entry] = field(default_factory=list)

    def append(self, entries: Sequence[Entry]) -> None:
        self.entries += entries

    def record_heartbeat(self, at: float) -> None:
        """Do nothing: the journal does not survive a crash."""

    def close(self) -> None: ...
