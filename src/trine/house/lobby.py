"""The lobby: open seats that whoever comes by can take, games to watch, and one's own."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import TYPE_CHECKING, Final, Protocol

from trine.core.clock import DAY
from trine.core.errors import IllegalError, TrineError
from trine.core.text import text
from trine.house.agreement import Agreement
from trine.house.kept_seeks import KeptSeeks
from trine.house.own_games import Running, running
from trine.house.ratings import Standing, discipline_of
from trine.house.refusals import HouseError
from trine.house.snapshot import Snapshot
from trine.store.people import Person
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.seek_rows import SeekRow

if TYPE_CHECKING:
    from trine.house.house import House

PATIENCE: Final = 30.0
"""Units: seconds; so long a seat stays open when nobody is there any more who has opened it."""
PATIENCE_BY_DAYS: Final = 7.0 * DAY
"""The same for a game by correspondence, for which nobody sits and waits."""
MOST_SEEKS: Final = 500
MOST_OF_ONE: Final = 3
MOST_LIVE: Final = 12
MOST_KEPT: Final = 2000
"""Seeks that have led to games, and people on their way there, that are remembered."""
LOBBY: Final = "lobby"
"""The duty of the process that has it, of several."""
GATHERED: Final = 1.0
"""Units: seconds; pages hear of changes no more often."""


@dataclass
class Seek:
    """A game for which players are wanted."""

    id: str
    agreement: Agreement
    players: list[Person]
    """Whoever has opened it comes first."""
    standings: dict[str, Standing]
    """Of those who have accounts, by the ids of people."""
    side: int | None = None
    """The seat that the first player wants."""
    missed: dict[str, float] = field(default_factory=dict)
    """Since when players are not in the lobby, by their ids."""
    opened_at: float = 0.0
    """Units: seconds since 1970."""

    @property
    def free(self) -> int:
        """The number of players that are wanted still."""
        return self.agreement.seats - len(self.players)

    def as_row(self) -> SeekRow:
        """The seek as it is stored."""
        players = [one.id for one in self.players]
        return SeekRow(self.id, self.agreement.as_data(), players, self.side, self.opened_at)

    def has(self, person: Person | None) -> bool:
        """Whether somebody is one of its players."""
        return person is not None and any(one.id == person.id for one in self.players)


@dataclass(frozen=True)
class LobbyView:
    """The lobby as it is at a moment."""

    version: int
    """Counts the changes of open seats."""
    seeks: tuple[Seek, ...]
    live: tuple[Snapshot, ...]
    own: Mapping[str, tuple[Running, ...]]
    """The running games of people who are here, by their ids."""


class Guest(Protocol):
    """A page that shows the lobby."""

    def changed(self) -> None:
        """The lobby has changed; this must take no time."""

    def lead(self, game: str) -> None:
        """A game of whoever looks has begun."""

    def dropped(self) -> None:
        """Another process has the lobby now; whoever asks again is led to it."""


class Lobby:
    """The lobby of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._seeks: OrderedDict[str, Seek] = OrderedDict()
        self._led: OrderedDict[str, str] = OrderedDict()
        """The games that seeks have led to."""
        self._on_the_way: OrderedDict[str, str] = OrderedDict()
        """The games that people are to be led to, by their ids."""
        self._pages: dict[Guest, str | None] = {}
        self._kept = KeptSeeks(house)
        self._version = 0
        self.view = LobbyView(0, (), (), {})
        """The lobby as it was when it was last looked at."""

    async def attend(self) -> None:
        """Be the process that has the lobby of the house.

        Raises:
            HeldError: another one has it.
        """
        await self._house.lease.take_duty(LOBBY)
        for row, players in await self._kept.read():
            agreement = Agreement.from_data(row.terms)
            standings: dict[str, Standing] = {}
            for one in players:
                standings |= await self._standings(agreement, one)
            seek = Seek(row.id, agreement, players, standings, row.side, opened_at=row.opened_at)
            self._miss_absent(seek)
            self._seeks.setdefault(row.id, seek)
            self._changed()

    async def keep(self) -> None:
        """Store the open seats as they are now, to be there after a restart."""
        await self._kept.keep({seek.id: seek.as_row() for seek in self._seeks.values()})

    def drop(self) -> None:
        """Give up open seats, and let all pages go: another process may have the lobby now."""
        self._seeks.clear()
        self._kept.forget()
        for page in list(self._pages):
            page.dropped()

    async def close(self) -> None:
        """Store what has changed last."""
        try:
            await self.keep()
        except TrineError as error:
            self._house.report("the open seats could not be kept", error)

    # --- open seats -------------------------------------------------------------------------------

    async def open(
        self, name: str, person: Person, agreement: Agreement, side: int | None = None
    ) -> Seek | str:
        """Open a seat; asked for again under the same name, there is still but one.

        Returns: the seek, or the game that it has led to.

        Raises:
            TrineError: this person cannot open it.
        """
        if known := self._known(name, person):
            return known
        self._check_may(person, agreement)
        if sum(seek.players[0].id == person.id for seek in self._seeks.values()) >= MOST_OF_ONE:
            raise HouseError(text("you have {count} open seats already", count=MOST_OF_ONE))
        if len(self._seeks) >= MOST_SEEKS:
            raise HouseError(text("too much at once; try again in a moment"))
        if side is not None and not 0 <= side < agreement.seats:
            side = None
        standings = await self._standings(agreement, person)
        if known := self._known(name, person):
            return known
        now = self._house.now()
        seek = Seek(name, agreement, [person], standings, side, opened_at=now)
        self._miss_absent(seek)
        self._seeks[name] = seek
        self._changed()
        return seek

    def _known(self, name: str, person: Person) -> Seek | str | None:
        seek = self._seeks.get(name)
        if seek and not seek.has(person):
            raise IllegalError(text("somebody else has taken this seat"))
        return seek or self._led.get(name)

    async def take(self, name: str, person: Person) -> str:
        """Take an open seat: the id of the game once all are taken, else nothing.

        Raises:
            TrineError: it is gone, or this person cannot take it.
        """
        seek = self._seeks.get(name)
        if not seek:
            game = self._led.get(name)
            if game and self._on_the_way.get(person.id) == game:
                return game
            raise IllegalError(text("this seat is no longer open"))
        if seek.has(person):
            return ""
        self._check_may(person, seek.agreement)
        if seek.agreement.rated and seek.free == 1:
            players = [*(one.id for one in seek.players), person.id]
            await self._house.ratings.check_may_meet(players)
        standings = await self._standings(seek.agreement, person)
        if self._seeks.get(name) is not seek or not seek.free or seek.has(person):
            raise IllegalError(text("this seat is no longer open"))
        seek.players.append(person)
        seek.standings |= standings
        self._miss_absent(seek)
        self._changed()
        return "" if seek.free else await self._begin(seek)

    async def _begin(self, seek: Seek) -> str:
        """Begin the game of a seek; nobody can take it meanwhile."""
        del self._seeks[seek.id]
        await self.keep()  # first: what has led to a game is not open after a breakdown
        count, others = seek.agreement.seats, seek.players[1:]
        first = SystemRandom().randrange(count) if seek.side is None else seek.side
        SystemRandom().shuffle(others)
        order = [*others[:first], seek.players[0], *others[first:]]
        seats = [SeatRow(SeatKind.PERSON, one.name, one.id) for one in order]
        here = {one.id for one in seek.players} - seek.missed.keys()
        game = await self._house.create_with(seek.agreement, seats, here)
        self._led[seek.id] = game
        while len(self._led) > MOST_KEPT:
            self._led.popitem(last=False)
        people = {one.id for one in seek.players}
        by_days = seek.agreement.by_days
        live = [] if by_days else list(self._seeks.values())
        for other in live:
            if other.agreement.by_days:
                continue
            for one in [one for one in other.players if one.id in people]:
                self._leave(other, one)
        self._changed()
        self.lead(people - seek.missed.keys() if by_days else people, game)
        return game

    def lead(self, people: Collection[str], game: str) -> None:
        """Lead people who are in the lobby, or come there next, to a game of theirs."""
        for person in people:
            self._on_the_way[person] = game
        while len(self._on_the_way) > MOST_KEPT:
            self._on_the_way.popitem(last=False)
        self.tell(people, game)

    def tell(self, people: Collection[str], game: str) -> None:
        """Lead people who have the lobby open to a game of theirs."""
        for page, looks in list(self._pages.items()):
            if looks in people:
                page.lead(game)

    def withdraw(self, name: str, person: Person) -> None:
        """Close an open seat of one's own, or leave that of another."""
        seek = self._seeks.get(name)
        if seek and seek.has(person):
            self._leave(seek, person)

    def _leave(self, seek: Seek, person: Person) -> None:
        """Have a player leave; with the first one the seek goes."""
        if seek.players[0].id == person.id:
            self._seeks.pop(seek.id, None)
        seek.players = [one for one in seek.players if one.id != person.id]
        seek.missed.pop(person.id, None)
        self._changed()

    def hand_over(self, person: Person, other: Person) -> None:
        """Have the open seats of a person be those of another, who does not want them already."""
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

    def led_to(self, person: Person | None) -> str:
        """The game that somebody is to be led to, once; else nothing."""
        return self._on_the_way.pop(person.id, "") if person else ""

    def _check_may(self, person: Person, agreement: Agreement) -> None:
        if agreement.rated and not person.has_account:
            raise HouseError(text("a rated game is played by people who have accounts"))

    async def _standings(self, agreement: Agreement, person: Person) -> dict[str, Standing]:
        found = await self._house.ratings.standing(discipline_of(agreement), person.id)
        return {person.id: found} if found else {}

    # --- coming and going -------------------------------------------------------------------------

    def enter(self, page: Guest, person: str | None) -> None:
        """Let a page hear of changes."""
        self._pages[page] = person
        for seek in self._seeks.values():
            seek.missed.pop(person or "", None)
        self._look()

    def leave(self, page: Guest) -> None:
        """Let a page go."""
        person = self._pages.pop(page, None)
        if person and person not in self._pages.values():
            for seek in self._seeks.values():
                self._miss_absent(seek)

    def _miss_absent(self, seek: Seek) -> None:
        here = set(self._pages.values())
        for one in seek.players:
            if one.id not in here:
                seek.missed.setdefault(one.id, self._house.now())

    def _sweep(self) -> None:
        """Close the seats of those who have gone."""
        for seek in list(self._seeks.values()):
            patience = PATIENCE_BY_DAYS if seek.agreement.by_days else PATIENCE
            late = self._house.now() - patience
            for one in list(seek.players):
                if seek.missed.get(one.id, late + 1) <= late:
                    self._leave(seek, one)

    # --- looking ----------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._version += 1

    async def run(self) -> None:
        """Close what nobody waits for, and tell pages of changes, once a second, for ever."""
        while True:
            await asyncio.sleep(GATHERED)
            try:
                self.tick()
                await self.keep()
            except Exception as error:  # a fault of ours does not close the lobby
                self._house.report("the lobby failed", error)

    def tick(self) -> None:
        """See to what has changed."""
        self._sweep()
        if self._pages:
            self._look()
            for page in list(self._pages):
                page.changed()

    def _look(self) -> None:
        live, here = [], set(self._pages.values())
        own: dict[str, list[Running]] = defaultdict(list)
        for host in self._house.hosts:
            snapshot = host.snapshot
            if snapshot.over:
                continue
            if snapshot.state and snapshot.agreement.listed:
                live.append(snapshot)
            for person in {seat.person for seat in snapshot.seats} & here:
                if person:
                    own[person].append(running(snapshot, person))
        live += self._house.others.live
        live.sort(key=lambda snapshot: (-_strength(snapshot), snapshot.game))
        self.view = LobbyView(
            self._version,
            tuple(self._seeks.values()),
            tuple(live[:MOST_LIVE]),
            {
                person: tuple(sorted(games, key=lambda one: one.order))
                for person, games in own.items()
            },
        )

    def look(self) -> LobbyView:
        """The lobby as it is now."""
        self._look()
        return self.view


def _strength(snapshot: Snapshot) -> float:
    """The mean rating of the players of a game; those who have none count nothing."""
    ratings = [standing.rating for standing in snapshot.standings.values()]
    return sum(ratings) / len(snapshot.seats)
