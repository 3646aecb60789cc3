"""Sanctions: muting or banning a person for some time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Final

from sqlalchemy import Connection, Index, func, select, update
from sqlalchemy import Text as LongText

from trine.house.people.credentials import EndedSessions, end_credentials
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import Key, add_row, all_of, table_of
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.web.pages import day

Write = Callable[[Connection], None]
MUTE, BAN = "mute", "ban"
REFRESH_INTERVAL: Final = 10.0  # seconds; other processes impose sanctions, too


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """A mute or a ban of a person, until a time."""

    id: Key[str]
    person: Annotated[str, "person.id"]
    kind: str  # ``mute`` or ``ban``
    at: float
    until: float
    why: Annotated[str, LongText()]


SANCTION: Final = table_of("sanction", SanctionRow, Index(None, "until"))


def add_sanction(connection: Connection, row: SanctionRow) -> EndedSessions:
    """Store a sanction; a ban ends all sessions and tokens of the person."""
    add_row(connection, SANCTION, row)
    return end_credentials(connection, row.person) if row.kind == BAN else EndedSessions(row.person)


def copy_sanction(connection: Connection, row: SanctionRow, person_id: str) -> None:
    """Copy a sanction to another person; the copy is lifted with the original."""
    copied = replace(row, id=f"{row.id.partition('-')[0]}-{new_id()}", person=person_id)
    add_row(connection, SANCTION, copied)


def check_not_banned(connection: Connection, person_id: str, now: float) -> None:
    """Raise a `HouseError` if a person is banned; read from the database, as of now."""
    c = SANCTION.c
    held = select(func.max(c.until)).where(c.person == person_id, c.kind == BAN, c.until > now)
    if until := connection.scalar(held):
        raise banned_until(until)


def muted_until(until: float) -> HouseError:
    return HouseError("until {date} nothing that you write reaches others", date=day(until))


def banned_until(until: float) -> HouseError:
    return HouseError("this account is closed until {date}", date=day(until))


def sanctions_at(connection: Connection, now: float) -> list[SanctionRow]:
    """Return all sanctions in force at a time; without a limit, since none may be missed."""
    held = select(SANCTION).where(SANCTION.c.until > now).order_by(SANCTION.c.until)
    return all_of(connection, SanctionRow, held)


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    mine = select(SANCTION).where(SANCTION.c.person == person_id).order_by(SANCTION.c.at)
    takeout.about["sanctions"] = [
        {"kind": row.kind, "at": row.at, "until": row.until, "why": row.why}
        for row in connection.execute(mine)
    ]


def end_sanction(connection: Connection, sanction: str, now: float) -> bool:
    c = SANCTION.c
    copies = c.id.startswith(f"{sanction}-", autoescape=True)
    here = ((c.id == sanction) | copies) & (c.until > now)
    return connection.execute(update(SANCTION).where(here).values(until=now)).rowcount > 0


class Sanctions:
    """The sanctions in force, cached in memory, since every line of chat is checked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, dict[str, SanctionRow]] = {}
        """The sanctions in force, by person, then by id."""
        self._at_work = asyncio.Lock()
        """A lock around writes and full reads: a stale read cannot replace newer sanctions."""

    async def refresh(self) -> None:
        async with self._at_work:
            rows = await self._store.fetch(sanctions_at, now=self._store.now())
            self._held = {}
            for row in rows:
                self._cache(row)

    def _cache(self, row: SanctionRow) -> None:
        self._held.setdefault(row.person, {})[row.id] = row

    @property
    def all(self) -> Sequence[SanctionRow]:
        """All cached sanctions; some may have just expired."""
        return list(chain.from_iterable(rows.values() for rows in self._held.values()))

    def holds(self, person_id: str, kind: str) -> SanctionRow | None:
        """Return the longest sanction of a kind in force for a person."""
        now = self._store.now()
        rows = self._held.get(person_id, {}).values()
        found = [row for row in rows if row.kind == kind and row.until > now]
        return max(found, key=lambda row: row.until, default=None)

    @property
    def banned(self) -> set[str]:
        now = self._store.now()
        return {row.person for row in self.all if row.kind == BAN and row.until > now}

    def is_muted(self, person_id: str) -> bool:
        return bool(self.holds(person_id, MUTE) or self.holds(person_id, BAN))

    def check_may_speak(self, person_id: str) -> None:
        """Raise a `HouseError` if a person is muted or banned."""
        if held := self.holds(person_id, MUTE) or self.holds(person_id, BAN):
            raise muted_until(held.until)

    def check_not_banned(self, person_id: str) -> None:
        if held := self.holds(person_id, BAN):
            raise banned_until(held.until)

    async def impose(self, row: SanctionRow, also: Write | None = None) -> EndedSessions:
        """Store a sanction, with ``also`` in its transaction; return the sessions that it ended."""

        def write(connection: Connection) -> EndedSessions:
            if also:
                also(connection)
            return add_sanction(connection, row)

        async with self._at_work:
            ended = await self._store.commit(write)
            self._cache(row)
        return ended

    async def lift(self, sanction: str, also: Callable[[SanctionRow], Write] | None = None) -> None:
        """Lift a sanction, if it is in force; ``also`` returns a step of the same transaction."""

        def write(connection: Connection) -> None:
            if end_sanction(connection, sanction, now) and held and also:
                also(held)(connection)

        async with self._at_work:
            now, held = self._store.now(), next((r for r in self.all if r.id == sanction), None)
            await self._store.commit(write)
            for row in self.all:
                if row.id.partition("-")[0] == sanction:
                    self._held[row.person].pop(row.id)
