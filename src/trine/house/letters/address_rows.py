"""Confirmed e-mail addresses, and the links of letters, each valid for one purpose once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from trine.house.letters.tables import EMAIL_ADDRESS, LETTER_LINK
from trine.house.store.secrets import new_token, token_hash


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a person."""

    person: str
    email: str
    language: str
    wanted: bool
    """Whether the person wants notices about games."""
    leave: str
    """The secret in the link that stops the notices."""
    written_at: float
    """Units: seconds since 1970; the time of the last notice."""
    rests_since: float | None = None
    """Units: seconds since 1970; when its mail server has said that there is no such mailbox."""

    @property
    def tells(self) -> bool:
        """Whether notices are sent there."""
        return self.wanted and self.rests_since is None


@dataclass(frozen=True, slots=True)
class Key:
    """The purpose of a link."""

    person: str
    about: Mapping[str, Any]


def fold_email(email: str) -> str:
    """Return an address in the form in which addresses are compared."""
    return email.casefold()


def _address(row: Row[Any] | None) -> Address | None:
    if not row:
        return None
    return Address(
        *(row.person, row.email, row.language, bool(row.wanted), row.leave),
        *(row.written_at, row.rests_since),
    )


def address_of(connection: Connection, person: str) -> Address | None:
    """Return the address of a person, or None."""
    return _address(
        connection.execute(select(EMAIL_ADDRESS).where(EMAIL_ADDRESS.c.person == person)).first()
    )


def people_at(connection: Connection, email: str) -> list[str]:
    """Return the people who have confirmed an address."""
    found = connection.execute(
        select(EMAIL_ADDRESS.c.person).where(EMAIL_ADDRESS.c.folded == fold_email(email)).limit(5)
    )
    return list(found.scalars())


def set_address(
    connection: Connection, person: str, email: str, language: str, *, wanted: bool = True
) -> None:
    """Store the confirmed address of a person, in place of any other."""
    drop_address(connection, person)
    connection.execute(
        insert(EMAIL_ADDRESS).values(
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
    """Remove the address of a person."""
    connection.execute(delete(EMAIL_ADDRESS).where(EMAIL_ADDRESS.c.person == person))


def set_wanted(connection: Connection, person: str, *, wanted: bool) -> None:
    """Set whether a person wants notices about games."""
    connection.execute(
        update(EMAIL_ADDRESS).where(EMAIL_ADDRESS.c.person == person).values(wanted=int(wanted))
    )


def set_rests(connection: Connection, address: Address, since: float | None) -> None:
    """Let an address rest, or be written to again, unless the person has another one by now."""
    this = (EMAIL_ADDRESS.c.person == address.person) & (EMAIL_ADDRESS.c.leave == address.leave)
    connection.execute(update(EMAIL_ADDRESS).where(this).values(rests_since=since))


def stop_by(connection: Connection, leave: str) -> bool:
    """Stop the notices of the address that has this secret; return whether there is one."""
    mine = EMAIL_ADDRESS.c.leave == leave
    return connection.execute(update(EMAIL_ADDRESS).where(mine).values(wanted=0)).rowcount > 0


def make_key(
    connection: Connection, person: str, kind: str, about: Mapping[str, Any], expires_at: float
) -> str:
    """Make the token of a link, stored as a hash; earlier tokens become invalid."""
    drop_keys(connection, person, kind)
    token = new_token()
    connection.execute(
        insert(LETTER_LINK).values(
            hash=token_hash(token),
            person=person,
            kind=kind,
            about=dict(about),
            expires_at=expires_at,
        )
    )
    return token


def read_key(connection: Connection, token: str, kind: str, now: float) -> Key | None:
    """Return the purpose of a link; None if it is invalid or has expired."""
    row = connection.execute(
        select(LETTER_LINK.c.person, LETTER_LINK.c.about).where(
            LETTER_LINK.c.hash == token_hash(token),
            LETTER_LINK.c.kind == kind,
            LETTER_LINK.c.expires_at > now,
        )
    ).first()
    return Key(row.person, row.about) if row else None


def use_key(connection: Connection, token: str, kind: str, now: float) -> Key | None:
    """Use up a link, and return its purpose."""
    key = read_key(connection, token, kind, now)
    connection.execute(delete(LETTER_LINK).where(LETTER_LINK.c.hash == token_hash(token)))
    return key


def drop_keys(connection: Connection, person: str, kind: str) -> None:
    """Invalidate all links of a kind that a person was sent."""
    connection.execute(
        delete(LETTER_LINK).where(LETTER_LINK.c.person == person, LETTER_LINK.c.kind == kind)
    )


def drop_expired_keys(connection: Connection, now: float) -> None:
    """Remove the expired links."""
    connection.execute(delete(LETTER_LINK).where(LETTER_LINK.c.expires_at <= now))
