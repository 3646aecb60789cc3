"""Stored blocks among people."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, insert, select

from trine.house.people.tables import BLOCK, PERSON
from trine.house.people.takeout import Takeout


def set_block(connection: Connection, person: str, blocked: str, now: float, *, on: bool) -> None:
    """Block a person, or unblock them."""
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
    """Forget of whom a person wants to hear nothing."""
    connection.execute(delete(BLOCK).where(BLOCK.c.person == person))
