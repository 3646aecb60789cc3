"""Sanctions: who may not speak, and who is kept out, for some time."""

from __future__ import annotations

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
LOOKED_THROUGH: Final = 10.0
"""Units: seconds; the interval of reading the sanctions of other processes."""


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """Something that a person is kept from until a time: speaking, or being here at all."""

    id: Key[str]
    person: Annotated[str, "person.id"]
    kind: str
    """``mute`` or ``ban``."""
    at: float
    until: float
    why: Annotated[str, LongText()]


SANCTION: Final = table_of("sanction", SanctionRow, Index(None, "until"))


def add_sanction(connection: Connection, row: SanctionRow) -> EndedSessions:
    """Store a sanction; a ban ends all sessions, and what was made from the credentials."""
    add_row(connection, SANCTION, row)
    return end_credentials(connection, row.person) if row.kind == BAN else EndedSessions(row.person)


def copy_sanction(connection: Connection, row: SanctionRow, person_id: str) -> None:
    """Let a sanction hold for another person, too; it ends with the original."""
    copied = replace(row, id=f"{row.id.partition('-')[0]}-{new_id()}", person=person_id)
    add_row(connection, SANCTION, copied)


def check_not_banned(connection: Connection, person_id: str, now: float) -> None:
    """Raise a `HouseError` if a person is banned, also by another process just now."""
    c = SANCTION.c
    held = select(func.max(c.until)).where(c.person == person_id, c.kind == BAN, c.until > now)
    if until := connection.execute(held).scalar():
        raise banned_until(until)


def muted_until(until: float) -> HouseError:
    return HouseError("until {date} nothing that you write reaches others", date=day(until))


def banned_until(until: float) -> HouseError:
    return HouseError("this account is closed until {date}", date=day(until))


def sanctions_at(connection: Connection, now: float) -> list[SanctionRow]:
    """Return all sanctions that hold at a moment; each counts, so there is no limit."""
    held = select(SANCTION).where(SANCTION.c.until > now).order_by(SANCTION.c.until)
    return all_of(connection, SanctionRow, held)


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    mine = select(SANCTION).where(SANCTION.c.person == person).order_by(SANCTION.c.at)
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
    """The sanctions that hold, in memory: they are asked for with every line of chat."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, dict[str, SanctionRow]] = {}
        """By person, then by id."""
        self._at_work = asyncio.Lock()
        """Held while one is written or all are read, so that no read is older than what is held."""

    async def look_through(self) -> None:
        async with self._at_work:
            rows = await self._store.fetch(sanctions_at, now=self._store.now())
            self._held = {}
            for row in rows:
                self._keep(row)

    def _keep(self, row: SanctionRow) -> None:
        self._held.setdefault(row.person, {})[row.id] = row

    @property
    def all(self) -> Sequence[SanctionRow]:
        """Those that hold, or did a moment ago."""
        return list(chain.from_iterable(rows.values() for rows in self._held.values()))

    def holds(self, person: str, kind: str) -> SanctionRow | None:
        """Return the longest sanction of a kind that holds for a person."""
        now = self._store.now()
        rows = self._held.get(person, {}).values()
        found = [one for one in rows if one.kind == kind and one.until > now]
        return max(found, key=lambda one: one.until, default=None)

    @property
    def banned(self) -> set[str]:
        now = self._store.now()
        return {one.person for one in self.all if one.kind == BAN and one.until > now}

    def is_muted(self, person: str) -> bool:
        return bool(self.holds(person, MUTE) or self.holds(person, BAN))

    def check_may_speak(self, person: str) -> None:
        """Raise `HouseError` if nothing that a person writes may reach others."""
        if held := self.holds(person, MUTE) or self.holds(person, BAN):
            raise muted_until(held.until)

    def check_not_banned(self, person: str) -> None:
        if held := self.holds(person, BAN):
            raise banned_until(held.until)

    async def impose(self, row: SanctionRow, also: Write | None = None) -> EndedSessions:
        """Store a sanction; return the sessions that a ban has ended.

        Args: ``also`` is written in the same transaction.
        """

        def write(connection: Connection) -> EndedSessions:
            if also:
                also(connection)
            return add_sanction(connection, row)

        async with self._at_work:
            ended = await self._store.commit(write)
            self._keep(row)
        return ended

    async def lift(self, sanction: str, also: Callable[[SanctionRow], Write] | None = None) -> None:
        """End a sanction, if it holds.

        Args: ``also`` returns what is written in the same transaction.
        """

        def write(connection: Connection) -> None:
            if end_sanction(connection, sanction, now) and held and also:
                also(held)(connection)

        async with self._at_work:
            now, held = self._store.now(), next((r for r in self.all if r.id == sanction), None)
            await self._store.commit(write)
            for row in self.all:
                if row.id.partition("-")[0] == sanction:
                    self._held[row.person].pop(row.id)
