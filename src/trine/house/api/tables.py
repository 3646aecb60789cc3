"""Tokens with which programs act for people.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
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

from trine.core.text.sentence import text
from trine.house.games.tables import SEAT
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, Person, PersonKind
from trine.house.people.takeout import Takeout
from trine.house.store.schema import METADATA
from trine.house.store.secrets import new_token, token_hash
from trine.house.store.store_errors import TooManyError

API_TOKEN: Final = Table(
    "api_token",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("name", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Index(None, "person"),
)
"""The hash of a token by which a program acts for a person, as far as its scopes, which stand
apart by spaces, allow."""


MOST_TOKENS = 20
"""The largest number of tokens of a person."""
PREFIX = "trine_"
"""The prefix of tokens, by which one that was published by mistake is recognised."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A stored token, of which only the hash is known."""

    hash: str
    name: str
    scopes: tuple[str, ...]
    created_at: float


@dataclass(frozen=True, slots=True)
class Grant:
    """The person and the scopes of a token."""

    hash: str
    person: Person
    scopes: tuple[str, ...]
    bot: bool
    """Whether the account is that of a program."""


def create_api_token(
    connection: Connection, person: str, name: str, scopes: tuple[str, ...], now: float
) -> str:
    """Make a token; only its hash is stored."""
    if len(tokens_of(connection, person)) >= MOST_TOKENS:
        raise TooManyError(text("you have {count} tokens already", count=MOST_TOKENS))
    token = PREFIX + new_token()
    connection.execute(
        insert(API_TOKEN).values(
            hash=token_hash(token),
            person=person,
            name=name,
            scopes=" ".join(scopes),
            created_at=now,
        )
    )
    return token


def tokens_of(connection: Connection, person: str) -> list[TokenRow]:
    """Return the tokens of a person, the newest first."""
    found = connection.execute(
        select(API_TOKEN.c.hash, API_TOKEN.c.name, API_TOKEN.c.scopes, API_TOKEN.c.created_at)
        .where(API_TOKEN.c.person == person)
        .order_by(API_TOKEN.c.created_at.desc(), API_TOKEN.c.hash)
    )
    return [
        TokenRow(row.hash, row.name, tuple(row.scopes.split()), row.created_at) for row in found
    ]


def drop_api_token(connection: Connection, person: str, hashed: str) -> bool:
    mine = (API_TOKEN.c.person == person) & (API_TOKEN.c.hash == hashed)
    return connection.execute(delete(API_TOKEN).where(mine)).rowcount > 0


def grant_of(connection: Connection, hashed: str) -> Grant | None:
    """Return the grant of a token, given its hash; None for an unknown one."""
    row = connection.execute(
        select(PERSON, API_TOKEN.c.scopes, ACCOUNT.c.role)
        .join(API_TOKEN, API_TOKEN.c.person == PERSON.c.id)
        .join(ACCOUNT, ACCOUNT.c.person == PERSON.c.id)
        .where(API_TOKEN.c.hash == hashed)
    ).first()
    if not row:
        return None
    person = Person(row.id, PersonKind(row.kind), row.name, row.created_at)
    return Grant(hashed, person, tuple(row.scopes.split()), row.role == BOT_ROLE)


def become_bot(connection: Connection, person: str) -> bool:
    """Make an account that of a program, permanently, unless it has played already."""
    if connection.execute(select(SEAT.c.game).where(SEAT.c.person == person).limit(1)).first():
        return False
    plain = (ACCOUNT.c.person == person) & ACCOUNT.c.role.is_(None)
    return connection.execute(update(ACCOUNT).where(plain).values(role=BOT_ROLE)).rowcount > 0


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the tokens by which programs act for a person; of the secrets only hashes are stored."""
    takeout.about["tokens"] = [
        {"name": row.name, "scopes": row.scopes, "made": row.created_at}
        for row in tokens_of(connection, person)
    ]


def forget_person(connection: Connection, person: str) -> None:
    connection.execute(delete(API_TOKEN).where(API_TOKEN.c.person == person))
