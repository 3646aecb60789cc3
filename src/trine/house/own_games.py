"""The running games of a person, also those that are not in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trine.core.clock import parse_time_control
from trine.core.doors import Room
from trine.core.seat import Seat
from trine.house.agreement import Agreement
from trine.house.correspondence import DEADLINE
from trine.house.snapshot import Snapshot
from trine.store.seat_rows import SeatRow
from trine.store.store import Store

MOST: Final = 100
"""Games of one person that are shown at once."""


@dataclass(frozen=True)
class Running:
    """A running game of somebody."""

    game: str
    agreement: Agreement
    seats: Sequence[SeatRow]
    to_move: bool
    deadline: float | None = None
    """Units: seconds since 1970; see `turn_ends`."""

    @property
    def room(self) -> Room:
        """The game that is played."""
        return self.agreement.room

    @property
    def board(self) -> Sequence[Seat]:
        """The seats as the rules have them."""
        return self.agreement.terms().start.seats

    @property
    def order(self) -> tuple[bool, float, str]:
        """Games are sorted by it: those first in which it is one's turn, the most urgent first."""
        return not self.to_move, math.inf if self.deadline is None else self.deadline, self.game


def running(snapshot: Snapshot, person: str) -> Running:
    """A game in memory as one of somebody's."""
    state, agreement = snapshot.state, snapshot.agreement
    moves = state is not None and state.play.mover in snapshot.seats_of(person)
    ends = None
    if state and agreement.by_days:
        ends = turn_ends(agreement, state.began, state.deadline, snapshot.at)
    return Running(snapshot.game, agreement, snapshot.seats, moves, ends)


def turn_ends(
    agreement: Agreement, since: float, deadline: float | None, now: float
) -> float | None:
    """The moment when the days of a turn are over, or, where they are, when the vacation is."""
    if deadline is None:
        return None
    days = since + parse_time_control(agreement.clock).move
    return min(days, deadline) if days > now else deadline


def running_games(store: Store, person: str, now: float) -> list[Running]:
    """The running games of somebody, as they are written down."""
    rows = store.running_games_of(person, MOST)
    names = [row.id for row in rows]
    seats, movers = store.seats_of_games(names), store.movers(names)
    deadlines = store.moments_of(DEADLINE, names)
    games = []
    for row in rows:
        agreement = Agreement.from_data(row.terms)
        mover, since = movers.get(row.id, ("", 0.0))
        ends = turn_ends(agreement, since, deadlines.get(row.id), now)
        games.append(Running(row.id, agreement, seats.get(row.id, []), mover == person, ends))
    return games
