"""Blocks: a person hears nothing of the people whom they have blocked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Table,
    delete,
    insert,
    select,
)

from trine.core.text.sentence import text
from trine.house.people.tables import PERSON, Person, read_person
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import METADATA
from trine.house.store.store import Store

MOST: Final = 200

BLOCK: Final = Table(
    "block",
    METADATA,
    Column("person", ForeignKey("person.id", name="fk_block_person"), primary_key=True),
    Column("blocked", ForeignKey("person.id", name="fk_block_blocked"), primary_key=True),
    Column("at", Double, nullable=False),
)
"""A person of whom another wants to hear nothing."""


def set_block(connection: Connection, person: str, blocked: str, now: float, *, on: bool) -> None:
    connection.execute(delete(BLOCK).where(BLOCK.c.person == person, BLOCK.c.blocked == blocked))
    if on:
        connection.execute(insert(BLOCK).values(person=person, blocked=blocked, at=now))


def blocked_by(connection: Connection, person: str) -> dict[str, str]:
    """Return the people whom a person has blocked: names by ids."""
    found = connection.execute(
        select(PERSON.c.id, PERSON.c.name)
        .join(BLOCK, BLOCK.c.blocked == PERSON.c.id)
        .where(BLOCK.c.person == person)
        .order_by(BLOCK.c.at)
    )
    return {row.id: row.name for row in found}


def pairs_apart(connection: Connection, people: Collection[str]) -> set[frozenset[str]]:
    """Return the pairs among some people of whom one has blocked the other."""
    found = connection.execute(
        select(BLOCK.c.person, BLOCK.c.blocked).where(
            BLOCK.c.person.in_(people), BLOCK.c.blocked.in_(people)
        )
    )
    return {frozenset((row.person, row.blocked)) for row in found}


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the names of those whom a person has blocked; who blocks the person is theirs to know."""
    takeout.about["blocked"] = list(blocked_by(connection, person).values())


def forget_person(connection: Connection, person: str) -> None:
    connection.execute(delete(BLOCK).where(BLOCK.c.person == person))


@dataclass(frozen=True)
class Blocks:
    """The blocks among the people of a house."""

    store: Store

    async def block(self, person: Person, other: str, *, on: bool = True) -> None:
        """Block a person, or unblock them."""
        if other == person.id:
            raise HouseError(text("you cannot block yourself"))
        if on and len(await self.blocked_by(person.id)) >= MOST:
            raise HouseError(text("you have blocked {count} people already", count=MOST))
        if not await self.store.fetch(read_person, other):
            raise HouseError(text("there is no such person"))
        await self.store.commit(
            set_block, person=person.id, blocked=other, now=self.store.now(), on=on
        )

    async def blocked_by(self, person: str) -> dict[str, str]:
        """Return the people whom a person has blocked: names by ids."""
        return await self.store.fetch(blocked_by, person=person)

    async def apart(self, people: Collection[str]) -> set[frozenset[str]]:
        """Return the pairs among some people whom nobody is to pair: one has blocked the other."""
        return await self.store.fetch(pairs_apart, people=people)
