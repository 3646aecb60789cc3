"""Blocks: a person hears nothing of the people whom they have blocked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from trine.core.text.sentence import text
from trine.house.background import Now
from trine.house.people import block_rows, person_rows
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store

MOST: Final = 200


class Blocks:
    """The blocks among the people of a house."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store, self._now = store, now

    async def block(self, person: Person, other: str, *, on: bool = True) -> None:
        """Block a person, or unblock them.

        Raises:
            HouseError: it is oneself, or too many are blocked.
        """
        if other == person.id:
            raise HouseError(text("you cannot block yourself"))
        if on and len(await self.blocked_by(person.id)) >= MOST:
            raise HouseError(text("you have blocked {count} people already", count=MOST))
        if not await self._store.fetch(person_rows.read_person, other):
            raise HouseError(text("there is no such person"))
        await self._store.commit(
            block_rows.set_block, person=person.id, blocked=other, now=self._now(), on=on
        )

    async def blocked_by(self, person: str) -> dict[str, str]:
        """Return the people whom a person has blocked: names by ids."""
        return await self._store.fetch(block_rows.blocked_by, person=person)

    async def apart(self, people: Collection[str]) -> set[frozenset[str]]:
        """Return the pairs among some people whom nobody is to pair: one has blocked the other."""
        return await self._store.fetch(block_rows.pairs_apart, people=people)
