"""The running games of a person, including those that are not in memory."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from trine.core.clock import parse_time_control
from trine.core.contract import Room
from trine.core.contract.position import Seat
from trine.core.work.cpu_account import in_thread
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import DEADLINE
from trine.house.games.live.games import Games
from trine.house.games.storage import tables
from trine.house.games.storage.tables import SeatRow, games_of, seats_of_games
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.tables import Person
from trine.house.store.scheduled_tasks import times_of
from trine.house.store.store import Store

MAX_GAMES: Final = 100
"""The maximum number of a person's games that are shown."""


@dataclass(frozen=True)
class Running:
    """A running game of a person."""

    game: str
    agreement: Agreement
    seats: Sequence[SeatRow]
    to_move: bool
    deadline: float | None = None
    """The end of the turn, see `turn_ends`. Units: seconds since 1970."""

    @property
    def room(self) -> Room:
        return self.agreement.room

    @property
    def board(self) -> Sequence[Seat]:
        return self.agreement.terms().start.seats

    @property
    def order(self) -> tuple[bool, float, str]:
        """The sort key: first the games where the person is to move, the most urgent ones first."""
        return not self.to_move, math.inf if self.deadline is None else self.deadline, self.game


def running(snapshot: Snapshot, person_id: str) -> Running:
    state, agreement = snapshot.state, snapshot.agreement
    moves = state is not None and state.play.mover in snapshot.seats_of(person_id)
    ends = None
    if state and agreement.by_days:
        ends = turn_ends(agreement, state.began, state.deadline, snapshot.at)
    return Running(snapshot.game, agreement, snapshot.seats, moves, ends)


def turn_ends(
    agreement: Agreement, since: float, deadline: float | None, now: float
) -> float | None:
    """Return the end of a turn's days or, if these have ended, of the vacation."""
    if deadline is None:
        return None
    days = since + parse_time_control(agreement.clock).move
    return min(days, deadline) if days > now else deadline


def running_games(store: Store, person_id: str, now: float) -> list[Running]:
    rows = store.read(games_of, person_id, MAX_GAMES, running=True)
    names = [row.id for row in rows]
    seats, movers = store.read(seats_of_games, names), store.read(tables.movers, names)
    deadlines = store.read(times_of, DEADLINE, names)
    games = []
    for row in rows:
        agreement = row.agreement
        mover, since = movers.get(row.id, ("", 0.0))
        ends = turn_ends(agreement, since, deadlines.get(row.id), now)
        games.append(Running(row.id, agreement, seats.get(row.id, []), mover == person_id, ends))
    return games


@dataclass(frozen=True)
class OwnGames:
    """The running games of people, in all processes.

    ``look`` returns the snapshot of a game that may be in another process.
    """

    games: Games
    store: Store
    look: Callable[[str], Awaitable[Snapshot | None]]

    async def of(self, person: Person | None) -> list[Running]:
        """Return the running games of a person; those where the person is to move come first.

        Games in memory are shown in their current state; no games are loaded.
        """
        if not person:
            return []
        written = await in_thread(partial(running_games, self.store, person.id, self.store.now()))
        games = []
        for one in written:
            actor = self.games.loaded(one.game)
            if actor is None:
                games.append(await self._elsewhere(one, person.id))
            elif not actor.snapshot.over:
                games.append(running(actor.snapshot, person.id))
        return sorted(games, key=lambda one: one.order)

    async def _elsewhere(self, written: Running, person_id: str) -> Running:
        """Return a game that is not in memory here; if another process has it, ask that process."""
        agreement = written.agreement
        if not self.store.shared or agreement.by_days or not agreement.clock:
            return written
        found = await self.look(written.game)
        return running(found, person_id) if found else written

    async def next_to_move(self, person: Person | None, but: str = "") -> str:
        """Return the id of the most urgent other game where a person is to move; empty if none."""
        games = (one.game for one in await self.of(person) if one.to_move)
        return next((game for game in games if game != but), "")
