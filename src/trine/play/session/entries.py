"""The entries of a running game: everything that happens in it, as plain data; and its journal.

An entry says who did what and when; a game is the sum of its entries, its clock included. Words in
them are those of records: actions in the notation of the game, seats by number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Kind(StrEnum):
    """The kind of an entry, with the data that each kind has."""

    BEGIN = "begin"
    """The terms. ``tags``, those of the record."""
    ACT = "act"
    """Actions of one turn. ``words``; ``closes``, whether the turn is over with them; then also
    ``used`` and, on a clock, ``left``, in seconds. A turn without ``used`` costs no time."""
    UNDO = "undo"
    """The last actions of the open turn are taken back. ``count``."""
    TAKEBACK = "takeback"
    """Whole turns are taken back. ``tags``, the turn that is to be played before each of them
    goes, such as ``3g``; ``used``, in seconds, what the open turn had taken."""
    OFFER = "offer"
    """A player asks the others for something. ``what``, and ``turns`` of a takeback."""
    ACCEPT = "accept"
    """``what``."""
    DECLINE = "decline"
    """``what``."""
    LEAVE = "leave"
    """A player gives up, or has lost by time or by a forfeit. ``reason``; ``words`` of a forfeit;
    ``in_turn``, whether the player is to move; then, where the others play on, ``used`` and
    ``left``."""
    DRAWN = "drawn"
    """A draw that all players agreed on."""
    END = "end"
    """The house ends the game. ``winner``, a seat or None; ``reason``."""
    PAUSE = "pause"
    """No time passes from here on. ``spent``; ``consent``, whether the players asked for it."""
    RESUME = "resume"
    """The open turn goes on. ``spent``, in seconds: what it has taken so far."""
    REMARK = "remark"
    """``words``."""


@dataclass(frozen=True)
class Entry:
    """One entry."""

    kind: Kind
    seat: int | None
    """The seat of the player; None is the house."""
    at: float
    """Units: seconds since 1970 by the clock on the wall, to the millisecond; never less than
    that of the entry before."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The other data, as JSON has them. ``turn`` is the turn in which it happened, as in
    ``2g``; ``result`` stands in the entry that ends the game, with the tags that state it."""


class Journal(Protocol):
    """A store of the entries of one game, in order."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Store entries, all or none, safe when this returns; raises `FileError`."""

    def record_heartbeat(self, at: float) -> None:
        """Record a moment at which the house runs: time until then has passed for the players.

        It may get lost, and is not an entry.
        """

    def close(self) -> None:
        """Release what the journal holds; it is not used again."""


@dataclass
class MemoryJournal:
    """A journal in memory, which lasts as long as the program."""

    entries: list[Entry] = field(default_factory=list)

    def append(self, entries: Sequence[Entry]) -> None:
        self.entries += entries

    def record_heartbeat(self, at: float) -> None:
        """Note nothing: there is no crash to look back at."""

    def close(self) -> None:
        """Release nothing."""
