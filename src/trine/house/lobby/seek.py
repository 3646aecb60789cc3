"""Seeks: open seats in the lobby that wait for players; and their storage."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from trine.core.work.cpu_account import in_thread
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.live_game import RatedPlayer
from trine.house.lobby.tables import SeekRow, all_seeks, change_seeks
from trine.house.people.tables import Person, deleted_of, read_person
from trine.house.refusals import HouseError
from trine.house.store.store import Store


@dataclass
class Seek:
    """A game in the lobby that waits for players."""

    id: str
    agreement: Agreement
    players: list[Person]
    """The players so far; the player who opened the seek comes first."""
    standings: dict[str, RatedPlayer]
    """The accounts and ratings of players with accounts, by person id."""
    side: int | None = None
    """The seat that the first player wants."""
    opened_at: float = 0.0
    within: int | None = None
    """Units: rating points; how far opponents' ratings may be from the first player's rating."""
    missed: dict[str, float] = field(default_factory=dict)
    """The times when players left the lobby, by person id."""
    begins: bool = False
    """Whether the last seat has been taken, and the game is being created."""

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

    def has(self, person: Person | None) -> bool:
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
        """Prepare; ``may_keep`` returns whether this process still has the lobby."""
        self._store, self._may_keep = store, may_keep
        self._rows: dict[str, SeekRow] | None = None
        """The rows as last stored; None while another process may have the lobby."""
        self._reading, self._keeping = asyncio.Lock(), asyncio.Lock()

    async def read(self) -> Sequence[tuple[SeekRow, list[Person]]]:
        """Return the stored seats with their players, once; from then on this process stores them.

        Seats with deleted players are left out.
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
            people = [store.read(read_person, one) for one in row.players]
            found.append((row, [one for one in people if one and one.is_here]))
        return found

    async def deleted(self, people: Collection[str]) -> Sequence[str]:
        return await self._store.fetch(deleted_of, people)

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
