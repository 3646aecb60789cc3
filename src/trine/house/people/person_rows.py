"""People, and the tokens by which a browser is recognised."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from trine.core.text.sentence import Text, text
from trine.house.people.names import is_chosen, name_told
from trine.house.people.tables import PERSON, SESSION
from trine.house.store.refusals import UnknownError
from trine.house.store.secrets import new_id, new_token, token_hash

LIFETIME: Final = 180 * 86_400.0
"""Units: seconds; how long a browser is recognised after the last visit. Guess."""
RENEWED: Final = 86_400.0
"""Units: seconds; a further visit counts only so long after the one before."""


class PersonKind(StrEnum):
    """The way in which a person is recognised."""

    GUEST = "guest"
    """Recognised only by a token in a browser."""
    ACCOUNT = "account"
    """Recognised by a name and a password."""
    DELETED = "deleted"
    """No longer recognised; the person's games stay."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays."""

    id: str
    kind: PersonKind
    name: str
    created_at: float
    """Units: seconds since 1970."""
    alarm: float | None = field(default=None, compare=False)
    """When somebody logged in from a new browser, of which the person is to be told here."""
    until: float = field(default=0.0, compare=False, repr=False)
    """Units: seconds since 1970; how long the browser is recognised without another visit."""
    renewed: bool = field(default=False, compare=False, repr=False)
    """Whether this visit has made that longer."""
    address: str = field(default="", compare=False, repr=False)
    """The network address behind which the person is now, if that is known; it is not stored."""

    @property
    def called(self) -> Text:
        """The name, for readers of every language."""
        return name_told(self.name)

    @property
    def chose_name(self) -> bool:
        """Whether this is a guest under a name of their own, which anybody could have chosen."""
        return self.kind is PersonKind.GUEST and is_chosen(self.name)

    @property
    def is_here(self) -> bool:
        """Whether the person has not been deleted."""
        return self.kind is not PersonKind.DELETED

    @property
    def has_account(self) -> bool:
        """Whether the person is known by a name and a password."""
        return self.kind is PersonKind.ACCOUNT


def create_guest(connection: Connection, name: str, now: float, person_id: str = "") -> Person:
    """Create a guest, with a given id or a new one."""
    person = Person(person_id or new_id(), PersonKind.GUEST, name, now)
    connection.execute(
        insert(PERSON).values(id=person.id, kind=person.kind, name=name, created_at=now)
    )
    return person


def rename(connection: Connection, person: str, name: str) -> None:
    """Give a person another name.

    Raises:
        UnknownError: there is no person of that id.
    """
    found = connection.execute(update(PERSON).where(PERSON.c.id == person).values(name=name))
    if not found.rowcount:
        raise UnknownError(text("there is no person {person}", person=person))


def read_person(connection: Connection, person: str) -> Person | None:
    """Return the person of an id, or None."""
    row = connection.execute(select(PERSON).where(PERSON.c.id == person)).first()
    return Person(row.id, PersonKind(row.kind), row.name, row.created_at) if row else None


def deleted_of(connection: Connection, people: Collection[str]) -> list[str]:
    """Return those of some people who have been deleted."""
    them = PERSON.c.id.in_(people) & (PERSON.c.kind == PersonKind.DELETED)
    return list(connection.execute(select(PERSON.c.id).where(them)).scalars())


def check_here(connection: Connection, people: Iterable[str | None]) -> None:
    """Check that nobody of some people has been deleted, and let nobody be until this is written.

    Raises:
        UnknownError: somebody has.
    """
    if not (them := sorted({person for person in people if person})):
        return
    rows = select(PERSON.c.kind).where(PERSON.c.id.in_(them)).order_by(PERSON.c.id)
    found = connection.execute(rows.with_for_update(read=True)).scalars().all()
    if len(found) < len(them) or PersonKind.DELETED in found:
        raise UnknownError(text("one of the players is here no longer"))


def create_token(
    connection: Connection, person: str, now: float, lifetime: float = LIFETIME
) -> str:
    """Make a token that stands for a person for ``lifetime`` seconds.

    Raises:
        UnknownError: there is no person of that id.
    """
    if not read_person(connection, person):
        raise UnknownError(text("there is no person {person}", person=person))
    token = new_token()
    connection.execute(
        insert(SESSION).values(
            hash=token_hash(token), person=person, created_at=now, expires_at=now + lifetime
        )
    )
    return token


def person_of(connection: Connection, token: str, now: float) -> Person | None:
    """Return the person of a token, or None if the token is unknown or has expired."""
    row = connection.execute(
        select(PERSON, SESSION.c.alarm, SESSION.c.expires_at)
        .join(SESSION, SESSION.c.person == PERSON.c.id)
        .where(SESSION.c.hash == token_hash(token), SESSION.c.expires_at > now)
    ).first()
    if not row:
        return None
    kind = PersonKind(row.kind)
    return Person(row.id, kind, row.name, row.created_at, row.alarm, row.expires_at)


def renew_token(connection: Connection, token: str, until: float) -> None:
    """Have a token be good until a later moment."""
    here = SESSION.c.hash == token_hash(token)
    connection.execute(update(SESSION).where(here).values(expires_at=until))


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a person is recognised."""

    hash: str
    created_at: float
    """Units: seconds since 1970."""
    agent: str | None = None
    """The name that the browser gives itself."""


def sessions_of(connection: Connection, person: str, now: float) -> list[Session]:
    """Return the browsers in which a person is recognised, the newest first."""
    found = connection.execute(
        select(SESSION.c.hash, SESSION.c.created_at, SESSION.c.agent)
        .where(SESSION.c.person == person, SESSION.c.expires_at > now)
        .order_by(SESSION.c.created_at.desc())
    )
    return [Session(*row) for row in found]


def end_session(connection: Connection, person: str, hashed: str) -> None:
    """Invalidate a token of a person, given its hash."""
    connection.execute(delete(SESSION).where(SESSION.c.person == person, SESSION.c.hash == hashed))


def end_sessions(connection: Connection, person: str, but: str = "") -> None:
    """Invalidate all tokens of a person, except one."""
    connection.execute(
        delete(SESSION).where(SESSION.c.person == person, SESSION.c.hash != token_hash(but))
    )


def drop_token(connection: Connection, token: str) -> None:
    connection.execute(delete(SESSION).where(SESSION.c.hash == token_hash(token)))


def drop_expired_tokens(connection: Connection, now: float) -> int:
    """Remove the expired tokens, and return their number."""
    return connection.execute(delete(SESSION).where(SESSION.c.expires_at <= now)).rowcount
