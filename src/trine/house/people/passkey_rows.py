"""Passkeys of accounts, and the challenges that browsers were asked to sign.

A proof by a passkey that it is the owner of a session who asks counts once, and soon.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from sqlalchemy import Column, Connection, Index, String, delete, select, update

from trine.core.text.sentence import text
from trine.house.people.tables import create_account, create_guest, read_account, read_person
from trine.house.store.schema import Key, add_row, all_of, columns_of, first_of, table_of
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import TakenError, TooManyError

MOST: Final = 20
"""The largest number of passkeys of an account. Guess."""


LIFETIME: Final = 120.0
"""Units: seconds; how long a challenge may be signed, and a signature proves its owner's
presence."""
PROVEN: Final = "proven"


def bound(secret: str, session: str) -> str:
    """The hash of a secret that is good in one session alone."""
    return token_hash(f"{secret} {session}")


async def keep_proof(store: Store, person: str, session: str, now: float) -> None:
    proof = Ticket(PROVEN, "", {"person": person}, now + LIFETIME)
    hashed = bound(PROVEN, session)
    await store.commit(issue_ticket, hashed=hashed, ticket=proof, now=now)


async def is_proven(store: Store, person: str, session: str, now: float) -> bool:
    """Whether the owner has just shown to be there; then this is forgotten."""
    if not session:
        return False
    hashed = bound(PROVEN, session)
    found = await store.commit(redeem_ticket, hashed=hashed, now=now)
    return found is not None and found.about["person"] == person


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey of an account."""

    id: Key[str]
    """In base64url."""
    person: Annotated[str, "person.id"]
    public_key: str
    """In base64url."""
    counter: int
    """The number of signatures as counted by the passkey; 0 where it does not count."""
    name: str
    """The name that its owner gave it; only the owner sees it."""
    made_at: float
    used_at: float | None = None


PASSKEY: Final = table_of("passkey", Passkey, Index(None, "person"))


@dataclass(frozen=True, slots=True)
class Ticket:
    """A one-time ticket: a challenge that a browser was asked to sign, and its purpose."""

    purpose: str
    challenge: str
    about: Mapping[str, Any]
    expires_at: float


TICKET: Final = table_of(
    "ceremony", Ticket, Column("hash", String, primary_key=True), Index(None, "expires_at")
)
"""Each is found by the hashes of a secret of the browser and of its session."""


# --- passkeys ------------------------------------------------------------------------------------


def read_passkey(connection: Connection, passkey: str) -> Passkey | None:
    return first_of(connection, Passkey, select(PASSKEY).where(PASSKEY.c.id == passkey))


def passkeys_of(connection: Connection, person: str) -> list[Passkey]:
    mine = select(PASSKEY).where(PASSKEY.c.person == person)
    return all_of(connection, Passkey, mine.order_by(PASSKEY.c.made_at))


def add_passkey(connection: Connection, passkey: Passkey) -> None:
    if read_passkey(connection, passkey.id):
        raise TakenError(text("this passkey is known here already"))
    if len(passkeys_of(connection, passkey.person)) >= MOST:
        raise TooManyError(text("you have {count} passkeys, and no more fit", count=MOST))
    add_row(connection, PASSKEY, passkey)


def create_with_passkey(
    connection: Connection, passkey: Passkey, name: str, folded: str, now: float
) -> None:
    """Create an account with a passkey and no password, for a guest or a new person.

    Raises:
        StoreError: there is an account already, or another has the name or the passkey.
    """
    if not read_person(connection, passkey.person):
        create_guest(connection, name, now, passkey.person)
    create_account(connection, passkey.person, name, folded, "", now)
    add_passkey(connection, passkey)


def use_passkey(connection: Connection, passkey: Passkey, counter: int, now: float) -> bool:
    """Record the use of a passkey; return False if this count was used before."""
    seen = (PASSKEY.c.id == passkey.id) & (PASSKEY.c.counter == passkey.counter)
    done = connection.execute(update(PASSKEY).where(seen).values(counter=counter, used_at=now))
    return done.rowcount > 0


def drop_passkey(connection: Connection, passkey: str, person: str) -> bool:
    """Remove a passkey of a person, unless it is the only way in; return whether it was removed."""
    account = read_account(connection, person)
    mine = [one.id for one in passkeys_of(connection, person)]
    if not account or passkey not in mine or (len(mine) == 1 and not account.password):
        return False
    connection.execute(delete(PASSKEY).where(PASSKEY.c.id == passkey))
    return True


# --- one-time tickets ----------------------------------------------------------------------------


def issue_ticket(connection: Connection, hashed: str, ticket: Ticket, now: float) -> None:
    """Store the ticket of a browser, in place of an earlier one."""
    old = (TICKET.c.hash == hashed) | (TICKET.c.expires_at <= now)
    connection.execute(delete(TICKET).where(old))
    add_row(connection, TICKET, ticket, hash=hashed)


def redeem_ticket(connection: Connection, hashed: str, now: float) -> Ticket | None:
    """Return the ticket of a browser, once and in time; else None."""
    here = TICKET.c.hash == hashed
    wanted = select(*columns_of(TICKET, Ticket)).where(here)
    ticket = first_of(connection, Ticket, wanted)
    connection.execute(delete(TICKET).where(here))
    return ticket if ticket and ticket.expires_at > now else None
