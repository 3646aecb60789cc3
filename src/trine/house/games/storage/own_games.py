"""The games of a person: the running ones, export, deletion, and transfer from a guest."""

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import parse_time_control
from trine.core.contract.position import Seat
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.work.cpu_account import in_thread
from trine.house.background import Report
from trine.house.games.live.actor_requests import give_up, transfer
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import DEADLINE, combine
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import LiveGame
from trine.house.games.storage import tables
from trine.house.games.storage.events import read_events, take_name_off
from trine.house.games.storage.records import RecordFolder, entries_of, record_text
from trine.house.games.storage.tables import GameRow, SeatRow, Stage, games_of, seats_of_games
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.accounts import Forget
from trine.house.people.names import DELETED
from trine.house.people.tables import Person, read_account
from trine.house.people.takeout import ALL, Takeout, fields_of
from trine.house.store.scheduled_tasks import times_of
from trine.house.store.store import Store

MAX_GAMES: Final = 100  # maximum number of a person's games that are shown


@dataclass(frozen=True)
class ListedGame:
    """A game in a list of games."""

    game: str
    agreement: Agreement
    seats: Sequence[SeatRow]

    @property
    def room(self) -> Room:
        return self.agreement.room

    @property
    def board(self) -> Sequence[Seat]:
        return self.agreement.terms().start.seats

    def seats_of(self, person_id: str | None) -> frozenset[int]:
        return tables.seats_held(self.seats, person_id)


@dataclass(frozen=True)
class Running(ListedGame):
    """A running game of a person."""

    to_move: bool
    deadline: float | None = None  # the end of the turn, see `turn_ends`. Units: seconds since 1970

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


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    takeout.about["games"] = []
    games = tables.games_of(connection, person_id, ALL)
    takeout.steps.extend(partial(_tell_game, game=game, person_id=person_id) for game in games)


def _tell_game(connection: Connection, takeout: Takeout, game: GameRow, person_id: str) -> None:
    rows = tables.read_seats(connection, game.id)
    seats = [number for number, seat in enumerate(rows) if seat.person == person_id]
    conditions = tables.conditions_of(connection, [game.id]).get(game.id, [])
    takeout.about["games"].append(
        {
            "id": game.id,
            "terms": dict(game.terms),
            "seats": seats,
            "conditions": [
                fields_of(row, ("seat", "turns", "tree")) for row in conditions if row.seat in seats
            ],
        }
    )
    if entries := entries_of(read_events(connection, game.id)):
        board = game.agreement.terms().start.seats
        takeout.files[f"games/{game.id}.trine"] = record_text(entries, board)


def _tags_of(
    connection: Connection, game: GameRow, person_id: str, but: Collection[str] = ()
) -> dict[int, str]:
    """Return a person's seats with names not in ``but``, each with the record tag of the name."""
    board = game.agreement.terms().start.seats
    seats = enumerate(tables.read_seats(connection, game.id))
    return {
        n: board[n].tag for n, seat in seats if seat.person == person_id and seat.name not in but
    }


async def rename_at_boards(
    store: Store,
    games: Games,
    person: Person,
    *,
    running: bool = True,
    records: RecordFolder | None = None,
) -> None:
    """Update a person's name in their games, or only in running ones.

    ``records`` is the folder of records to rewrite; without it, stored files keep the old name.
    """
    account = await store.fetch(read_account, person.id)
    if account and account.bot:
        return  # records mark a bot's name, so it is not replaced
    for game in await store.fetch(tables.games_of, person.id, ALL, running=running):
        # A person who plays both sides at one screen has no name at the seats.
        if tags := await store.fetch(_tags_of, game, person.id, ("", person.name)):
            named, renewal = {game.id: tags}, records.renewal(game.id) if records else None
            off = partial(take_name_off, person_id=person.id, name=person.name, tags=named)
            if write := combine(off, renewal):
                await store.commit(write)
            games.change_view(game.id, partial(LiveGame.renamed, own=tags, name=person.name))


@dataclass(frozen=True)
class LeavingPlayers:
    """The handling of games when an account is deleted."""

    store: Store
    games: Games
    records: RecordFolder
    report: Report

    @asynccontextmanager
    async def leave(self, person: Person) -> AsyncIterator[Forget | None]:
        """End the person's running games, then replace the name at all their seats."""
        tags = await self._give_up_all(person, ())
        renewals = [self.records.renewal(name) for name in tags]
        known, late = frozenset(tags), dict[str, dict[int, str]]()

        def write(connection: Connection, person_id: str) -> None:
            for game in tables.games_of(connection, person_id, ALL):
                if game.id not in known:  # the game began meanwhile
                    late[game.id] = _tags_of(connection, game, person_id)
            take_name_off(connection, person_id, DELETED, {**tags, **late})
            if renew := combine(*renewals):
                renew(connection)

        yield write
        await self._give_up_all(person, tags)
        for name, own in {**tags, **late}.items():
            self.games.change_view(name, partial(LiveGame.renamed, own=own, name=DELETED))

    async def _give_up_all(self, person: Person, but: Collection[str]) -> dict[str, dict[int, str]]:
        """End all games except those in ``but``; return the tags of the person's seats by game."""
        games = await self.store.fetch(tables.games_of, person.id, ALL)
        games = [game for game in games if game.id not in but]
        for game in games:
            if game.stage is not Stage.OVER:
                await self._give_up(game.id, person)
        return {game.id: await self.store.fetch(_tags_of, game, person.id) for game in games}

    async def _give_up(self, game_id: str, person: Person) -> None:
        try:
            await give_up(await self.games.actor(game_id, move=True), person.id)
        except TrineError as error:
            self.report("a game could not be given up", error, game=game_id)


@dataclass(frozen=True)
class GuestGames:
    """The transfer of a guest's seats and other data to an account.

    The callbacks: ``is_elsewhere`` returns whether another process has a game, ``rows`` transfer
    the guest's other rows, in the same transaction, and ``after`` transfer what is in memory.
    """

    store: Store
    games: Games
    is_elsewhere: Callable[[str], Awaitable[bool]]
    rows: Sequence[Callable[[Connection, str, str], None]]
    after: Sequence[Callable[[Person, Person], None]]

    async def bring(self, guest: Person, account: Person) -> None:
        """Transfer a guest's seats and other data to an account, in one transaction.

        Games in memory are locked during it, so that nothing is written for the guest afterwards.
        """
        await self._fetch(guest)
        held = [actor for actor in self.games.actors if actor.snapshot.seats_of(guest.id)]
        held.sort(key=lambda actor: actor.id)  # in one order, so that transfers cannot deadlock
        moved: list[str] = []

        async def write() -> None:
            moved.extend(
                await self.store.commit(tables.transfer_seats, guest.id, account.id, self.rows)
            )

        async def hand(actor: GameActor) -> None:
            if actor.id in moved:
                await transfer(actor, guest.id, account.id)

        await _hold_all(held, write, hand)
        names = {actor.id for actor in held}
        for game in moved:
            if game not in names and self.games.has_loaded(game):  # loaded since the transfer began
                actor = await self.games.actor(game)
                await actor.queue.write(partial(hand, actor))
        for one in self.after:
            one(guest, account)

    async def _fetch(self, guest: Person) -> None:
        """Move the guest's running games from other processes to this one."""
        if not self.store.shared:
            return
        for game in await self.store.fetch(tables.games_of, guest.id, running=True):
            if await self.is_elsewhere(game.id):
                await self.games.actor(game.id, move=True)


async def _hold_all(
    actors: Sequence[GameActor],
    work: Callable[[], Awaitable[None]],
    after: Callable[[GameActor], Awaitable[None]],
) -> None:
    """Run ``work`` while the queues of all actors are blocked, then ``after`` for each actor."""
    if not actors:
        await work()
        return

    async def here() -> None:
        await _hold_all(actors[1:], work, after)
        await after(actors[0])

    await actors[0].queue.write(here)
