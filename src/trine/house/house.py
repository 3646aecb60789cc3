"""The house: its games in memory, its people, its deadlines and its bots."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from random import SystemRandom
from typing import Any, Final, Self

from trine.core.errors import FileError, TrineError
from trine.core.text import text
from trine.house.accounts import Accounts
from trine.house.agreement import LINK, ME, Agreement, check_wish
from trine.house.bots import Bots
from trine.house.challenges import Challenges
from trine.house.chat import Chats
from trine.house.correspondence import Correspondence
from trine.house.deadlines import Deadlines, Now
from trine.house.export import entries_of, export, record_text
from trine.house.followers import Followers
from trine.house.host import Host
from trine.house.lease import BEAT, Lease
from trine.house.letters import Letters
from trine.house.lobby import Lobby
from trine.house.mail import Mail
from trine.house.moderation import Moderation
from trine.house.notes import Notes
from trine.house.others import DROP, Others
from trine.house.own_games import Running, running, running_games
from trine.house.passkeys import Passkeys
from trine.house.passwords import Passwords
from trine.house.push import Pushes
from trine.house.push_settings import Push
from trine.house.ratings import Ratings
from trine.house.reading import Reader
from trine.house.refusals import ClosingError, HouseError, NoGameError
from trine.house.reviews import Reviews
from trine.house.search import Search
from trine.house.show import Show
from trine.house.studies import Studies
from trine.house.table import Table
from trine.house.tokens import Tokens
from trine.house.tournaments import Tournaments
from trine.session.changes import rebuilt
from trine.session.game import wall_clock
from trine.store.account_rows import DELETED
from trine.store.game_rows import Stage
from trine.store.homes import LIVE, Taken
from trine.store.people import Person
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.store import Store

MOST_RECOVERED: Final = 100_000
LOADED_AT_ONCE: Final = 16
"""Games that are gone on with at once, so that their writes share commits. Guess."""
MOST_GAMES: Final = 20_000
"""Games in memory at once. Guess."""
Report = Callable[..., None]


def _quiet(words: str, error: BaseException | None = None, **about: Any) -> None:
    """Report nothing."""


class House:
    """A house that is open. All of it belongs to one event loop."""

    def __init__(
        self,
        store: Store,
        *,
        now: Now | None = None,
        bots: Bots | None = None,
        games: Path | None = None,
        report: Report = _quiet,
        home: str = "here",
        address: str = "",
        passwords: Passwords | None = None,
        mail: Mail | None = None,
        push: Push | None = None,
    ) -> None:
        self.store: Final = store
        self.now: Final = now or wall_clock()
        self.bots: Final = bots or Bots()
        self.report: Final = report
        self.reader: Final = Reader()
        self.reviews: Final = Reviews(self.bots)
        self.studies: Final = Studies(store, report)
        self.ratings: Final = Ratings(store, self.now)
        self.lobby: Final = Lobby(self)
        self.followers: Final = Followers()
        self.challenges: Final = Challenges(self)
        self.tokens: Final = Tokens(store, self.now)
        self.chats: Final = Chats(self)
        self.moderation: Final = Moderation(self)
        self.accounts: Final = Accounts(self, passwords or Passwords())
        self.passkeys: Final = Passkeys(self)
        self.deadlines: Final = Deadlines(self.now, self._due)
        self.lease: Final = Lease(self, home, address)
        self.others: Final = Others(self)
        self.show: Final = Show(self)
        self.search: Final = Search(store)
        self.notes: Final = Notes(self)
        self.letters: Final = Letters(self, mail)
        self.pushes: Final = Pushes(self, push)
        self.correspondence: Final = Correspondence(self)
        self.tournaments: Final = Tournaments(self)
        self.closing = False
        self.recovered: Final = asyncio.Event()
        """Set when all games whose clocks were running have been gone on with."""
        self._games = games
        self._hosts: dict[str, Host] = {}
        self._loading: dict[str, asyncio.Task[Host]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._alive: dict[str, float | None] = {}
        """By game, when the home was last at work from which it was adopted."""

    @classmethod
    async def open(cls, store: Store, **options: Any) -> Self:
        """Open a house; games whose clocks were running are gone on with."""
        house = cls(store, **options)
        await house.lease.begin()
        house.others.begin()
        await house.moderation.look_through()
        house.spawn(house.deadlines.run())
        if store.homes.shared:
            house.spawn(house.lease.sweep())
            house.spawn(house.others.run())
        else:
            live = await asyncio.to_thread(store.due_of, LIVE, house.now(), MOST_RECOVERED)
            house.spawn(house._recover([one.ref for one in live]))
        house.spawn(house.lease.run())
        house.spawn(house.correspondence.run())
        house.spawn(house.pushes.run())
        house.spawn(house.lobby.run())
        house.spawn(house.challenges.run())
        house.spawn(house.moderation.run())
        house.spawn(house.tournaments.run())
        return house

    async def close(self) -> None:
        """Close: time stands still in all games, and what was acknowledged is safe."""
        self.closing = True
        await self._end_tasks()
        hosts = list(self._hosts.values())
        await asyncio.gather(*(host.close(pause=True) for host in hosts), return_exceptions=True)
        self._hosts.clear()
        await self.lobby.close()
        await self.lease.end()
        await self.others.end()
        await self.studies.close()
        await asyncio.to_thread(self.bots.close)
        await asyncio.to_thread(self.reader.close)
        self.accounts.passwords.close()
        if self.letters.mail:
            self.letters.mail.close()

    async def _end_tasks(self) -> None:
        """End what runs in the background; once more where it was about to go on just then."""
        running = set(self._tasks)
        while running:
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=0.2)

    def spawn(self, work: Any) -> None:
        """Have something done in the background, as long as the house is open."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _recover(self, games: Sequence[str]) -> None:
        waiting = iter(games)

        async def some() -> None:
            for game in waiting:
                try:
                    await self.host(game)
                except TrineError as error:
                    self.report("a game could not be gone on with", error, game=game)

        await asyncio.gather(*(some() for _ in range(LOADED_AT_ONCE)))
        self.recovered.set()

    async def adopted(self, taken: Sequence[Taken]) -> None:
        """Go on with games that were taken from a process that is gone."""
        self._alive |= {one.game: one.alive_at for one in taken}
        await self._recover([one.game for one in taken])

    async def woken(self, alive: float | None) -> None:
        """The house was stopped for so long that its games may be played elsewhere by now.

        Those that are not go on as after a restart.

        Args: ``alive`` is when it was last at work.
        """
        self.report("the house was stopped, or had no database, for a while")
        if self.store.homes.shared:
            self.lobby.drop()
        for host in await self._drop_lost():
            if host.snapshot.stage is Stage.PLAYING:
                self.spawn(self._wake(host, alive))

    async def _wake(self, host: Host, alive: float | None) -> None:
        try:
            await host.time.wake(alive)
        except TrineError as error:
            self.report("a game could not be gone on with", error, game=host.id)

    async def _drop_lost(self) -> list[Host]:
        """Forget the games that are at home elsewhere, and return the others."""
        hosts = self.hosts
        if not self.store.homes.shared:
            return list(hosts)
        names = [host.id for host in hosts]
        epochs = await asyncio.to_thread(self.store.homes.epochs_of, names, self.lease.home)
        for host in hosts:
            if epochs.get(host.id) != host.epoch:
                self.forget(host.id)
        return [host for host in hosts if epochs.get(host.id) == host.epoch]

    def doubt(self) -> None:
        """Look whether a game was taken of which nobody has told."""

        async def look() -> None:
            try:
                await self._drop_lost()
            except TrineError as error:
                self.report("the homes of games could not be looked up", error)

        if self._hosts:
            self.spawn(look())

    def _due(self, game: str) -> None:
        if not (host := self._hosts.get(game)):
            return
        if self.lease.lapsed:  # first it is found out whose game it is
            self.deadlines.set(game, self.now() + BEAT / 2)
        else:
            host.time.tick()

    # --- games ------------------------------------------------------------------------------------

    @property
    def hosts(self) -> Sequence[Host]:
        """The games in memory."""
        return list(self._hosts.values())

    async def host(self, game: str, *, move: bool = False) -> Host:
        """The host of a game, which is loaded if it is not in memory.

        Args: ``move`` takes it from another process, too, that plays it.

        Raises:
            NoGameError: there is none.
            HeldError: another process plays it.
        """
        if self.closing:
            raise ClosingError
        task = self._loading.get(game)  # first: nobody plays before clocks have been seen to
        if not task and (host := self._hosts.get(game)):
            return host
        if len(self._hosts) >= MOST_GAMES:
            raise HouseError(text("too many games are being played; try again later"))
        if not task:
            task = self._loading[game] = asyncio.create_task(self._load(game, move=move))
            task.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(task)

    async def _load(self, game: str, *, move: bool) -> Host:
        row = await asyncio.to_thread(self.store.game, game)
        if not row:
            raise NoGameError
        alive = self._alive.pop(game, self.lease.alive_at)
        if row.home != self.lease.home:
            if not move:
                await self.lease.check_free(game)
            taken = await asyncio.wrap_future(
                self.store.homes.take(game, self.lease.home, held=move)
            )
            alive = taken.alive_at
            row = await asyncio.to_thread(self.store.game, game)
            assert row
            if move:
                self.others.tell(DROP, game)
        seats = await asyncio.to_thread(self.store.seats, game)
        events = await asyncio.to_thread(self.store.events, game)
        host = Host(self, row, seats, events)
        await host.identify()
        self._hosts[game] = host
        if row.stage is Stage.PLAYING:
            await host.time.wake(alive)
        elif row.stage is Stage.WAITING:
            await host.begin()  # where the house broke down between the last seat and the start
        await host.conditional.load()
        return host

    def has_loaded(self, game: str) -> bool:
        """Whether a game is in memory, or will be in a moment."""
        return game in self._hosts or game in self._loading

    def forget(self, game: str, after: float = 0.0) -> None:
        """Let a game leave memory; pages that show it look for it anew, some seconds later."""
        if host := self._hosts.pop(game, None):
            self.spawn(host.close())
            asyncio.get_running_loop().call_later(after, host.dismiss)

    async def create(
        self, agreement: Agreement, wishes: Sequence[str], creator: Person
    ) -> tuple[str, dict[int, str]]:
        """Create a game.

        Args: ``wishes`` say who sits at each seat: `ME`, `LINK`, or a bot such as ``bot:3``.

        Returns: its id, and by seat the tokens of links that lead to seats.

        Raises:
            TrineError: a seat cannot be taken so.
        """
        room = agreement.room
        if len(wishes) != agreement.seats:
            raise HouseError(text("the game has {count} seats", count=agreement.seats))
        alone = [check_wish(room, wish) for wish in wishes].count(ME) > 1
        seats = []
        for wish in wishes:
            if wish == ME:
                seats.append(SeatRow(SeatKind.PERSON, "" if alone else creator.name, creator.id))
            elif wish == LINK:
                seats.append(SeatRow())
            else:
                seats.append(SeatRow(SeatKind.BOT, wish))
        game = await self.create_with(agreement, seats)
        links = {}
        for seat, wish in enumerate(wishes):
            if wish == LINK:
                links[seat] = await asyncio.wrap_future(self.store.invite(game, seat))
        return game, links

    async def create_with(
        self, agreement: Agreement, seats: Sequence[SeatRow], here: Collection[str] = ()
    ) -> str:
        """Create a game for those who sit at its seats; it begins if nobody is missing.

        Args: ``here`` are people who see it happen.
        """
        await self.ratings.check_may_play(agreement, seats)
        row = await asyncio.wrap_future(
            self.store.create_game(
                agreement.game, agreement.rules, agreement.as_data(), seats, self.lease.home
            )
        )
        host = Host(self, row, seats)
        self._hosts[row.id] = host
        await host.identify()
        await host.begin(here)
        self.followers.game_begun((seat.person for seat in seats), row.id)
        return row.id

    async def invited_to(self, token: str) -> tuple[Host, int] | None:
        """The game and the seat that a link leads to, if it is one of ours."""
        found = await asyncio.to_thread(self.store.invited_to, token)
        return (await self.host(found[0]), found[1]) if found else None

    async def join(self, token: str, person: Person) -> str:
        """Take the seat that a link leads to: the id of the game."""
        found = await self.invited_to(token)
        if not found:
            raise HouseError(text("this link leads nowhere; ask for a new one"))
        host, seat = found
        await host.sit_down(seat, SeatRow(SeatKind.PERSON, person.name, person.id))
        return host.id

    def ended(self, table: Table) -> None:
        """A game is over: its record is written to the folder of games."""
        self.tournaments.heard(table.agreement)
        if self._games and (state := table.snapshot.state):
            entries, seats = table.entries(), state.play.start.seats
            self.spawn(self._export(table.id, lambda: record_text(entries, seats)))

    async def _export(self, game: str, told: Callable[[], str]) -> None:
        assert self._games
        try:
            await asyncio.to_thread(export, self._games, game, told())
        except (FileError, OSError) as error:
            self.report("a record could not be written", error, game=game)

    async def games_of(self, person: Person | None) -> list[Running]:
        """The running games of somebody, those first in which it is their turn.

        Those in memory are shown as they stand there; no other is loaded.
        """
        if not person:
            return []
        written = await asyncio.to_thread(running_games, self.store, person.id, self.now())
        games = []
        for one in written:
            host = self._hosts.get(one.game)
            if host is None:
                games.append(await self._elsewhere(one, person.id))
            elif not host.snapshot.over:
                games.append(running(host.snapshot, person.id))
        return sorted(games, key=lambda one: one.order)

    async def _elsewhere(self, written: Running, person: str) -> Running:
        """A game that is not in memory here; of one on a clock it is not written who is to move."""
        agreement = written.agreement
        if not self.store.homes.shared or agreement.by_days or not agreement.clock:
            return written
        found = await self.others.look(written.game)
        return running(found, person) if found else written

    async def next_game(self, person: Person | None, but: str = "") -> str:
        """The id of the game that waits for a turn of somebody most urgently; empty if none."""
        games = (one.game for one in await self.games_of(person) if one.to_move)
        return next((game for game in games if game != but), "")

    async def take_name_off(self, game: str, own: Mapping[int, str]) -> None:
        """Have nobody's name stand at seats of a game any more, nor in its record.

        Args: ``own`` are the seats, and the tags in which the name stands.
        """
        if host := self._hosts.get(game):
            host.take_name_off(own, DELETED)
        else:
            self.others.tell(DROP, game)
        if self._games and (self._games / f"{game}.trine").exists():
            await self._export(game, lambda: self._record(game))

    def _record(self, game: str) -> str:
        entries = entries_of(self.store.events(game))
        return record_text(entries, rebuilt(entries).play.start.seats)

    # --- people -----------------------------------------------------------------------------------

    async def welcome(self, name: str = "") -> tuple[Person, str]:
        """A new guest, and the token by which the browser is known again."""
        guest = f"Guest {SystemRandom().randrange(1000, 9999)}"
        called = await self.accounts.free_name(name) if name else guest
        person = await asyncio.wrap_future(self.store.people.create_guest(called))
        token = await asyncio.wrap_future(self.store.people.create_token(person.id))
        return person, token

    async def person_of(self, token: str) -> Person | None:
        """Return the person with this token, if the token is one of ours."""
        return await asyncio.to_thread(self.store.people.of_token, token) if token else None

    async def rename(self, person: Person, name: str) -> None:
        """Give a person another name."""
        await self.accounts.rename(person, name)


def home_name() -> str:
    """A name for this process as the home of games."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
