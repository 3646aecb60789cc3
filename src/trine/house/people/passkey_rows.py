"""The tables of passkeys, and of one-time tickets: challenges that browsers are asked to sign.

A passkey's proof that the owner is present is valid once, for a short time.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from sqlalchemy import Column, Connection, Index, String, delete, select, update

from trine.core.text.sentence import text
from trine.house.people.credentials import (
    GUEST_EPOCH,
    EndedSessions,
    check_epoch,
    end_credentials,
)
from trine.house.people.tables import (
    Account,
    create_account,
    create_guest,
    read_account,
    read_person,
)
from trine.house.refusals import HouseError
from trine.house.store.schema import Key, add_row, all_of, columns_of, first_of, table_of
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import MissingRowError, StoreError, TakenError, TooManyError

MAX_PASSKEYS: Final = 20
"""The maximum number of passkeys of an account. Guess."""


LIFETIME: Final = 120.0
"""Units: seconds; how long a challenge, and then the proof by its signature, is valid."""
PROVEN: Final = "proven"


def bound(secret: str, session: str) -> str:
    """Return the hash of a secret that is valid in one session only."""
    return token_hash(f"{secret} {session}")


async def keep_proof(store: Store, person_id: str, epoch: int, session: str, now: float) -> None:
    proof = Ticket(
        purpose=PROVEN,
        challenge="",
        about={"person": person_id},
        expires_at=now + LIFETIME,
        credentials_epoch=epoch,
    )
    hashed = bound(PROVEN, session)
    await store.commit(issue_ticket, hashed=hashed, ticket=proof, now=now)


async def is_proven(store: Store, account: Account, session: str, now: float) -> bool:
    """Return whether the owner has just given proof of presence; it is then used up."""
    if not session:
        return False
    hashed = bound(PROVEN, session)
    found = await store.commit(redeem_ticket, hashed=hashed, now=now)
    return (
        found is not None
        and found.about["person"] == account.person
        and found.credentials_epoch == account.credentials_epoch
    )


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey of an account."""

    id: Key[str]
    """The passkey's id, in base64url."""
    person: Annotated[str, "person.id"]
    public_key: str
    counter: int
    """The passkey's own count of signatures; 0 if it does not count."""
    name: str
    """The name that the owner gave it; only the owner sees this name."""
    made_at: float
    used_at: float | None = None


PASSKEY: Final = table_of("passkey", Passkey, Index(None, "person"))


@dataclass(frozen=True, slots=True)
class Ticket:
    """A one-time ticket: the challenge that a browser is asked to sign, and its purpose."""

    purpose: str
    challenge: str
    about: Mapping[str, Any]
    expires_at: float
    credentials_epoch: int = GUEST_EPOCH
    """The epoch of the person in ``about``, if any."""


TICKET: Final = table_of(
    "ticket", Ticket, Column("hash", String, primary_key=True), Index(None, "expires_at")
)
"""Keyed by the hash of a secret that the browser holds, bound to its session (`bound`)."""


class PasskeyError(HouseError):
    """The passkey was not accepted; the message gives no reason."""

    default_text = text("this passkey was not accepted; try again")


def read_passkey(connection: Connection, passkey: str) -> Passkey | None:
    return first_of(connection, Passkey, select(PASSKEY).where(PASSKEY.c.id == passkey))


def passkeys_of(connection: Connection, person_id: str) -> list[Passkey]:
    mine = select(PASSKEY).where(PASSKEY.c.person == person_id)
    return all_of(connection, Passkey, mine.order_by(PASSKEY.c.made_at))


def add_passkey(connection: Connection, passkey: Passkey) -> None:
    if read_passkey(connection, passkey.id):
        raise TakenError(text("this passkey is known here already"))
    if len(passkeys_of(connection, passkey.person)) >= MAX_PASSKEYS:
        raise TooManyError(
            text("you have {count} passkeys already, the most allowed", count=MAX_PASSKEYS)
        )
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


def use_passkey(connection: Connection, passkey: Passkey, counter: int, now: float) -> None:
    """Record the use of a passkey.

    Raises:
        PasskeyError: the passkey was removed, or was used with this count before.
    """
    seen = (PASSKEY.c.id == passkey.id) & (PASSKEY.c.counter == passkey.counter)
    done = connection.execute(update(PASSKEY).where(seen).values(counter=counter, used_at=now))
    if not done.rowcount:
        raise PasskeyError


class LastPasskeyError(StoreError):
    """The passkey is the only way into its account, and cannot be removed."""

    default_text = text("the last passkey of an account without a password stays")


def drop_passkey(
    connection: Connection, passkey: str, person_id: str, keep: str = ""
) -> EndedSessions:
    """Remove a person's passkey, and end all sessions and tokens but one.

    ``keep`` is the token of the session that continues.

    Raises:
        LastPasskeyError: the person has no other passkey and no password.
        MissingRowError: the person has no such passkey.
    """
    ended = end_credentials(connection, person_id, keep=keep)  # locks the account: no race
    account = read_account(connection, person_id)
    mine = [owned.id for owned in passkeys_of(connection, person_id)]
    if not account or passkey not in mine:
        raise MissingRowError(text("this passkey is not known here"))
    if len(mine) == 1 and not account.password:
        raise LastPasskeyError
    connection.execute(delete(PASSKEY).where(PASSKEY.c.id == passkey))
    return ended


def issue_ticket(connection: Connection, hashed: str, ticket: Ticket, now: float) -> None:
    """Store a ticket for a browser, in place of an earlier one.

    Raises:
        CredentialsChangedError: the credentials of the ticket's person have changed meanwhile.
    """
    check_ticket(connection, ticket)
    old = (TICKET.c.hash == hashed) | (TICKET.c.expires_at <= now)
    connection.execute(delete(TICKET).where(old))
    add_row(connection, TICKET, ticket, hash=hashed)


def redeem_ticket(connection: Connection, hashed: str, now: float) -> Ticket | None:
    """Use up the ticket of a browser and return it; None if there is none, or it has expired.

    Raises:
        CredentialsChangedError: the credentials of the ticket's person have changed since.
    """
    here = TICKET.c.hash == hashed
    wanted = select(*columns_of(TICKET, Ticket)).where(here)
    ticket = first_of(connection, Ticket, wanted)
    connection.execute(delete(TICKET).where(here))
    if not ticket or ticket.expires_at <= now:
        return None
    check_ticket(connection, ticket)
    return ticket


def check_ticket(connection: Connection, ticket: Ticket) -> None:
    """Check the epoch of a ticket that is about a person."""
    if person_id := ticket.about.get("person"):
        check_epoch(connection, str(person_id), ticket.credentials_epoch)
