"""The tables of challenges and open seats, open seats in memory, and who has played lately."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from sqlalchemy import Connection, Index, delete, select

from trine.core.clock import DAY
from trine.core.work.cpu_account import in_thread
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.live_game import RatedPlayer
from trine.house.games.storage.tables import GAME, SEAT, SeatKind, Stage
from trine.house.people import tables
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import Key, add_row, all_of, first_of, table_of
from trine.house.store.store import Store

MONTH: Final = 30 * DAY
MIN_SEATS_TAKEN: Final = 50  # per month; with fewer, the usual hours are unknown. Guess


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A person's challenge of another person to a game."""

    id: Key[str]  # the id of the challenge, and of its game, so that API clients can find the game
    challenger: Annotated[str, "person.id"]
    challenged: Annotated[str, "person.id"]
    terms: Mapping[str, Any]
    side: int | None  # the seat of the challenger; None for a random one
    created_at: float
    expires_at: float  # seconds since 1970


CHALLENGE: Final = table_of(
    "challenge",
    ChallengeRow,
    *(Index(None, column) for column in ("challenger", "challenged", "expires_at")),
)


def create_challenge(connection: Connection, row: ChallengeRow) -> None:
    """Add a challenge, and delete expired ones; raises `MissingRowError` for deleted people."""
    tables.check_here(connection, (row.challenger, row.challenged))
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.expires_at <= row.created_at))
    add_row(connection, CHALLENGE, row)


def drop_challenge(connection: Connection, challenge: str) -> bool:
    """Delete a challenge; of concurrent callers, only one gets true."""
    return connection.execute(delete(CHALLENGE).where(CHALLENGE.c.id == challenge)).rowcount > 0


def open_challenges(connection: Connection, now: float, limit: int) -> list[ChallengeRow]:
    c = CHALLENGE.c
    wanted = select(CHALLENGE).where(c.expires_at > now).order_by(c.expires_at).limit(limit)
    return all_of(connection, ChallengeRow, wanted)


def read_challenge(connection: Connection, challenge: str) -> ChallengeRow | None:
    wanted = select(CHALLENGE).where(CHALLENGE.c.id == challenge)
    return first_of(connection, ChallengeRow, wanted)


@dataclass(frozen=True, slots=True)
class SeekRow:
    """An open seat in the lobby: a game that waits for players."""

    id: Key[str]
    terms: Mapping[str, Any]
    players: Sequence[str]  # the ids of people; the person who opened the seek comes first
    side: int | None
    opened_at: float  # seconds since 1970
    within: int | None = None
    """Units: rating points; how far opponents' ratings may be from the first player's rating."""


SEEK: Final = table_of("seek", SeekRow)


def all_seeks(connection: Connection) -> list[SeekRow]:
    return all_of(connection, SeekRow, select(SEEK).order_by(SEEK.c.opened_at))


def change_seeks(connection: Connection, expired: Iterable[str], now: Iterable[SeekRow]) -> None:
    rows = list(now)
    names = [*expired, *(row.id for row in rows)]
    connection.execute(delete(SEEK).where(SEEK.c.id.in_(names)))
    for row in rows:
        add_row(connection, SEEK, row)


@dataclass(frozen=True)
class Lately:
    """The people who have played lately, and the hour when most people play."""

    names: Sequence[str]
    """The names of the accounts with a public game in the last day, the latest first."""
    busiest: float | None  # the next time of the hour when most games begin; None if unknown


def played_lately(connection: Connection, now: float, most: int = 5000) -> Lately:
    """Return who has played lately, from the ``most`` latest seats of the last month."""
    begun = GAME.c.created_at
    found = connection.execute(
        select(
            begun,
            GAME.c.terms["listed"].as_boolean(),
            tables.PERSON.c.name,
            *tables.ACCOUNT.c["person", "role"],
        )
        .join(SEAT, SEAT.c.game == GAME.c.id)
        .join(tables.PERSON, tables.PERSON.c.id == SEAT.c.person)
        .outerjoin(tables.ACCOUNT, tables.ACCOUNT.c.person == tables.PERSON.c.id)
        .where(GAME.c.stage.in_((Stage.PLAYING, Stage.OVER)), begun > now - MONTH)
        .where(SEAT.c.kind == SeatKind.PERSON)
        .order_by(begun.desc())
        .limit(most)
    ).all()
    names: dict[str, None] = {}
    hours: Counter[int] = Counter()
    for at, shown, name, account, role in found:
        if role == tables.BOT_ROLE:
            continue
        hours[int(at // 3600 % 24)] += 1
        if account and shown and at > now - DAY:
            names[name] = None
    if hours.total() < MIN_SEATS_TAKEN:
        return Lately(list(names), None)
    hour = hours.most_common(1)[0][0]
    today = now - now % DAY + hour * 3600
    return Lately(list(names), today if today > now - 3600 else today + DAY)


def erase_person(connection: Connection, person_id: str) -> None:
    for side in (CHALLENGE.c.challenger, CHALLENGE.c.challenged):
        connection.execute(delete(CHALLENGE).where(side == person_id))
    for seek in all_seeks(connection):
        others = [one for one in seek.players if one != person_id]
        stays = [replace(seek, players=others)] if person_id != seek.players[0] else []
        if others != list(seek.players):
            change_seeks(connection, [seek.id], stays)


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    either = (CHALLENGE.c.challenger == person_id) | (CHALLENGE.c.challenged == person_id)
    rows = connection.execute(select(CHALLENGE).where(either).order_by(CHALLENGE.c.created_at))
    takeout.about["challenges"] = [
        {"terms": row.terms, "mine": row.challenger == person_id, "at": row.created_at}
        for row in rows
    ]
    takeout.about["open seats"] = [
        {"terms": row.terms, "at": row.opened_at}
        for row in all_seeks(connection)
        if person_id in row.players
    ]


@dataclass
class Seek:
    """A game in the lobby that waits for players."""

    id: str
    agreement: Agreement
    players: list[tables.Person]  # the players so far; the player who opened the seek comes first
    standings: dict[str, RatedPlayer]
    """The accounts and ratings of players with accounts, by person id."""
    side: int | None = None  # the seat that the first player wants
    opened_at: float = 0.0
    within: int | None = None
    """Units: rating points; how far opponents' ratings may be from the first player's rating."""
    missed: dict[str, float] = field(default_factory=dict)
    """The times when players left the lobby, by person id."""
    begins: bool = False  # whether the last seat has been taken, and the game is being created

    @property
    def free(self) -> int:
        return 0 if self.begins else self.agreement.seats - len(self.players)

    @property
    def people(self) -> set[str]:
        return {one.id for one in self.players}

    def as_row(self) -> SeekRow:
        players = [one.id for one in self.players]
        terms = self.agreement.as_data()
        return SeekRow(
            id=self.id,
            terms=terms,
            players=players,
            side=self.side,
            opened_at=self.opened_at,
            within=self.within,
        )

    @property
    def range(self) -> tuple[int, int] | None:
        """The minimum and the maximum rating; None if there is no limit."""
        first = self.standings.get(self.players[0].id)
        if self.within is None or first is None:
            return None
        return round(first.rating) - self.within, round(first.rating) + self.within

    def has(self, person: tables.Person | None) -> bool:
        return person is not None and any(one.id == person.id for one in self.players)

    def check_range(self, standing: RatedPlayer | None) -> None:
        """Refuse a person (`HouseError`) whose rating is out of range."""
        if not (known := self.range):
            return
        low, high = known
        if standing is None or not low <= round(standing.rating) <= high:
            raise HouseError("this seat is for ratings from {low} to {high}", low=low, high=high)


class StoredSeeks:
    """The storage of open seats, with a cache of the rows."""

    def __init__(self, store: Store, may_keep: Callable[[], bool]) -> None:
        """``may_keep`` returns whether this process still has the lobby."""
        self._store, self._may_keep = store, may_keep
        self._rows: dict[str, SeekRow] | None = None
        """The rows as last stored; None while another process may have the lobby."""
        self._reading, self._keeping = asyncio.Lock(), asyncio.Lock()

    async def read(self) -> Sequence[tuple[SeekRow, list[tables.Person]]]:
        """Return the stored seats with their players, once; from then on this process stores them.

        Seats with deleted players are left out.
        """
        async with self._reading:
            if self._rows is not None:
                return []
            found = await in_thread(self._found)
            self._rows = {row.id: row for row, _ in found}
            return [(row, players) for row, players in found if len(players) == len(row.players)]

    def _found(self) -> list[tuple[SeekRow, list[tables.Person]]]:
        store = self._store
        found = []
        for row in store.read(all_seeks):
            people = [store.read(tables.read_person, one) for one in row.players]
            found.append((row, [one for one in people if one and one.is_here]))
        return found

    async def deleted(self, people: Collection[str]) -> Sequence[str]:
        return await self._store.fetch(tables.deleted_of, people)

    def forget(self) -> None:
        """Drop the cached rows, because another process may have the lobby now."""
        self._rows = None

    async def keep(self, rows: Mapping[str, SeekRow]) -> None:
        """Store the seats that have changed, and delete closed ones."""
        async with self._keeping:
            if self._rows is None or not self._may_keep():
                return
            before = self._rows
            gone = [name for name in before if name not in rows]
            changed = [row for name, row in rows.items() if before.get(name) != row]
            if gone or changed:
                await self._store.commit(change_seeks, expired=gone, now=changed)
                if self._rows is before:  # not dropped during the commit
                    self._rows = dict(rows)
