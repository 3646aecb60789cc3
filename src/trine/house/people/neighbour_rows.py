"""Stored marks of the network addresses from which accounts have lately been used."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.house.people.tables import BROWSER, USED_FROM

MOST: Final = 8
"""The number of addresses remembered of one account."""


def note_used(connection: Connection, person: str, mark: str, now: float, forgotten: float) -> None:
    """Note that an account is used from an address.

    Args: what was noted before ``forgotten`` goes.
    """
    c = USED_FROM.c
    here = (c.person == person) & (c.mark == mark)
    connection.execute(delete(USED_FROM).where(c.at < forgotten))
    if not connection.execute(update(USED_FROM).where(here).values(at=now)).rowcount:
        connection.execute(insert(USED_FROM).values(person=person, mark=mark, at=now))
        mine = select(c.mark).where(c.person == person).order_by(c.at.desc()).offset(MOST)
        for old in connection.execute(mine).scalars().all():
            connection.execute(delete(USED_FROM).where(c.person == person, c.mark == old))


def people_from(connection: Connection, mark: str, since: float) -> list[str]:
    """Return the accounts that were used from an address since a moment."""
    c = USED_FROM.c
    return list(connection.execute(select(c.person).where(c.mark == mark, c.at >= since)).scalars())


def share_address(connection: Connection, people: Collection[str], since: float) -> bool:
    """Return whether two of some accounts were used from one address since a moment."""
    c = USED_FROM.c
    marks = select(c.mark).where(c.person.in_(people), c.at >= since).group_by(c.mark)
    return connection.execute(marks.having(func.count() > 1).limit(1)).first() is not None


def share_browser(connection: Connection, people: Collection[str]) -> bool:
    """Return whether two of some accounts were used in one browser."""
    c = BROWSER.c
    browsers = select(c.hash).where(c.person.in_(people)).group_by(c.hash)
    return connection.execute(browsers.having(func.count() > 1).limit(1)).first() is not None


def forget_person(connection: Connection, person: str) -> None:
    """Forget from where an account was used."""
    connection.execute(delete(USED_FROM).where(USED_FROM.c.person == person))
