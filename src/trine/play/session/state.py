"""The state of a running game as an immutable value, its offers, and its journal's entries.

An entry says who did what and when; the whole game, its clock included, can be rebuilt from its
entries. Actions are written in the notation of the game, seats by number.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Protocol, Self

from trine.core.clock import Clock
from trine.core.contract.position import Outcome, Reason
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.play.record.agreed_terms import Terms


class Kind(StrEnum):
    """The kind of an entry. The description of each kind names the fields of its data."""

    BEGIN = "begin"  # the game begins. ``tags``: the tags of its record, with the terms
    ACT = "act"
    """Actions of one turn are played. ``words``; ``closes``: whether they finish the turn; if so,
    ``used``, and on a clock ``left``, in seconds. A turn without ``used`` takes no time."""
    UNDO = "undo"  # the last actions of the open turn are taken back. ``count``: their number
    TAKEBACK = "takeback"
    """Whole turns are taken back. ``tags``: the turn to play, such as ``3g``, before each of these
    takebacks; ``used``: the time of the open turn, in seconds."""
    OFFER = "offer"  # a player makes a request. ``what``; for a takeback also ``turns``
    ACCEPT = "accept"  # a player accepts a request. ``what``
    DECLINE = "decline"  # a player declines a request. ``what``
    WITHDRAW = "withdraw"  # a player withdraws a request of their own. ``what``
    LEAVE = "leave"
    """A player resigns, loses on time, or forfeits. ``reason``; for a forfeit ``words``;
    ``in_turn``: whether the player is to move; if so and the others play on, ``used``, ``left``."""
    DRAWN = "drawn"  # all players agree on a draw
    END = "end"  # the house ends the game. ``winner``: a seat or None; ``reason``
    PAUSE = "pause"
    """The clock stops. ``spent``, as in `RESUME`; ``consent``: whether the players asked for it."""
    RESUME = "resume"  # the clock goes on. ``spent``: the time of the open turn so far, in seconds
    REMARK = "remark"  # a comment is recorded. ``words``


@dataclass(frozen=True)
class Entry:
    """An event of a game."""

    kind: Kind
    seat: int | None  # number of the player's seat; None for the house
    at: float  # seconds since 1970, to the millisecond; never less than in the entry before
    data: Mapping[str, Any] = field(default_factory=dict)
    """JSON values: those named at the `Kind`; ``turn``, the turn to play, such as ``2g``; and, if
    the entry ends the game, ``result``, the record tags that state the result."""


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


DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
PAUSE: Final = "pause"
WISHES: Final[dict[str, Text]] = {
    DRAW: text("{name} offers a draw."),
    TAKEBACK: text("{name} wants to take a turn back."),
    PAUSE: text("{name} asks for a pause."),
}
"""The requests of every game, each with its sentence about the player who asks; other requests are
lines of a particular game, such as ``fill``."""


@dataclass(frozen=True)
class Offer:
    """A request of a player that all others must accept."""

    what: str  # one of `WISHES`, or a line of the game
    seat: int  # the player who asks
    waiting: tuple[int, ...]  # the players who have not accepted yet, in turn order
    turns: int = 1  # number of turns that a takeback takes back

    @classmethod
    def to_all(cls, what: str, seat: int, playing: Sequence[int], turns: int = 1) -> Self:
        """Return an offer to all other players, in turn order."""
        place = playing.index(seat)
        return cls(what, seat, (*playing[place + 1 :], *playing[:place]), turns)

    def accepted_by(self, seat: int) -> Self:
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def outlasts_turn_of(self, seat: int) -> bool:
        """Return whether the offer is still open after a turn of the player at ``seat``."""
        return self.what in WISHES and self.what != TAKEBACK and seat == self.seat


@dataclass(frozen=True)
class State:
    """A running game between two entries. Units: times are in seconds since 1970."""

    terms: Terms
    play: Play  # the play; an entry that changes the position copies it instead of changing it
    clock: Clock | None  # the time left at the start of the open turn; None without a clock
    began: float  # the start of the open turn on the clock: its actual start plus all pauses since
    at: float  # the time of the last entry
    paused: float | None = None  # the start of the pause; None while the clock runs
    by_consent: bool = False
    """Whether the players agreed on the pause, so that only they can end it."""
    offers: tuple[Offer, ...] = ()  # the open offers, the latest last
    declined_draws: tuple[tuple[int, int], ...] = ()
    """The players whose offer of a draw was declined or withdrawn, each with the turn number."""
    leaving: tuple[tuple[int, Reason], ...] = ()
    """In games for three or four: the players who have left out of turn, each with the reason. Each
    leaves the play in the next turn of that player."""
    spent: tuple[tuple[Clock, float], ...] = ()
    """For each turn, the clock before it and the seconds that it took; empty without a clock."""

    @classmethod
    def first(cls, terms: Terms, at: float) -> Self:
        clock = Clock.start(terms.clock, len(terms.names)) if terms.clock else None
        return cls(terms, Play(terms.room, terms.start), clock, at, at)

    @property
    def outcome(self) -> Outcome | None:
        return self.play.outcome

    @property
    def in_setup(self) -> bool:
        """Whether the open turn sets up a whole side; such a turn has its own time limit."""
        return self.play.room.sets_up_whole(self.play.turn_start)

    @property
    def staying(self) -> tuple[int, ...]:
        leaving = dict(self.leaving)
        return tuple(seat for seat in self.play.position.playing if seat not in leaving)

    def elapsed(self, at: float) -> float:
        """Return the time that the open turn has taken. Units: seconds, to the millisecond."""
        until = at if self.paused is None else self.paused
        return max(0.0, round(until - self.began, 3))

    @property
    def allowed(self) -> float:
        """Units: seconds; the limit of the open turn, infinite without one."""
        if not self.clock or self.outcome:
            return math.inf
        own = self.clock.left(self.play.mover, setup=self.in_setup)
        return min(own, self.clock.game_left())

    @property
    def deadline(self) -> float | None:
        """The last time when the player to move can act; None without a limit."""
        if self.paused is not None or self.allowed == math.inf:
            return None
        return self.began + self.allowed

    def time_left(self, at: float) -> float:
        """Return the time left to the player to move, infinite without a limit. Units: seconds."""
        return self.allowed - self.elapsed(at)

    def time_is_up(self, at: float, grace: float = 0.0) -> bool:
        """Return whether the player to move is more than ``grace`` seconds over the time."""
        return round(self.time_left(at) + grace, 3) < 0

    def offer_to(self, seat: int, what: str = "", *, own: bool = False) -> Offer | None:
        """Return the latest offer that waits for a player's answer, or that is the player's own."""
        found = [one for one in self.offers if seat in ((one.seat,) if own else one.waiting)]
        return next((offer for offer in reversed(found) if what in ("", offer.what)), None)

    def placed(self, turns: int) -> bool:
        """Return whether each of the last turns placed one piece, and needs no consent to undo."""
        last = self.play.turns[-turns:]
        return len(last) == turns and all(
            turn.before.in_setup and not (turn.left or self.play.room.rules.whole_setups)
            for turn in last
        )
