"""The director, which advances tournaments step by step.

Each step reads a tournament from the store and writes the one thing that comes next: a result, a
game, the pairings of a round, the end. A repeated step does nothing, so the house can stop between
any two steps and resume there, and several processes may direct concurrently. In an arena, each
process pairs the players whose pages it serves.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from trine.core.errors import IllegalError
from trine.core.work.cpu_account import in_thread
from trine.house.background import Report
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.games import Games
from trine.house.games.storage.events import ABORT, read_events
from trine.house.games.storage.tables import SeatKind, SeatRow, Stage, read_game
from trine.house.games.view.snapshot import MISSING
from trine.house.people.relations import Blocks
from trine.house.people.sanctions import Sanctions
from trine.house.ratings.ratings import Ratings
from trine.house.store.store import Store
from trine.house.store.store_errors import HeldError
from trine.house.tournaments import tables, tournament_steps
from trine.house.tournaments.tables import (
    EntrantRow,
    PairingRow,
    TournamentStage,
    TournamentState,
    read_state,
)
from trine.play.tournament import formats
from trine.play.tournament.tournament import DRAW, LOSS, WIN, TournamentFormat

POLL_INTERVAL: Final = 1.0  # seconds; the interval of checks for due tournaments
ARENA_PAUSE: Final = 5.0  # seconds; the interval of pairings of the free players of an arena
PLAYED: Final = 2  # a game with this number of turns counts as played: one turn by each player


@dataclass(frozen=True)
class TournamentServices:
    """The services that tournaments need."""

    store: Store
    report: Report
    games: Games
    ratings: Ratings
    blocks: Blocks
    sanctions: Sanctions
    begun: Callable[[Collection[str], str, Agreement], None]
    """A function that is called with the people, the id and the agreement of a game that begins."""
    listens: Callable[[str], bool]
    """A function that returns whether the program of an account is listening for new games."""


class Director:
    """The director of the tournaments of a house."""

    def __init__(
        self, services: TournamentServices, waiting: Callable[[str], Collection[str]]
    ) -> None:
        """``waiting`` returns the people who have the page of a tournament open."""
        self._store, self._services, self._waiting = services.store, services, waiting
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._again: set[str] = set()  # the tournaments to advance at the next tick, due or not
        self._has_begun = False
        self._arenas: dict[str, float] = {}

    def wake(self, tournament: str) -> None:
        """Schedule a tournament to be advanced at the next tick, because it has changed."""
        self._again.add(tournament)

    async def run(self) -> None:
        """Advance the tournaments that need it; on the first call, all that are running."""
        if not self._has_begun:
            stages = [TournamentStage.RUNNING]
            for row in await self._store.fetch(tables.in_stages, stages):
                self.wake(row.id)
            self._has_begun = True
        await self.tick()

    async def tick(self) -> None:
        """Advance tournaments that have changed or are due, and arenas to be paired."""
        now = self._store.now()
        again, self._again = self._again, set()
        due = await self._store.fetch(tables.to_see_to, now)
        arenas = {
            tournament_id for tournament_id, at in self._arenas.items() if now >= at + ARENA_PAUSE
        }
        for tournament_id in sorted(again | due | arenas):
            try:
                await self.advance(tournament_id)
            except Exception as error:  # one failure must not block the others
                self._again.add(tournament_id)
                self._services.report(
                    "a tournament could not go on", error, tournament=tournament_id
                )

    async def advance(self, tournament_id: str) -> None:
        """Take steps in a tournament until no step is left."""
        lock = self._locks.setdefault(tournament_id, asyncio.Lock())
        async with lock:
            while await self._step(tournament_id):
                pass

    async def _step(self, tournament_id: str) -> bool:
        """Take the next step; return whether another one may follow."""
        state = await in_thread(partial(read_state, self._store, tournament_id))
        if state and state.row.stage is TournamentStage.OPEN:
            return await self._begin_in_time(state)
        if not state or state.row.stage is not TournamentStage.RUNNING:
            self._arenas.pop(tournament_id, None)
            return False
        if state.plan.format is TournamentFormat.ARENA:
            self._arenas.setdefault(tournament_id, self._store.now())
        games = enumerate(state.pairings, 1)
        done = [await self._see_to(state, *one) for one in games if one[1].pairing.open]
        return True if any(done) else await self._go_on(state)

    async def _begin_in_time(self, state: TournamentState) -> bool:
        """Begin a tournament at its starting time, or cancel it if too few have joined."""
        row, now = state.row, self._store.now()
        if row.starts_at is None or now < row.starts_at:
            return False
        try:
            await self.begin(state)
        except IllegalError:
            entries = [one.entry for one in state.entrants]
            await self._store.commit(tournament_steps.cancel, row.id, now, entries)
        return True  # after a race with joining or leaving, the next step tries again

    async def begin(self, state: TournamentState) -> bool:
        """Begin a tournament that has enough entrants; return whether this call began it."""
        ratings = {
            one.entry: await self._services.ratings.strength(state.agreement, one.person)
            for one in state.entrants
        }
        entries = sorted(ratings, key=lambda entry: (-ratings[entry], entry))
        if state.plan.format is TournamentFormat.CHALLENGE:
            entries = sorted(ratings)  # the challenger has the first entry
        formats.check_begins(state.numbered(entries))
        now, arena = self._store.now(), state.plan.format is TournamentFormat.ARENA
        until = now + 60 * state.plan.minutes if arena else None
        who = {one.entry: one.who for one in state.entrants}
        seeding = [(entry, who[entry], ratings[entry]) for entry in entries]
        return await self._store.commit(tournament_steps.begin, state.row.id, seeding, now, until)

    async def _see_to(self, state: TournamentState, number: int, one: PairingRow) -> bool:
        """Handle a pairing that has no result yet; return whether the tournament changed."""
        tournament_id = state.row.id
        if one.stage is Stage.OVER:
            assert one.game
            points, played = await in_thread(partial(result, self._store, one.game))
            await self._count(tournament_id, number, one.game, points, played=played)
            return True
        if one.stage is Stage.WAITING:  # the house crashed before the game began
            assert one.game
            await self._begin_game(one.game)
            return False
        if one.game:
            return False
        entrants = [state.entrant(seat) for seat in one.pairing.seats]
        if any(entrant.withdrawn for entrant in entrants):
            points = [LOSS if entrant.withdrawn else WIN for entrant in entrants]
            await self._count(tournament_id, number, None, points, played=False)
            return True
        await self._play(state, number, entrants)
        return True

    async def _count(
        self,
        tournament_id: str,
        number: int,
        game_id: str | None,
        points: Sequence[float],
        *,
        played: bool,
    ) -> None:
        await self._store.commit(
            tournament_steps.result, tournament_id, number, game_id, points, played=played
        )

    async def _play(
        self, state: TournamentState, number: int, entrants: Sequence[EntrantRow]
    ) -> None:
        """Create the game of a pairing, and redirect players from the lobby to it."""
        agreement = state.agreement_of(number)
        people = [one.person for one in entrants]
        if agreement.rated and await self._services.ratings.are_apart(people):
            agreement = replace(agreement, rated=False)  # linked accounts play on, unrated
        seats = [
            SeatRow(SeatKind.BOT if one.bot else SeatKind.PERSON, one.name, one.person)
            for one in entrants
        ]
        players = {person for person in people if person}
        absent = set() if agreement.by_days else players - set(self._waiting(state.row.id))
        play, now = tournament_steps.play, self._store.now()
        game = await self._store.commit(play, state.row.id, number, agreement, seats, now, absent)
        if not game:
            return  # an entrant has withdrawn meanwhile
        await self._begin_game(game)
        self._services.begun(players, game, agreement)

    async def _begin_game(self, game_id: str) -> None:
        """Begin a game, unless another process is running it already."""
        with suppress(HeldError):
            await self._services.games.actor(game_id)

    async def _go_on(self, state: TournamentState) -> bool:
        """Pair the next games, or end the tournament."""
        tournament_id, now = state.row.id, self._store.now()
        assert state.row.began_at is not None
        minutes = (now - state.row.began_at - state.closed) / 60
        value = state.tournament
        count = len(state.pairings)
        if formats.over(value, minutes):
            return await self._store.commit(tournament_steps.end, tournament_id, count, now)
        if state.plan.format is TournamentFormat.ARENA:
            if minutes >= state.plan.minutes or now < self._arenas[tournament_id] + ARENA_PAUSE:
                return False
            self._arenas[tournament_id] = now
        try:
            waiting = state.free(self._there(state))
            apart = await self._apart(state, waiting)
            pairings = await in_thread(partial(formats.next_games, value, waiting, apart))
        except IllegalError:  # no two entrants are left to pair
            return await self._store.commit(tournament_steps.end, tournament_id, count, now)
        if not pairings:
            return False
        return await self._store.commit(tournament_steps.pair, tournament_id, count, pairings)

    async def _apart(self, state: TournamentState, waiting: Collection[int]) -> set[frozenset[int]]:
        people = {state.entrant(number).person: number for number in waiting}
        pairs = await self._services.blocks.apart([person for person in people if person])
        return {frozenset(people[person] for person in pair) for pair in pairs}

    def _there(self, state: TournamentState) -> set[str]:
        """Return the people waiting for an arena game: at its page, or as listening programs."""
        programs = {one.person for one in state.entrants if one.person and one.program}
        return {*self._waiting(state.row.id), *filter(self._services.listens, programs)}


def result(store: Store, game_id: str) -> tuple[list[float], bool]:
    """Return the points of a finished game, and whether it was played at the board.

    A missing player loses; if both are missing, both lose.
    """
    row = store.read(read_game, game_id)
    assert row
    if not row.reason:
        (aborted,) = (event for event in store.read(read_events, game_id) if event.kind == ABORT)
        missing = aborted.data.get(MISSING, [0, 1])
        return [LOSS if seat in missing else WIN for seat in (0, 1)], False
    played = (row.turns or 0) >= PLAYED
    if row.winner is None:
        return [DRAW, DRAW], played
    return [WIN if seat == row.winner else LOSS for seat in (0, 1)], played
