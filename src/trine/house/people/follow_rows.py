"""Stored wishes to follow people."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select

from trine.house.people.account_rows import Account, accounts_of
from trine.house.people.tables import FOLLOW
from trine.house.people.takeout import Takeout


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
    """Return whether a person follows another."""
    this = (FOLLOW.c.person == person) & (FOLLOW.c.followed == followed)
    return connection.execute(select(FOLLOW.c.at).where(this)).first() is not None


def followed_by(connection: Connection, person: str) -> Sequence[Account]:
    """Return the accounts that a person follows, in the order of their names."""
    mine = select(FOLLOW.c.followed).where(FOLLOW.c.person == person)
    found = accounts_of(connection, list(connection.execute(mine).scalars()))
    return sorted(found.values(), key=lambda account: account.folded)


def forget_person(connection: Connection, person: str) -> None:
    """Forget whom a person follows, and who follows them."""
    there = (FOLLOW.c.person == person) | (FOLLOW.c.followed == person)
    connection.execute(delete(FOLLOW).where(there))


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the names of those whom a person follows; who follows the person is theirs to know."""
    takeout.about["following"] = [one.name for one in followed_by(connection, person)]
