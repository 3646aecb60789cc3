"""The registry of games in this process's memory: load, create and unload them."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol

from trine.core.errors import TrineError
from trine.house.games.live import actor_requests
from trine.house.games.live.agreement import LINK, ME, Agreement, check_wish
from trine.house.games.live.change_hooks import Write
from trine.house.games.live.game_actor import Dependencies, GameActor, identified
from trine.house.games.live.live_game import (
    LiveGame,
    NoGameError,
    StoredGame,
    read_live_game,
    stored_games,
)
from trine.house.games.live.timekeeper import Timers
from trine.house.games.storage import tables
from trine.house.games.storage.tables import GameRow, SeatKind, SeatRow, Stage
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.quotas import QuotaKind
from trine.house.people.tables import Person, read_person
from trine.house.refusals import HouseError, ShuttingDownError
from trine.house.store.secrets import new_id, new_token
from trine.house.store.store_errors import HeldError
from trine.house.web.refusing import InternalError, is_internal

MAX_GAMES: Final = 20_000  # maximum number of games in memory. Guess
RETRY_DELAY: Final = 1.0
"""Units: seconds; the retry delay of a deadline that passed while the lease had lapsed."""
RELOAD_DELAY: Final = 60.0
"""Units: seconds; the delay before a failed game is reloaded without a request. Its pages usually
ask sooner; the delay keeps a game that always fails from filling the log and its journal. Guess."""
_Stored = Mapping[str, StoredGame]


class GameLease(Protocol):
    """The lease of this process on its games: `trine.house.processes.lease.Lease`."""

    @property
    def home(self) -> str: ...

    @property
    def last_heartbeat(self) -> float | None: ...

    @property
    def lapsed(self) -> bool: ...

    async def take(self, game_id: str, *, held: bool) -> float | None: ...

    async def take_all(self, game_ids: Sequence[str]) -> Mapping[str, float | None]: ...

    async def lost(self, fencing_tokens: Mapping[str, int]) -> Collection[str]: ...


class Games:
    """The games in memory.

    Args: ``on_begun`` is called when a game is created, with the people at its seats and its id;
        ``on_moved`` when a game was taken from another process, or changed outside this one's
        memory.
    """

    def __init__(
        self,
        dependencies: Dependencies,
        lease: GameLease,
        *,
        on_begun: Callable[[Iterable[str | None], str], None],
        on_moved: Callable[[str], None],
    ) -> None:
        self._dependencies, self._lease = dependencies, lease
        self._store, self._now = dependencies.store, dependencies.store.now
        self._players, self._quotas = dependencies.players, dependencies.quotas
        self._background = dependencies.background
        self._made, self._moved = on_begun, on_moved
        self.timers: Final = Timers(self._now, self._tick)
        self.schedule: Final = self.timers.set
        """Schedules the next check of a game, by `GameActor.tick`; None cancels it."""
        self.closing = False
        self._actors: dict[str, GameActor] = {}
        self._loading: dict[str, asyncio.Task[GameActor]] = {}
        self._alive: dict[str, float | None] = {}
        """The last heartbeat of the former home of each adopted game."""
        self._unloaded: dict[str, int] = {}
        """The fencing tokens of unloaded games whose clocks are running."""

    async def close(self) -> None:
        """Stop the clocks of all games, and finish their queued writes."""
        self.closing = True
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        closing = [actor.close(pause=True) for actor in self._actors.values()]
        for error in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(error, Exception):
                self._background.report("a game could not be closed", error)
        self._actors.clear()

    @property
    def actors(self) -> Sequence[GameActor]:
        return list(self._actors.values())

    @property
    def listed(self) -> list[Snapshot]:
        """The public games that are being played in this process."""
        found = [actor.snapshot for actor in self._actors.values() if actor.agreement.listed]
        return [one for one in found if one.state and not one.over]

    def show_progress(self, game_id: str) -> None:
        """Show the compilation progress in games of this kind, if the computer is to move."""
        for actor in self.actors:
            if actor.agreement.game == game_id:
                actor.show_progress()

    def loaded(self, game_id: str) -> GameActor | None:
        return self._actors.get(game_id)

    def has_loaded(self, game_id: str) -> bool:
        return game_id in self._actors or game_id in self._loading

    async def actor(self, game_id: str, *, move: bool = False) -> GameActor:
        """Return a game's actor, after loading the game if necessary.

        With ``move``, the game is taken even from another process that has it.

        Raises:
            NoGameError: there is no such game.
            HeldError: another process has the game.
        """
        if self.closing:
            raise ShuttingDownError
        task = self._loading.get(game_id)  # first: no player may act before the clock is recovered
        if not task and (actor := self._actors.get(game_id)):
            return actor
        if len(self._actors) >= MAX_GAMES:
            raise HouseError("too many games are being played; try again later")
        if not task:
            task = self._start_loading(game_id, self._load(game_id, move=move))
        return await asyncio.shield(task)

    async def load_all(self, game_ids: Sequence[str]) -> dict[str, Exception]:
        """Load games in one read; return the errors by game id."""
        new = [game_id for game_id in game_ids if not self.has_loaded(game_id)]
        if new and not self.closing:
            reading = asyncio.ensure_future(self._take_games(new))
            for game_id in new:
                self._start_loading(game_id, self._load(game_id, move=False, reading=reading))
        done = await asyncio.gather(*map(self.actor, game_ids), return_exceptions=True)
        results = zip(game_ids, done, strict=True)
        return {game_id: one for game_id, one in results if isinstance(one, Exception)}

    def _start_loading(
        self, game_id: str, work: Coroutine[Any, Any, GameActor]
    ) -> asyncio.Task[GameActor]:
        """Load a game in a task of its own, shared by all concurrent requests for it."""
        task = self._loading[game_id] = asyncio.create_task(work)
        task.add_done_callback(partial(self._end_loading, game_id))
        return task

    def _end_loading(self, game_id: str, task: asyncio.Task[GameActor]) -> None:
        del self._loading[game_id]
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception) and is_internal(error):
            self.timers.set(game_id, self._now() + RELOAD_DELAY)  # the game's clock may be running

    async def _load(
        self, game_id: str, *, move: bool, reading: asyncio.Future[_Stored] | None = None
    ) -> GameActor:
        """Load a game; if that fails, its clock data are kept for the next attempt.

        Several games may share ``reading``; if it fails, this game is read by itself.
        """
        try:
            if reading:
                await asyncio.wait([reading])
            together = reading.result() if reading and not reading.exception() else {}
            stored = together.get(game_id) or (await self._read_games([game_id]))[game_id]
            return await self._put_in_memory(stored, move=move)
        except (NoGameError, HeldError):  # the game is gone, or another process runs its clock
            self._forget_clock(game_id)
            raise

    def _forget_clock(self, game_id: str) -> None:
        self._alive.pop(game_id, None)
        self._unloaded.pop(game_id, None)

    async def _take_games(self, game_ids: Sequence[str]) -> _Stored:
        """Take games if no other process can have them, and return them as they are stored."""
        self._alive |= await self._lease.take_all(game_ids)
        return await self._read_games(game_ids)

    async def _read_games(self, game_ids: Sequence[str]) -> _Stored:
        """Return stored games by id, with the ratings of their players."""
        found = await self._store.fetch(stored_games, game_ids)
        games = await identified(self._dependencies, *(one.live for one in found.values()))
        return {game.game: replace(found[game.game], live=game) for game in games}

    async def _put_in_memory(self, stored: StoredGame, *, move: bool) -> GameActor:
        game_id = stored.row.id
        self._alive.setdefault(game_id, self._lease.last_heartbeat)
        rested = self._unloaded.get(game_id, 0)
        if stored.row.home != self._lease.home:
            self._alive[game_id] = await self._lease.take(game_id, held=move)
            stored = (await self._read_games([game_id]))[game_id]
            if move:
                self._moved(game_id)
        fencing_token = stored.row.fencing_token
        actor = GameActor(stored.live, fencing_token, stored.answers, self._dependencies, self)
        await self._register(actor, self._recover(actor, unloaded=rested == fencing_token))
        self._forget_clock(game_id)
        return actor

    async def _recover(self, actor: GameActor, *, unloaded: bool) -> None:
        """Recover the clock of a loaded game, or begin a game if a crash prevented that."""
        if unloaded:
            await actor_requests.resume_clock(actor)
        elif actor.snapshot.stage is Stage.PLAYING:
            await actor.queue.write(
                partial(actor_requests.resume_after_downtime, actor, self._alive[actor.id])
            )
        elif actor.snapshot.stage is Stage.WAITING:
            await actor_requests.begin(actor)

    async def _register(self, actor: GameActor, ready: Coroutine[Any, Any, None]) -> None:
        """Register a game once it is ready; a refused game will be reloaded."""
        try:
            await ready
            if self.closing:
                raise ShuttingDownError
            if actor.queue.broken:
                raise InternalError
        except BaseException:
            await actor.close(pause=self.closing)
            raise
        self._actors[actor.id] = actor
        actor.show()

    def adopt(self, game_id: str, last_heartbeat: float | None) -> None:
        """Record that a game was taken from a lost process, with its last heartbeat."""
        self._alive[game_id] = last_heartbeat

    def evict(self, game_id: str, after: float = 0.0) -> None:
        """Unload a game; ``after`` seconds later, its pages have to reconnect."""
        if actor := self._actors.pop(game_id, None):
            let_go = partial(self._finish_unload, actor)
            self._background.run(let_go, "a game that leaves memory", game=game_id)
            asyncio.get_running_loop().call_later(after, actor.audience.dismiss)

    def forget_moved(self, game_id: str) -> None:
        """Unload a game that another process has taken, together with its clock."""
        self._unloaded.pop(game_id, None)
        self.evict(game_id)

    async def _finish_unload(self, actor: GameActor) -> None:
        """Finish the queued writes of an unloaded game; after a fault, schedule its reload."""
        await actor.close()
        if not self.has_loaded(actor.id):
            self.timers.set(actor.id, self._now() + RELOAD_DELAY if actor.queue.broken else None)

    def unload(self, game_id: str) -> None:
        """Unload a game whose clock is running."""
        self._unloaded[game_id] = self._actors[game_id].fencing_token
        self.evict(game_id)

    @property
    def clocks_run(self) -> bool:
        """Whether a clock of a game of this process is running."""
        return bool(self._unloaded) or any(actor.game.runs for actor in self._actors.values())

    def stood_still(self, last_heartbeat: float | None) -> None:
        """Mark unloaded games whose clocks run for recovery as after a downtime."""
        self._alive |= dict.fromkeys(self._unloaded, last_heartbeat)
        self._unloaded.clear()

    async def forget_lost(self) -> None:
        held = self._unloaded | {actor.id: actor.fencing_token for actor in self.actors}
        for game in await self._lease.lost(held):
            self.forget_moved(game)

    def _tick(self, game_id: str) -> None:
        if self._lease.lapsed:  # first the lease must tell who has the game now
            self.timers.set(game_id, self._now() + RETRY_DELAY)
        elif actor := self._actors.get(game_id):
            actor.tick()
        elif not self.closing:
            self._background.run(
                partial(self._load_anew, game_id), "a game to resume", game=game_id
            )

    async def _load_anew(self, game_id: str) -> None:
        """Reload a game that has failed, unless another process has it by now."""
        with suppress(HeldError, ShuttingDownError):
            await self.actor(game_id)

    async def create(
        self,
        agreement: Agreement,
        wishes: Sequence[str],
        creator: Person,
        also: Callable[[str, Mapping[int, str]], Write] | None = None,
    ) -> tuple[str, dict[int, str]]:
        """Create a game; return its id, and by seat the tokens of the links to seats.

        Args: ``wishes`` are the choices for the seats: `ME`, `LINK`, or a bot such as ``bot:3``.
            ``also`` gets the results, and returns a write for the same transaction.
        """
        if len(wishes) != agreement.seats:
            raise HouseError("the game has {count} seats", count=agreement.seats)
        await self.admit(creator)
        alone = [check_wish(agreement, wish) for wish in wishes].count(ME) > 1
        seats = []
        for wish in wishes:
            if wish == ME:
                seats.append(SeatRow(SeatKind.PERSON, "" if alone else creator.name, creator.id))
            elif wish == LINK:
                seats.append(SeatRow())
            else:
                seats.append(SeatRow(SeatKind.BOT, wish))
        game, links = new_id(), {n: new_token() for n, wish in enumerate(wishes) if wish == LINK}
        write = also(game, links) if also else None
        await self.create_with(agreement, seats, name=game, also=write, links=links)
        return game, links

    async def admit(self, person: Person) -> None:
        """Count one more game of a person; a guest over the limit gives up one against bots."""
        most = self._quotas.most(QuotaKind.GAME, person)
        running = await self._store.fetch(tables.games_of, person.id, most, running=True)
        if len(running) < most or not await self._give_way(person, running):
            self._quotas.check(QuotaKind.GAME, person, len(running))
        self._quotas.spend(QuotaKind.GAME, person)

    async def _give_way(self, person: Person, running: Sequence[GameRow]) -> bool:
        """End a guest's oldest game without people or pages; return whether there was one."""
        for row in [] if person.has_account else reversed(running):
            seats = await self._store.fetch(tables.read_seats, row.id)
            if {seat.person for seat in seats} <= {None, person.id}:
                actor = await self.actor(row.id)
                if not actor.audience:
                    await actor_requests.give_up(actor, person.id)
                    return True
        return False

    async def create_with(
        self,
        agreement: Agreement,
        seats: Sequence[SeatRow],
        present_ids: Collection[str] = (),
        name: str = "",
        also: Write | None = None,
        links: Mapping[int, str] | None = None,
    ) -> str:
        """Create a game with its players; it begins if all seats are taken.

        Args: ``present_ids`` are people who need no notice; ``name`` is the id of the game, if it
            has one already; ``also`` is written in the same transaction. ``links`` are the tokens
            of links, by seat.
        """
        await self._players.check_may_play(agreement, seats)
        home, now = self._lease.home, self._store.now()
        row = await self._store.commit(
            tables.create_game, agreement, seats, home, now, name, also, links
        )
        await self.begin_new(row, seats, present_ids)
        return row.id

    async def begin_new(
        self, row: GameRow, seats: Sequence[SeatRow], present_ids: Collection[str] = ()
    ) -> None:
        """Load a game that was just stored; it begins if all seats are taken."""
        with suppress(TrineError):  # the game is stored, and begins when it is next loaded
            await asyncio.shield(self._start_loading(row.id, self._begin(row, seats, present_ids)))
        self._made((seat.person for seat in seats), row.id)

    async def _begin(
        self, row: GameRow, seats: Sequence[SeatRow], present_ids: Collection[str]
    ) -> GameActor:
        (game,) = await identified(self._dependencies, read_live_game(row, seats, ()))
        actor = GameActor(game, row.fencing_token, {}, self._dependencies, self)
        await self._register(actor, actor_requests.begin(actor, present_ids))
        return actor

    async def prepare_again(self, agreement: Agreement, seats: Sequence[SeatRow]) -> GameRow:
        """Check that people may play again, and return the row of their next game."""
        people = [seat.person for seat in seats if seat.person]
        if agreement.rated:
            await self._players.check_may_meet(people)
        for one in {*people}:
            if person := await self._store.fetch(read_person, one):
                await self.admit(person)
        await self._players.check_may_play(agreement, seats)
        return tables.new_game(agreement, self._lease.home, self._store.now())

    async def invited_to(self, token: str) -> tuple[GameActor, int] | None:
        found = await self._store.fetch(tables.invited_to, token)
        return (await self.actor(found[0]), found[1]) if found else None

    async def join(self, token: str, person: Person) -> str:
        found = await self.invited_to(token)
        if not found:
            raise HouseError("this link is not valid; ask for a new one")
        actor, seat = found
        actor_requests.check_invited(actor, seat, person.id)
        await self.admit(person)
        await actor_requests.sit_down(actor, seat, SeatRow(SeatKind.PERSON, person.name, person.id))
        return actor.id

    def change_view(self, game_id: str, change: Callable[[LiveGame], LiveGame]) -> None:
        """Change how a game is shown, in the process with the game in memory."""
        if actor := self._actors.get(game_id):
            actor.change_view(change)
        else:
            self._moved(game_id)
