"""Open seats as rows, which outlive the process that has the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence

from trine.core.work.payer import in_thread
from trine.house.lobby.tables import SeekRow, all_seeks, change_seeks
from trine.house.people import person_rows
from trine.house.people.person_rows import Person
from trine.house.store.store import Store


class StoredSeeks:
    """The stored open seats, and those of them known to this process."""

    def __init__(self, store: Store, may_keep: Callable[[], bool]) -> None:
        """``may_keep`` tells whether this process still has the lobby."""
        self._store, self._may_keep = store, may_keep
        self._rows: dict[str, SeekRow] | None = None
        """None as long as another process may have the lobby."""
        self._reading, self._keeping = asyncio.Lock(), asyncio.Lock()

    async def read(self) -> Sequence[tuple[SeekRow, list[Person]]]:
        """Return the stored seats with their players, once; from then on this process keeps them.

        Seats whose players no longer exist are left out.
        """
        async with self._reading:
            if self._rows is not None:
                return []
            found = await in_thread(self._found)
            self._rows = {row.id: row for row, _ in found}
            return [(row, players) for row, players in found if len(players) == len(row.players)]

    def _found(self) -> list[tuple[SeekRow, list[Person]]]:
        store = self._store
        found = []
        for row in store.read(all_seeks):
            people = [store.read(person_rows.read_person, one) for one in row.players]
            found.append((row, [one for one in people if one and one.is_here]))
        return found

    async def deleted(self, people: Collection[str]) -> Sequence[str]:
        """Return those of some people whose accounts were deleted."""
        return await self._store.fetch(person_rows.deleted_of, people)

    def forget(self) -> None:
        """Forget the rows, which another process keeps now."""
        self._rows = None

    async def keep(self, rows: Mapping[str, SeekRow]) -> None:
        """Store the changed seats as they are now."""
        async with self._keeping:  # one that fails puts back no rows of before another
            if self._rows is None or not self._may_keep():
                return
            before, self._rows = self._rows, dict(rows)
            gone = [name for name in before if name not in rows]
            changed = [row for name, row in rows.items() if before.get(name) != row]
            if gone or changed:
                try:
                    await self._store.commit(change_seeks, gone=gone, now=changed)
                except Exception:
                    if self._rows is not None:
                        self._rows = before  # the next change writes these too
                    raise
