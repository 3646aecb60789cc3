"""The browsers in which people log in: an owner is told of a new one, a ban holds for them.

A browser is known by a secret that it keeps as a cookie, also when nobody is logged in; the house
keeps its hash. One that keeps no cookies is a new one each time.
"""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    String,
    Table,
    delete,
    insert,
    select,
    update,
)
from starlette.requests import Request

from trine.house.people.tables import SESSION
from trine.house.people.takeout import Takeout
from trine.house.store.schema import METADATA
from trine.house.store.secrets import is_token, token_hash
from trine.house.web.visitors import secret_of

COOKIE: Final = "browser"
KEPT: Final = 400 * 86_400.0
"""Units: seconds; browsers that were not used for so long are forgotten. Cookies last no longer."""
MOST: Final = 40
"""The number of browsers of a person that are remembered."""
_PROGRAMS: Final = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""The names of browsers by their marks; those come first that bear the marks of others, too."""
_SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}

BROWSER: Final = Table(
    "browser",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("hash", String, primary_key=True),
    Column("first_at", Double, nullable=False),
    Column("last_at", Double, nullable=False),
    Column("known", Boolean, nullable=False),
    Index(None, "hash"),
)
"""A browser in which a person has logged in, by the hash of a secret that it keeps; one that is not
known yet came after others, and its owner has not been told."""


def told_of(agent: str) -> str:
    """Return what a browser says of itself, for its owner; empty if that is nothing known.

    Packages that read such lines carry tables of a thousand kinds; a person tells these few apart.

    >>> told_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> told_of("curl/8.5.0")
    ''
    """
    program = next((name for mark, name in _PROGRAMS.items() if re.search(rf"\b{mark}", agent)), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return ", ".join(part for part in (program, system) if part)


def browser_of(request: Request) -> str:
    """Return the hash of a browser's secret; empty where it has none."""
    secret = secret_of(request, COOKIE)
    return token_hash(secret) if is_token(secret) else ""


def note_browser(
    connection: Connection, session: str, browser: str, agent: str, now: float
) -> None:
    """Note the browser of a new session.

    A browser that is not the first one of a person sets an alarm in all other sessions; where there
    is none, in the next one that begins in a known browser.
    """
    mine = SESSION.c.hash == session
    person = connection.execute(select(SESSION.c.person).where(mine)).scalar()
    if person is None:
        return
    theirs, here = BROWSER.c.person == person, BROWSER.c.hash == browser
    rows = connection.execute(
        select(BROWSER.c.hash, BROWSER.c.first_at, BROWSER.c.known)
        .where(theirs)
        .order_by(BROWSER.c.last_at.desc())
    ).all()
    seen = next((row for row in rows if row.hash == browser), None)
    alarm = None
    if seen:
        connection.execute(update(BROWSER).where(theirs, here).values(last_at=now))
        if seen.known:
            alarm = max((row.first_at for row in rows if not row.known), default=None)
    else:
        connection.execute(
            insert(BROWSER).values(
                person=person, hash=browser, first_at=now, last_at=now, known=not rows
            )
        )
        if rows:
            others = (SESSION.c.person == person) & (SESSION.c.hash != session)
            connection.execute(update(SESSION).where(others).values(alarm=now))
        for row in rows[MOST - 1 :]:
            connection.execute(delete(BROWSER).where(theirs, BROWSER.c.hash == row.hash))
    connection.execute(delete(BROWSER).where(theirs, BROWSER.c.last_at < now - KEPT))
    connection.execute(update(SESSION).where(mine).values(agent=agent, alarm=alarm))


def answer_alarm(connection: Connection, session: str, *, mine: bool) -> None:
    """Put away the alarm of a session, if it has one: browsers are known then, or strange again.

    Args: ``mine`` tells whether the new browsers are the person's own.
    """
    found = select(SESSION.c.person).where(SESSION.c.hash == session, SESSION.c.alarm.is_not(None))
    person = connection.execute(found).scalar()
    if person is not None:
        new = (BROWSER.c.person == person) & BROWSER.c.known.is_(False)
        connection.execute(
            update(BROWSER).where(new).values(known=True) if mine else delete(BROWSER).where(new)
        )
        connection.execute(update(SESSION).where(SESSION.c.person == person).values(alarm=None))


def people_in(connection: Connection, browser: str) -> list[str]:
    found = select(BROWSER.c.person).where(BROWSER.c.hash == browser)
    return list(connection.execute(found).scalars())


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add when a person has logged in in browsers, of which only hashes are stored."""
    mine = select(BROWSER).where(BROWSER.c.person == person).order_by(BROWSER.c.first_at)
    takeout.about["browsers"] = [
        {"first": row.first_at, "last": row.last_at, "known": row.known}
        for row in connection.execute(mine)
    ]


def forget_person(connection: Connection, person: str) -> None:
    connection.execute(delete(BROWSER).where(BROWSER.c.person == person))
