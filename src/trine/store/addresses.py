"""E-mail addresses that were confirmed, and the links of letters, each good for one thing once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from trine.store.schema import ADDRESS, KEY
from trine.store.tokens import new_token, token_hash


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a person."""

    person: str
    email: str
    language: str
    wanted: bool
    """Whether the person wants to be told what happens in games."""
    leave: str
    """The secret in the link that stops it."""
    written_at: float
    """Units: seconds since 1970; when the last such letter was written."""


@dataclass(frozen=True, slots=True)
class Key:
    """The thing that a link is good for."""

    person: str
    about: Mapping[str, Any]


def fold_email(email: str) -> str:
    """An address as addresses are compared."""
    return email.casefold()


def _address(row: Row[Any] | None) -> Address | None:
    if not row:
        return None
    return Address(row.person, row.email, row.language, bool(row.wanted), row.leave, row.written_at)


def address_of(connection: Connection, person: str) -> Address | None:
    """Return the address of a person, or None."""
    return _address(connection.execute(select(ADDRESS).where(ADDRESS.c.person == person)).first())


def people_at(connection: Connection, email: str) -> list[str]:
    """Return the people who have confirmed an address."""
    found = connection.execute(
        select(ADDRESS.c.person).where(ADDRESS.c.folded == fold_email(email)).limit(5)
    )
    return list(found.scalars())


def set_address(
    connection: Connection, person: str, email: str, language: str, *, wanted: bool = True
) -> None:
    """Keep an address that a person has confirmed, in the place of any other."""
    drop_address(connection, person)
    connection.execute(
        insert(ADDRESS).values(
            person=person,
            email=email,
            folded=fold_email(email),
            language=language,
            wanted=int(wanted),
            leave=new_token(),
            written_at=0.0,
        )
    )


def drop_address(connection: Connection, person: str) -> None:
    """Forget the address of a person."""
    connection.execute(delete(ADDRESS).where(ADDRESS.c.person == person))


def set_wanted(connection: Connection, person: str, *, wanted: bool) -> None:
    """Note whether a person wants to be told what happens in games."""
    connection.execute(update(ADDRESS).where(ADDRESS.c.person == person).values(wanted=int(wanted)))


def stop_by(connection: Connection, leave: str) -> bool:
    """Write no more notices to whoever has a link with this secret; whether there is one."""
    mine = ADDRESS.c.leave == leave
    return connection.execute(update(ADDRESS).where(mine).values(wanted=0)).rowcount > 0


def make_key(
    connection: Connection, person: str, kind: str, about: Mapping[str, Any], expires_at: float
) -> str:
    """Make the token of a link, of which a hash is stored; those made before are no longer good."""
    drop_keys(connection, person, kind)
    token = new_token()
    connection.execute(
        insert(KEY).values(
            hash=token_hash(token),
            person=person,
            kind=kind,
            about=dict(about),
            expires_at=expires_at,
        )
    )
    return token


def read_key(connection: Connection, token: str, kind: str, now: float) -> Key | None:
    """Return what a link is good for, or None if it is not, or no longer."""
    row = connection.execute(
        select(KEY.c.person, KEY.c.about).where(
            KEY.c.hash == token_hash(token), KEY.c.kind == kind, KEY.c.expires_at > now
        )
    ).first()
    return Key(row.person, row.about) if row else None


def use_key(connection: Connection, token: str, kind: str, now: float) -> Key | None:
    """Take what a link is good for; it is good for nothing from then on."""
    key = read_key(connection, token, kind, now)
    connection.execute(delete(KEY).where(KEY.c.hash == token_hash(token)))
    return key


def drop_keys(connection: Connection, person: str, kind: str) -> None:
    """Have the links of a kind that a person was sent be good for nothing."""
    connection.execute(delete(KEY).where(KEY.c.person == person, KEY.c.kind == kind))


def drop_expired_keys(connection: Connection, now: float) -> None:
    """Remove the links that are no longer good."""
    connection.execute(delete(KEY).where(KEY.c.expires_at <= now))
