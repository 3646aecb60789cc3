"""The lobby: open seats, games to watch, and a visitor's own games."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from random import SystemRandom
from typing import Final, Protocol

from trine.core.clock import DAY
from trine.core.errors import IllegalError, TrineError
from trine.house.background import Report
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import RatedPlayer
from trine.house.games.storage.own_games import Running, running
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.house.games.view.snapshot import Snapshot
from trine.house.lobby.tables import Seek, StoredSeeks, change_seeks
from trine.house.people.quotas import QuotaKind, Quotas
from trine.house.people.relations import Blocks
from trine.house.people.tables import Person
from trine.house.ratings.ratings import Ratings
from trine.house.refusals import HouseError, OverloadedError
from trine.house.store.store import Store

SEAT_TIMEOUT: Final = 30.0
"""Units: seconds; how long a seat stays open after its first player has left the lobby."""
SEAT_TIMEOUT_BY_DAYS: Final = 7.0 * DAY
"""Units: seconds; how long a correspondence seat stays open after its player has left."""
MAX_SEEKS: Final = 500
"""The maximum number of seats on a clock, and of correspondence seats. Guess."""
MAX_LIVE: Final = 12
MAX_REDIRECTS: Final = 2000
"""The maximum size of two caches: the games that seeks became, and the people to redirect."""
LOBBY: Final = "lobby"  # name of the leader, the one process with the lobby
TICK_INTERVAL: Final = 1.0  # seconds; the interval of sending changes to pages


@dataclass(frozen=True)
class LobbyView:
    """A snapshot of the lobby."""

    version: int  # number of changes of open seats so far
    seeks: tuple[Seek, ...]
    live: tuple[Snapshot, ...]
    own: Mapping[str, tuple[Running, ...]]
    """The running games of the people in the lobby, by person id."""
    made: dict[object, str | bytes] = field(default_factory=dict)
    """A cache of the messages for pages: each is made once for all visitors who see the same."""


class LobbyPage(Protocol):
    """A page that shows the lobby."""

    def changed(self) -> None:
        """Update the page; called for all pages in a row, so it must return at once."""

    def lead(self, game_id: str) -> None:
        """Redirect the page to a game of its person that has begun."""

    def reconnect(self) -> None:
        """Disconnect: another process has the lobby now, and a reconnect finds that process."""


class Lobby:
    """The lobby of a house."""

    def __init__(
        self,
        store: Store,
        report: Report,
        games: Games,
        ratings: Ratings,
        blocks: Blocks,
        quotas: Quotas,
        *,
        take_lead: Callable[[], Awaitable[None]],
        may_keep: Callable[[], bool],
        elsewhere: Callable[[], Sequence[Snapshot]],
    ) -> None:
        """Open the lobby.

        The callbacks: ``take_lead`` gives this process the lobby, ``may_keep`` returns whether it
        still is, and ``elsewhere`` returns the games to watch in other processes.
        """
        self._now, self._report, self._games, self._ratings = store.now, report, games, ratings
        self._pairing, self._blocks, self._quotas = asyncio.Lock(), blocks, quotas
        self._take_lead, self._elsewhere = take_lead, elsewhere
        self._seeks: OrderedDict[str, Seek] = OrderedDict()
        self._led: OrderedDict[str, str] = OrderedDict()  # the games that seeks became, by seek id
        self._on_the_way: OrderedDict[str, str] = OrderedDict()
        """The games that people will be redirected to, by person id."""
        self._pages: dict[LobbyPage, str | None] = {}
        self._kept = StoredSeeks(store, may_keep)
        self._version = 0
        self.view = LobbyView(0, (), (), {})

    async def attend(self) -> None:
        """Take over the lobby of the house.

        Raises:
            HeldError: another process has the lobby.
        """
        await self._take_lead()
        for row, players in await self._kept.read():
            agreement = Agreement.from_data(row.terms)
            standings: dict[str, RatedPlayer] = {}
            for one in players:
                standings |= await self._standings(agreement, one)
            seek = Seek(row.id, agreement, players, standings, row.side, row.opened_at, row.within)
            self._miss_absent(seek)
            self._seeks.setdefault(row.id, seek)
            self._changed()

    async def keep(self) -> None:
        """Store the open seats, so that they survive a restart."""
        await self._kept.keep({seek.id: seek.as_row() for seek in self._seeks.values()})

    def drop(self) -> None:
        """Give up the open seats and disconnect all pages: another process may have the lobby."""
        self._seeks.clear()
        self._kept.forget()
        for page in list(self._pages):
            page.reconnect()

    async def close(self) -> None:
        try:
            await self.keep()
        except TrineError as error:
            self._report("the open seats could not be kept", error)

    async def open(
        self,
        seek_id: str,
        person: Person,
        agreement: Agreement,
        side: int | None = None,
        within: int | None = None,
    ) -> Seek | str:
        """Open a seat; return the seek, or the id of the game that the seek became.

        A repeated request with the same id does not open a second seat. ``within`` is how far the
        ratings of opponents may be from the person's own; it is ignored for people without an
        account, since they have no rating.
        """
        if known := self._known(seek_id, person):
            return known
        self._check_may(person, agreement)
        self._evict_oldest(person, agreement)
        if side is not None and not 0 <= side < agreement.seats:
            side = None
        if agreement.rated:
            await self._ratings.check_does_not_rest([person.id])
        standings = await self._standings(agreement, person)
        if known := self._known(seek_id, person):
            return known
        now = self._now()
        if person.id not in standings:
            within = None
        seek = Seek(seek_id, agreement, [person], standings, side, now, within)
        self._miss_absent(seek)
        self._seeks[seek_id] = seek
        self._changed()
        return seek

    def _evict_oldest(self, person: Person, agreement: Agreement) -> None:
        """Check that one more seat fits; in a full lobby, close the oldest seat of a guest.

        Seats on a clock and those by correspondence are counted separately.
        """
        days = agreement.by_days
        alike = [seek for seek in self._seeks.values() if seek.agreement.by_days == days]
        opened = [seek.players[0] for seek in alike]
        mine = sum(one.id == person.id for one in opened)
        near = sum(one.address == person.address != "" for one in opened)
        self._quotas.check(QuotaKind.SEAT, person, mine, near)
        if len(alike) < MAX_SEEKS:
            return
        guests = (seek for seek in alike if seek.free and not seek.players[0].has_account)
        if not (oldest := next(guests, None)):
            raise OverloadedError
        self._leave(oldest, oldest.players[0])

    async def pair(self, seek_id: str, person: Person, agreement: Agreement) -> Seek | str:
        """Take a seat for an equal game, or open one; return the seek, or the id of the game."""
        async with self._pairing:  # concurrent requests pair up, and a repeat does nothing
            if known := self._known(seek_id, person):
                return known
            for seek in list(self._seeks.values()):
                if not seek.agreement.is_like(agreement):
                    continue
                if seek.has(person):
                    return seek
                with suppress(IllegalError, HouseError):  # the seat was taken, or they may not meet
                    if seek.free == 1:
                        if game := await self.take(seek.id, person):
                            self._led[seek_id] = game
                        return game or seek  # no game: another player has just left the seek
            return await self.open(seek_id, person, agreement)

    def _known(self, seek_id: str, person: Person) -> Seek | str | None:
        seek = self._seeks.get(seek_id)
        if seek and not seek.has(person):
            raise IllegalError("another player has taken this seat")
        return seek or self._led.get(seek_id)

    def seek(self, seek_id: str) -> Seek | None:
        return self._seeks.get(seek_id)

    async def take(self, seek_id: str, person: Person) -> str:
        """Take an open seat; return the id of the game if this was the last one, else ""."""
        seek = self._seeks.get(seek_id)
        if not seek:
            game = self._led.get(seek_id)
            if game and self._on_the_way.get(person.id) == game:
                return game
            raise IllegalError("this seat is no longer open")
        if seek.has(person):
            return ""
        for gone in await self._kept.deleted(seek.people):  # deleted by another process just now
            self.forget(gone)
        self._check_may(person, seek.agreement)
        if seek.agreement.rated and seek.free == 1:
            players = [*(one.id for one in seek.players), person.id]
            await self._ratings.check_may_meet(players)
        if await self._blocks.apart(seek.people | {person.id}):
            raise HouseError("one of you has blocked the other")
        standings = await self._standings(seek.agreement, person)
        if self._seeks.get(seek_id) is not seek or not seek.free or seek.has(person):
            raise IllegalError("this seat is no longer open")
        seek.check_range(standings.get(person.id))
        if seek.free == 1:
            return await self._begin(seek, person)
        seek.players.append(person)
        seek.standings |= standings
        self._miss_absent(seek)
        self._changed()
        return ""

    async def _begin(self, seek: Seek, last: Person) -> str:
        """Begin the game of a seek; meanwhile its seat cannot be taken.

        The transaction that creates the game deletes the seek; if it fails, the seat is open again.
        """
        seek.begins = True
        self._changed()
        try:
            return await self._begun(seek, last)
        finally:
            seek.begins = False
            self._changed()

    async def _begun(self, seek: Seek, last: Person) -> str:
        count, others = seek.agreement.seats, [*seek.players[1:], last]
        first = SystemRandom().randrange(count) if seek.side is None else seek.side
        SystemRandom().shuffle(others)
        order = [*others[:first], seek.players[0], *others[first:]]
        seats = [SeatRow(SeatKind.PERSON, one.name, one.id) for one in order]
        people = seek.people | {last.id}
        await self._games.admit(last)  # from here on, players can no longer withdraw
        here = people & {*self._pages.values()}
        drop = partial(change_seeks, expired=[seek.id], now=())
        game = await self._games.create_with(seek.agreement, seats, here, also=drop)
        self._seeks.pop(seek.id, None)
        self._led[seek.id] = game
        while len(self._led) > MAX_REDIRECTS:
            self._led.popitem(last=False)
        by_days = seek.agreement.by_days
        live = [] if by_days else list(self._seeks.values())
        for other in live:
            if other.agreement.by_days:
                continue
            for one in [one for one in other.players if one.id in people]:
                self._leave(other, one)
        self.lead(here if by_days else people, game)
        return game

    def lead(self, people: Collection[str], game_id: str) -> None:
        """Redirect people to their game: now if they are in the lobby, else on their next visit."""
        for person in people:
            self._on_the_way[person] = game_id
        while len(self._on_the_way) > MAX_REDIRECTS:
            self._on_the_way.popitem(last=False)
        self.announce(people, game_id)

    def announce(self, people: Collection[str], game_id: str) -> None:
        """Redirect the open lobby pages of people to their game."""
        for page, looks in list(self._pages.items()):
            if looks in people:
                page.lead(game_id)

    def withdraw(self, seek_id: str, person: Person) -> None:
        """Close a seat if the person opened it, or leave it."""
        seek = self._seeks.get(seek_id)
        if seek and seek.has(person):
            self._leave(seek, person)

    def _leave(self, seek: Seek, person: Person) -> None:
        """Remove a player from a seek; without its first player, the seek is closed."""
        if seek.players[0].id == person.id:
            self._seeks.pop(seek.id, None)
        seek.players = [one for one in seek.players if one.id != person.id]
        seek.missed.pop(person.id, None)
        self._changed()

    def transfer(self, person: Person, other: Person) -> None:
        """Transfer a person's open seats to another person, except those where both are players."""
        for seek in list(self._seeks.values()):
            if seek.has(person) and seek.has(other):
                self._leave(seek, person)
            elif seek.has(person):
                seek.players = [other if one.id == person.id else one for one in seek.players]
                if (missed := seek.missed.pop(person.id, None)) is not None:
                    seek.missed[other.id] = missed
                self._changed()
        if game := self._on_the_way.pop(person.id, ""):
            self._on_the_way[other.id] = game

    def forget(self, person_id: str) -> None:
        """Remove a person whose account is being deleted from all seeks."""
        for seek in list(self._seeks.values()):
            for one in [one for one in seek.players if one.id == person_id]:
                self._leave(seek, one)

    def rename(self, person: Person) -> None:
        for seek in self._seeks.values():
            if seek.has(person):
                seek.players = [
                    replace(person, address=one.address) if one.id == person.id else one
                    for one in seek.players
                ]
                if known := seek.standings.get(person.id):
                    seek.standings[person.id] = replace(known, name=person.name)
                self._changed()

    def led_to(self, person: Person | None) -> str:
        """Return the game that a person must be redirected to, once; "" if there is none."""
        return self._on_the_way.pop(person.id, "") if person else ""

    def _check_may(self, person: Person, agreement: Agreement) -> None:
        if agreement.rated and not person.has_account:
            raise HouseError("a rated game is played by people who have accounts")

    async def _standings(self, agreement: Agreement, person: Person) -> dict[str, RatedPlayer]:
        found = await self._ratings.standing(agreement.discipline, person.id)
        return {person.id: found} if found else {}

    def enter(self, page: LobbyPage, person_id: str | None) -> None:
        self._pages[page] = person_id
        for seek in self._seeks.values():
            seek.missed.pop(person_id or "", None)
        self.update()

    def leave(self, page: LobbyPage) -> None:
        person = self._pages.pop(page, None)
        if person and person not in self._pages.values():
            for seek in self._seeks.values():
                self._miss_absent(seek)

    def _miss_absent(self, seek: Seek) -> None:
        here = set(self._pages.values())
        for one in seek.players:
            if one.id not in here:
                seek.missed.setdefault(one.id, self._now())

    def _sweep(self) -> None:
        """Remove players who left the lobby too long ago."""
        for seek in list(self._seeks.values()):
            patience = SEAT_TIMEOUT_BY_DAYS if seek.agreement.by_days else SEAT_TIMEOUT
            late = self._now() - patience
            for one in list(seek.players):
                if seek.missed.get(one.id, late + 1) <= late:
                    self._leave(seek, one)

    def _changed(self) -> None:
        self._version += 1

    async def run(self) -> None:
        self.tick()
        await self.keep()

    def tick(self) -> None:
        self._sweep()
        if self._pages:
            self.update()
            for page in list(self._pages):
                page.changed()

    def update(self) -> LobbyView:
        own: dict[str, list[Running]] = defaultdict(list)
        here = {person for person in self._pages.values() if person}
        for snapshot in (actor.snapshot for actor in self._games.actors):
            if not snapshot.over:
                for person in here & {seat.person for seat in snapshot.seats}:
                    own[person].append(running(snapshot, person))
        live = [*self._games.listed, *self._elsewhere()]
        live.sort(key=lambda snapshot: (-strength(snapshot), snapshot.game))
        self.view = LobbyView(
            self._version,
            tuple(seek for seek in self._seeks.values() if seek.free),
            tuple(live[:MAX_LIVE]),
            {
                person: tuple(sorted(games, key=lambda one: one.order))
                for person, games in own.items()
            },
        )
        return self.view


def strength(snapshot: Snapshot) -> float:
    """Return the mean rating of the players of a game; unrated players count as 0."""
    ratings = [standing.rating for standing in snapshot.standings.values()]
    return sum(ratings) / len(snapshot.seats)
