"""The director: carries tournaments on, step by step.

Each step reads a tournament as it is stored, and writes the one thing that comes next: a result, a
game, the pairings of a round, the end. What was done already is not done again, whoever tries to;
so the house can be stopped between any two steps, and goes on where it was. For the same reason
several processes of one house may direct at once; in an arena each pairs those whose pages it has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from trine.core.errors import IllegalError, TrineError
from trine.house.export import ABORT, entries_of
from trine.house.no_show import MISSING
from trine.house.notices import Told
from trine.house.standing import TournamentState, read_state
from trine.session.changes import rebuilt
from trine.store.game_rows import Stage
from trine.store.notices import note
from trine.store.refusals import HeldError
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.store import Store
from trine.store.tournament_rows import EntrantRow, PairingRow, TournamentStage
from trine.tournament import formats
from trine.tournament.pairing import DRAW, LOSS, WIN
from trine.tournament.plan import Format

if TYPE_CHECKING:
    from trine.house.house import House

LOOKS: Final = 1.0
"""Units: seconds; so often what is due is looked for."""
ARENA_PAUSE: Final = 5.0
"""Units: seconds; in an arena so many wait a little for each other before they are paired."""
PLAYED: Final = 2
"""Turns after which a game has been played, however it ends. Each has then played one."""


class Director:
    """The director of the tournaments of a house."""

    def __init__(self, house: House, waiting: Callable[[str], Collection[str]]) -> None:
        """``waiting`` tells which people have the page of a tournament open."""
        self._house = house
        self._store: Final = house.store.tournaments
        self._waiting = waiting
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._again: set[str] = set()
        """Tournaments to look at, whatever is due."""
        self._arenas: dict[str, float] = {}
        """Running arenas, and when they were paired last."""

    def wake(self, tournament: str) -> None:
        """Look at a tournament soon: something has happened in it."""
        self._again.add(tournament)

    async def run(self) -> None:
        """Carry all tournaments on, for ever."""
        stages = [TournamentStage.RUNNING]
        for row in await asyncio.to_thread(self._store.in_stages, stages):
            self.wake(row.id)
        while True:
            try:
                await self.tick()
            except Exception as error:  # a fault of ours ends no tournament
                self._house.report("tournaments could not be seen to", error)
            await asyncio.sleep(LOOKS)

    async def tick(self) -> None:
        """Carry on the tournaments in which something is to be done."""
        now = self._house.now()
        again, self._again = self._again, set()
        due = await asyncio.to_thread(self._store.to_see_to, now)
        arenas = {name for name, at in self._arenas.items() if now >= at + ARENA_PAUSE}
        for name in sorted(again | due | arenas):
            try:
                await self.advance(name)
            except TrineError as error:
                self._again.add(name)
                self._house.report("a tournament could not go on", error, tournament=name)

    async def advance(self, name: str) -> None:
        """Do in a tournament all that can be done now."""
        lock = self._locks.setdefault(name, asyncio.Lock())
        async with lock:
            while await self._step(name):
                pass

    async def _step(self, name: str) -> bool:
        """Do the one thing that comes next; whether there may be more."""
        state = await asyncio.to_thread(read_state, self._store, name)
        if state and state.row.stage is TournamentStage.OPEN:
            return await self._begin_in_time(state)
        if not state or state.row.stage is not TournamentStage.RUNNING:
            self._arenas.pop(name, None)
            return False
        if state.plan.format is Format.ARENA:
            self._arenas.setdefault(name, self._house.now())
        games = enumerate(state.pairings, 1)
        done = [await self._see_to(state, *one) for one in games if one[1].pairing.open]
        return True if any(done) else await self._go_on(state)

    # --- beginning --------------------------------------------------------------------------------

    async def _begin_in_time(self, state: TournamentState) -> bool:
        """Begin a tournament whose time has come; with too few it is cancelled."""
        row, now = state.row, self._house.now()
        if row.starts_at is None or now < row.starts_at:
            return False
        try:
            return await self.begin(state)
        except IllegalError:
            return await asyncio.wrap_future(
                self._store.end(row.id, TournamentStage.CANCELLED, now)
            )

    async def begin(self, state: TournamentState) -> bool:
        """Begin a tournament; whether it was begun now.

        Raises:
            IllegalError: so many cannot play it.
        """
        ratings = {one.entry: await self._rating(state, one) for one in state.entrants}
        entries = sorted(ratings, key=lambda entry: (-ratings[entry], entry))
        if state.plan.format is Format.CHALLENGE:
            entries = sorted(ratings)  # the challenger has come first
        formats.check_begins(state.numbered(entries))
        now = self._house.now()
        until = now + 60 * state.plan.minutes if state.plan.format is Format.ARENA else None
        numbers = [(entry, ratings[entry]) for entry in entries]
        return await asyncio.wrap_future(self._store.begin(state.row.id, numbers, now, until))

    async def _rating(self, state: TournamentState, one: EntrantRow) -> float:
        return await self._house.ratings.strength(state.agreement, one.person)

    # --- games ------------------------------------------------------------------------------------

    async def _see_to(self, state: TournamentState, number: int, one: PairingRow) -> bool:
        """See to a game that is not counted yet; whether something was done."""
        name = state.row.id
        if one.stage is Stage.OVER:
            assert one.game
            points, played = await asyncio.to_thread(result, self._house.store, one.game)
            await asyncio.wrap_future(self._store.result(name, number, points, played=played))
            return True
        if one.stage is Stage.WAITING:  # the house broke down before the game had begun
            assert one.game
            await self._begin_game(one.game)
            return False
        if one.game:
            return False
        entrants = [state.entrant(seat) for seat in one.pairing.seats]
        if any(entrant.withdrawn for entrant in entrants):
            points = [LOSS if entrant.withdrawn else WIN for entrant in entrants]
            await asyncio.wrap_future(self._store.result(name, number, points, played=False))
            return True
        await self._play(state, number, entrants)
        return True

    async def _play(
        self, state: TournamentState, number: int, entrants: Sequence[EntrantRow]
    ) -> None:
        """Create the game of a pairing, and lead players to it who are in the lobby."""
        agreement = state.agreement_of(number)
        seats = [
            SeatRow(SeatKind.BOT, one.name)
            if one.bot
            else SeatRow(SeatKind.PERSON, one.name, one.person)
            for one in entrants
        ]
        game = await asyncio.wrap_future(
            self._store.play(
                state.row.id,
                number,
                agreement.game,
                agreement.rules,
                agreement.as_data(),
                seats,
            )
        )
        await self._begin_game(game)
        people = {one.person for one in entrants if one.person}
        self._house.followers.game_begun(people, game)
        if not agreement.by_days:
            self._house.lobby.tell(people, game)
            await self._tell(people - set(self._waiting(state.row.id)), game)

    async def _tell(self, people: Collection[str], game: str) -> None:
        """Tell people who are elsewhere that a game of theirs on a clock begins."""
        at = self._house.now()

        def write(connection: Connection) -> None:
            for person in people:
                note(connection, person, game, Told.BEGAN, at, live=True)

        await asyncio.wrap_future(self._house.store.write(write))

    async def _begin_game(self, game: str) -> None:
        """Have a game begin, here or in the process that has taken it already."""
        with suppress(HeldError):
            await self._house.host(game)

    async def _go_on(self, state: TournamentState) -> bool:
        """Pair the next games, or end the tournament."""
        name, now = state.row.id, self._house.now()
        assert state.row.began_at is not None
        minutes = (now - state.row.began_at - state.closed) / 60
        value = state.tournament
        if formats.over(value, minutes):
            return await asyncio.wrap_future(self._store.end(name, TournamentStage.OVER, now))
        if state.plan.format is Format.ARENA:
            if minutes >= state.plan.minutes or now < self._arenas[name] + ARENA_PAUSE:
                return False
            self._arenas[name] = now
        try:
            pairings = formats.next_games(value, state.free(self._waiting(name)))
        except IllegalError:  # nobody is left whom anybody can meet
            return await asyncio.wrap_future(self._store.end(name, TournamentStage.OVER, now))
        if not pairings:
            return False
        future = self._store.pair(name, len(state.pairings), pairings)
        return await asyncio.wrap_future(future)


def result(store: Store, game: str) -> tuple[list[float], bool]:
    """The points of a game of two that is over, and whether it was played at the board.

    Who has not come has lost; where both have not, both have.
    """
    events = store.events(game)
    aborted = next((event for event in events if event.kind == ABORT), None)
    if aborted:
        missing = aborted.data.get(MISSING, [0, 1])
        return [LOSS if seat in missing else WIN for seat in (0, 1)], False
    state = rebuilt(entries_of(events))
    assert state.outcome
    winner, played = state.outcome.winner, len(state.play.turns) >= PLAYED
    if winner is None:
        return [DRAW, DRAW], played
    return [WIN if seat == winner else LOSS for seat in (0, 1)], played
