"""Relations among people: whom a person follows, and of whom they want to hear nothing.

Nobody is told by whom they are followed or blocked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Table,
    delete,
    func,
    insert,
    select,
)

from trine.house.people.tables import PERSON, Account, Person, accounts_of, read_person
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import METADATA
from trine.house.store.store import Store

MOST: Final = 200
"""The number of people whom one person can follow, and whom they can block."""

FOLLOW: Final = Table(
    "follow",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("followed", ForeignKey("person.id"), primary_key=True),
    Column("at", Double, nullable=False),
    Index(None, "followed"),
)
"""A person whom another follows; nobody but the follower is told."""


def set_follow(
    connection: Connection, person: str, followed: str, now: float, most: int, *, on: bool
) -> bool:
    """Follow a person, or follow them no more; return whether that is so now.

    It is not so if a person would follow more than ``most``.
    """
    mine = FOLLOW.c.person == person
    connection.execute(delete(FOLLOW).where(mine, FOLLOW.c.followed == followed))
    if not on:
        return True
    count = connection.execute(select(func.count()).select_from(FOLLOW).where(mine)).scalar_one()
    if count >= most:
        return False
    connection.execute(insert(FOLLOW).values(person=person, followed=followed, at=now))
    return True


def follows(connection: Connection, person: str, followed: str) -> bool:
    this = (FOLLOW.c.person == person) & (FOLLOW.c.followed == followed)
    return connection.execute(select(FOLLOW.c.at).where(this)).first() is not None


def followed_by(connection: Connection, person: str) -> Sequence[Account]:
    """Return the accounts that a person follows, in the order of their names."""
    mine = select(FOLLOW.c.followed).where(FOLLOW.c.person == person)
    found = accounts_of(connection, list(connection.execute(mine).scalars()))
    return sorted(found.values(), key=lambda account: account.folded)


def forget_person(connection: Connection, person: str) -> None:
    """Forget whom a person follows and blocks, and who follows them."""
    there = (FOLLOW.c.person == person) | (FOLLOW.c.followed == person)
    connection.execute(delete(FOLLOW).where(there))
    connection.execute(delete(BLOCK).where(BLOCK.c.person == person))


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the names of those whom a person follows or blocks; who does so is theirs to know."""
    takeout.about["following"] = [one.name for one in followed_by(connection, person)]
    takeout.about["blocked"] = list(blocked_by(connection, person).values())


@dataclass(frozen=True)
class Following:
    """The followers and the followed among the people of a house."""

    store: Store

    async def follow(self, person: Person, other: Account, *, on: bool = True) -> None:
        """Follow an account, or follow it no more; once more does nothing more."""
        if other.person == person.id:
            raise HouseError("you cannot follow yourself")
        if not await self.store.commit(
            set_follow,
            person=person.id,
            followed=other.person,
            now=self.store.now(),
            most=MOST,
            on=on,
        ):
            raise HouseError("you follow {count} people already", count=MOST)

    async def of(self, person: Person) -> Sequence[Account]:
        """Return the accounts that a person follows, in the order of their names."""
        return await self.store.fetch(followed_by, person=person.id)

    async def follows(self, person: Person | None, account: Account) -> bool:
        if not person or not person.has_account:
            return False
        return await self.store.fetch(follows, person=person.id, followed=account.person)


BLOCK: Final = Table(
    "block",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("blocked", ForeignKey("person.id"), primary_key=True),
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


@dataclass(frozen=True)
class Blocks:
    """The blocks among the people of a house."""

    store: Store

    async def block(self, person: Person, other: str, *, on: bool = True) -> None:
        """Block a person, or unblock them."""
        if other == person.id:
            raise HouseError("you cannot block yourself")
        if on and len(await self.blocked_by(person.id)) >= MOST:
            raise HouseError("you have blocked {count} people already", count=MOST)
        if not await self.store.fetch(read_person, other):
            raise HouseError("there is no such person")
        await self.store.commit(
            set_block, person=person.id, blocked=other, now=self.store.now(), on=on
        )

    async def blocked_by(self, person: str) -> dict[str, str]:
        """Return the people whom a person has blocked: names by ids."""
        return await self.store.fetch(blocked_by, person=person)

    async def apart(self, people: Collection[str]) -> set[frozenset[str]]:
        """Return the pairs among some people whom nobody is to pair: one has blocked the other."""
        return await self.store.fetch(pairs_apart, people=people)
