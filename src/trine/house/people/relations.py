"""Relations between people: following and blocking. They are not revealed to the other person."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.house.people.tables import PERSON, Account, Person, accounts_of, read_person
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import METADATA, count_of
from trine.house.store.store import Store

MAX_RELATIONS: Final = 200  # of each kind, per person

FOLLOW: Final = sa.Table(
    "follow",
    METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("followed", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index(None, "followed"),
)
"""A person that another follows; only the follower can see this."""


def relate(
    connection: Connection, to: sa.Column[str], person_id: str, other: str, now: float, *, on: bool
) -> bool:
    """Add or remove a relation to another person; return False if `MAX_RELATIONS` are reached.

    ``to`` is the column of the other person in the table of the relation.
    """
    table = to.table
    mine = table.c.person == person_id
    connection.execute(sa.delete(table).where(mine, to == other))
    if not on:
        return True
    if count_of(connection, mine) >= MAX_RELATIONS:
        return False
    connection.execute(sa.insert(table).values({"person": person_id, to.name: other, "at": now}))
    return True


def follows(connection: Connection, person_id: str, followed: str) -> bool:
    this = (FOLLOW.c.person == person_id) & (FOLLOW.c.followed == followed)
    return connection.execute(sa.select(FOLLOW.c.at).where(this)).first() is not None


def followed_by(connection: Connection, person_id: str) -> Sequence[Account]:
    mine = sa.select(FOLLOW.c.followed).where(FOLLOW.c.person == person_id)
    found = accounts_of(connection, list(connection.scalars(mine)))
    return sorted(found.values(), key=lambda account: account.folded)


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    """Export the names that a person follows or blocks; not the followers, who are private."""
    takeout.about["following"] = [account.name for account in followed_by(connection, person_id)]
    takeout.about["blocked"] = list(blocked_by(connection, person_id).values())


@dataclass(frozen=True)
class Following:
    """Reads and writes which accounts follow which."""

    store: Store

    async def follow(self, person: Person, other: Account, *, on: bool = True) -> None:
        """Follow or unfollow an account; a repeat does nothing."""
        if other.person == person.id:
            raise HouseError("you cannot follow yourself")
        done = await self.store.commit(
            relate, FOLLOW.c.followed, person.id, other.person, self.store.now(), on=on
        )
        if not done:
            raise HouseError("you follow {count} people already", count=MAX_RELATIONS)

    async def of(self, person: Person) -> Sequence[Account]:
        return await self.store.fetch(followed_by, person_id=person.id)

    async def follows(self, person: Person | None, account: Account) -> bool:
        if not person or not person.has_account:
            return False
        return await self.store.fetch(follows, person_id=person.id, followed=account.person)


BLOCK: Final = sa.Table(
    "block",
    METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("blocked", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
)
"""A block: the blocked person's chat is hidden, and the two are not paired."""


def blocked_by(connection: Connection, person_id: str) -> dict[str, str]:
    found = connection.execute(
        sa.select(PERSON.c.id, PERSON.c.name)
        .join(BLOCK, BLOCK.c.blocked == PERSON.c.id)
        .where(BLOCK.c.person == person_id)
        .order_by(BLOCK.c.at)
    )
    return {row.id: row.name for row in found}


def pairs_apart(connection: Connection, people: Collection[str]) -> set[frozenset[str]]:
    """Return the pairs of people where one has blocked the other."""
    found = connection.execute(
        sa.select(BLOCK.c.person, BLOCK.c.blocked).where(
            BLOCK.c.person.in_(people), BLOCK.c.blocked.in_(people)
        )
    )
    return {frozenset((row.person, row.blocked)) for row in found}


@dataclass(frozen=True)
class Blocks:
    """Reads and writes which people block which."""

    store: Store

    async def block(self, person: Person, other: str, *, on: bool = True) -> None:
        if other == person.id:
            raise HouseError("you cannot block yourself")
        if not await self.store.fetch(read_person, other):
            raise HouseError("there is no such person")
        done = await self.store.commit(
            relate, BLOCK.c.blocked, person.id, other, self.store.now(), on=on
        )
        if not done:
            raise HouseError("you have blocked {count} people already", count=MAX_RELATIONS)

    async def blocked_by(self, person_id: str) -> dict[str, str]:
        return await self.store.fetch(blocked_by, person_id=person_id)

    async def apart(self, people: Collection[str]) -> set[frozenset[str]]:
        """Return the pairs of people not to be paired, since one has blocked the other."""
        return await self.store.fetch(pairs_apart, people=people)
