"""Open seats as rows: they are there again when the house is, or another process has the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trine.store.people import Person
from trine.store.seek_rows import SeekRow, all_seeks, change_seeks

if TYPE_CHECKING:
    from trine.house.house import House


class KeptSeeks:
    """The open seats that are stored, and those of them that are known here."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._rows: dict[str, SeekRow] | None = None
        """None as long as another process may have the lobby."""
        self._reading = asyncio.Lock()

    async def read(self) -> Sequence[tuple[SeekRow, list[Person]]]:
        """The seats that are stored, with their players, once; then it is for us to keep them.

        Those whose players are no longer there are left out.
        """
        async with self._reading:
            if self._rows is not None:
                return []
            found = await asyncio.to_thread(self._found)
            self._rows = {row.id: row for row, _ in found}
            return [(row, players) for row, players in found if len(players) == len(row.players)]

    def _found(self) -> list[tuple[SeekRow, list[Person]]]:
        store = self._house.store
        found = []
        for row in store.read(all_seeks):
            people = [store.people.get(one) for one in row.players]
            found.append((row, [one for one in people if one and one.is_here]))
        return found

    def forget(self) -> None:
        """Leave the rows to another process."""
        self._rows = None

    async def keep(self, rows: Mapping[str, SeekRow]) -> None:
        """Have the seats be stored as they are now; what has not changed is not written."""
        if self._rows is None or self._house.lease.lapsed:
            return
        before, self._rows = self._rows, dict(rows)
        gone = [name for name in before if name not in rows]
        changed = [row for name, row in rows.items() if before.get(name) != row]
        if gone or changed:
            await asyncio.wrap_future(self._house.store.write(change_seeks, gone=gone, now=changed))
