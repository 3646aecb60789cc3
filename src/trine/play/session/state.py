"""The state of a running game as an immutable value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from trine.core.clock import Clock
from trine.core.contract.position import Outcome, Reason
from trine.core.play import Play
from trine.play.record.agreed_terms import Terms
from trine.play.session.offers import Offer


@dataclass(frozen=True)
class State:
    """A running game between two entries. Units: times are in seconds since 1970."""

    terms: Terms
    play: Play
    """The play; an entry that changes the position copies it instead of changing it."""
    clock: Clock | None
    """The time left at the start of the open turn; None without a clock."""
    began: float
    """The start of the open turn on the clock: its actual start plus all pauses since."""
    at: float
    """The time of the last entry."""
    paused: float | None = None
    """The start of the pause; None while the clock runs."""
    by_consent: bool = False
    """Whether the players agreed on the pause, so that only they can end it."""
    offers: tuple[Offer, ...] = ()
    """The open offers, the latest last."""
    declined_draws: tuple[tuple[int, int], ...] = ()
    """The players whose offer of a draw was declined, each with the number of turns then."""
    leaving: tuple[tuple[int, Reason], ...] = ()
    """In games of three or four: the players who resigned out of turn, each with the reason; each
    leaves in the next turn of that player."""
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

    def offer_to(self, seat: int, what: str = "") -> Offer | None:
        """Return the latest offer that waits for a player's answer."""
        waiting = [offer for offer in self.offers if seat in offer.waiting]
        return next((offer for offer in reversed(waiting) if what in ("", offer.what)), None)

    def placed(self, turns: int) -> bool:
        """Return whether each of the last turns placed one piece, and needs no consent to undo."""
        last = self.play.turns[-turns:]
        return len(last) == turns and all(
            turn.before.in_setup and not (turn.left or self.play.room.rules.whole_setups)
            for turn in last
        )
