"""Sanctions: who may not speak, and who is kept out, for some time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from trine.core.text.sentence import Text, text
from trine.house.background import Now
from trine.house.people import sanction_rows
from trine.house.people.sanction_rows import SanctionRow
from trine.house.refusals import HouseError
from trine.house.store.store import Store

MUTE, BAN = "mute", "ban"
MOST: Final = 10_000
LOOKED_THROUGH: Final = 10.0
"""Units: seconds; the interval of reading the sanctions of other processes."""


class Sanctions:
    """The sanctions that hold, in memory: they are asked for with every line of chat."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store, self._now = store, now
        self._held: dict[str, SanctionRow] = {}
        self._at_work = asyncio.Lock()
        """Held while one is written or all are read, so that no read is older than what is held."""

    async def look_through(self) -> None:
        """Learn which sanctions hold."""
        async with self._at_work:
            rows = await self._store.fetch(sanction_rows.sanctions_at, now=self._now(), limit=MOST)
            self._held = {row.id: row for row in rows}

    @property
    def all(self) -> Sequence[SanctionRow]:
        """Those that hold, or did a moment ago."""
        return list(self._held.values())

    def holds(self, person: str, kind: str) -> SanctionRow | None:
        """Return the longest sanction of a kind that holds for a person."""
        now = self._now()
        found = [
            one
            for one in self._held.values()
            if one.person == person and one.kind == kind and one.until > now
        ]
        return max(found, key=lambda one: one.until, default=None)

    @property
    def banned(self) -> set[str]:
        """The people who are kept out now."""
        now = self._now()
        return {one.person for one in self._held.values() if one.kind == BAN and one.until > now}

    def why_mute(self, person: str) -> Text | None:
        """Return the reason why a person is muted; None if they are not."""
        held = self.holds(person, MUTE) or self.holds(person, BAN)
        return text("you cannot chat until {date}", date=_date(held.until)) if held else None

    def check_not_banned(self, person: str) -> None:
        """Raise an error for a banned person.

        Raises:
            HouseError: so it is.
        """
        if held := self.holds(person, BAN):
            raise HouseError(text("this account is closed until {date}", date=_date(held.until)))

    async def impose(self, row: SanctionRow) -> None:
        """Impose a sanction from now on."""
        async with self._at_work:
            await self._store.commit(sanction_rows.add_sanction, row=row)
            self._held[row.id] = row

    async def lift(self, sanction: str) -> SanctionRow | None:
        """End a sanction; return it if it held."""
        async with self._at_work:
            was = await self._store.commit(
                sanction_rows.end_sanction, sanction=sanction, now=self._now()
            )
            held = self._held.pop(sanction, None)
        return held if was else None


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
