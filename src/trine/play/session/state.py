"""The state of a running game: a value, with the clock at any moment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from trine.core.clock import Clock
from trine.core.contract.outcome import Outcome, Reason
from trine.core.play import Play
from trine.play.record.agreed_terms import Terms
from trine.play.session.offers import Offer


@dataclass(frozen=True)
class State:
    """A running game. Moments are those of entries: seconds since 1970."""

    terms: Terms
    play: Play
    """The play; it never changes, each entry makes a new one."""
    clock: Clock | None
    """The time left at the beginning of the open turn; None without a clock."""
    began: float
    """The moment from which the time of the open turn counts: its beginning plus all pauses."""
    at: float
    """The moment of the last entry."""
    paused: float | None = None
    """The beginning of the pause; None while time passes."""
    by_consent: bool = False
    """Whether the players asked for the pause, so that only they can end it."""
    offers: tuple[Offer, ...] = ()
    """The open offers, the latest last."""
    leaving: tuple[tuple[int, Reason], ...] = ()
    """The players who resigned out of turn, of three or four, with the reason: each leaves when it
    is to move."""
    spent: tuple[tuple[Clock, float], ...] = ()
    """The clock before each turn, and the seconds that the turn took; empty without a clock."""

    @classmethod
    def first(cls, terms: Terms, at: float) -> Self:
        clock = Clock.start(terms.clock, len(terms.names)) if terms.clock else None
        return cls(terms, Play(terms.room, terms.start), clock, at, at)

    @property
    def outcome(self) -> Outcome | None:
        return self.play.outcome

    @property
    def in_setup(self) -> bool:
        """Whether the open turn sets up a whole side, which has its own time limit."""
        return self.play.room.sets_up_whole(self.play.turn_start)

    @property
    def staying(self) -> tuple[int, ...]:
        leaving = dict(self.leaving)
        return tuple(seat for seat in self.play.position.playing if seat not in leaving)

    def elapsed(self, at: float) -> float:
        """Units: seconds, to the millisecond; the time of the open turn at a moment."""
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
        """The last moment at which the player to move is in time; None without a limit."""
        if self.paused is not None or self.allowed == math.inf:
            return None
        return self.began + self.allowed

    def time_left(self, at: float) -> float:
        """Units: seconds; the time left to the player to move, infinite without a limit."""
        return self.allowed - self.elapsed(at)

    def time_is_up(self, at: float, grace: float = 0.0) -> bool:
        """Return whether the time of the player to move is up, ``grace`` seconds in addition."""
        return round(self.time_left(at) + grace, 3) < 0

    def offer_to(self, seat: int, what: str = "") -> Offer | None:
        """Return the latest offer that waits for a player's answer."""
        waiting = [offer for offer in self.offers if seat in offer.waiting]
        return next((one for one in reversed(waiting) if what in ("", one.what)), None)

    def placed(self, turns: int) -> bool:
        """Return whether each of the last turns placed one piece: no consent is needed."""
        last = self.play.turns[-turns:]
        return len(last) == turns and all(
            turn.before.in_setup and not (turn.left or self.play.room.rules.whole_setups)
            for turn in last
        )
