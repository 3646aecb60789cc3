"""Former names of accounts: they lead to the account, or are retired with it.

So nobody passes for somebody who was known by a name, and links go on leading where they led.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.core.text.sentence import text
from trine.house.people.tables import FORMER_NAME
from trine.house.store.refusals import FormerNameError, RetiredNameError, TooManyError
from trine.house.store.secrets import token_hash

MOST: Final = 3
"""The number of names that a person can give up in `PERIOD`, and so keep from others. Guess."""
PERIOD: Final = 30 * 86_400.0
"""Units: seconds."""


def check_not_former(connection: Connection, person: str, folded: str) -> None:
    """Check that a name was not that of another account.

    Raises:
        FormerNameError: it was, and leads there.
        RetiredNameError: it was, and the account was deleted.
    """
    here = FORMER_NAME.c.hash == token_hash(folded)
    row = connection.execute(select(FORMER_NAME.c.person).where(here)).first()
    if row and row.person is None:
        raise RetiredNameError
    if row and row.person != person:
        raise FormerNameError


def person_formerly(connection: Connection, folded: str) -> str | None:
    """Return the person to whom a former name leads, or None."""
    here = FORMER_NAME.c.hash == token_hash(folded)
    return connection.execute(select(FORMER_NAME.c.person).where(here)).scalar()


def give_up(connection: Connection, person: str, folded: str, now: float) -> None:
    """Keep the name that a person gives up.

    Raises:
        TooManyError: the person has given up too many lately.
    """
    mine = (FORMER_NAME.c.person == person) & (FORMER_NAME.c.at > now - PERIOD)
    given_up = connection.execute(select(func.count()).where(mine)).scalar_one()
    if given_up >= MOST:
        raise TooManyError(text("a name can be changed {count} times in 30 days", count=MOST))
    connection.execute(insert(FORMER_NAME).values(hash=token_hash(folded), person=person, at=now))


def take_back(connection: Connection, person: str, folded: str) -> None:
    """Let a former name of a person be the present one again."""
    mine = (FORMER_NAME.c.hash == token_hash(folded)) & (FORMER_NAME.c.person == person)
    connection.execute(delete(FORMER_NAME).where(mine))


def retire(connection: Connection, person: str, folded: str, now: float) -> None:
    """Let all names of a person who leaves lead nowhere, and be nobody's."""
    connection.execute(insert(FORMER_NAME).values(hash=token_hash(folded), person=person, at=now))
    mine = FORMER_NAME.c.person == person
    connection.execute(update(FORMER_NAME).where(mine).values(person=None))
