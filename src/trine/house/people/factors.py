"""The tables of passkeys, second factors, and one-time tickets: challenges that browsers sign.

Units: times are seconds since 1970.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.core.text.sentence import text
from trine.house.people import tables as people
from trine.house.people.credentials import GUEST_EPOCH, EndedSessions, check_epoch, end_credentials
from trine.house.people.tables import read_account
from trine.house.refusals import HouseError
from trine.house.store import schema
from trine.house.store.schema import Key, add_row, all_of, columns_of, count_of, first_of, table_of
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import MissingRowError, StoreError, TakenError, TooManyError

MAX_PASSKEYS: Final = 20  # per account; guess
LIFETIME: Final = 120.0  # seconds, of a challenge and then of the proof by its signature
PROVEN: Final = "proven"


async def keep_proof(store: Store, person_id: str, epoch: int, session: str, now: float) -> None:
    proof = Ticket(
        purpose=PROVEN,
        challenge="",
        about={"person": person_id},
        expires_at=now + LIFETIME,
        credentials_epoch=epoch,
    )
    await store.commit(issue_ticket, PROVEN, session, proof, now)


async def is_proven(store: Store, person_id: str, session: str, now: float) -> bool:
    """Return whether a person has just used a passkey; the proof of it is then used up."""
    proof = await store.commit(redeem_ticket, PROVEN, session, now) if session else None
    return proof is not None and proof.about["person"] == person_id


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey of an account."""

    id: Key[str]  # the passkey's id, in base64url
    person: Annotated[str, "person.id"]
    public_key: str
    counter: int  # the passkey's own count of signatures; 0 if it does not count
    name: str  # name that the owner gave it; only the owner sees this name
    made_at: float
    used_at: float | None = None


PASSKEY: Final = table_of("passkey", Passkey, sa.Index(None, "person"))


@dataclass(frozen=True, slots=True)
class Ticket:
    """A one-time ticket: the challenge that a browser is asked to sign, and its purpose."""

    purpose: str
    challenge: str
    about: Mapping[str, Any]
    expires_at: float
    credentials_epoch: int = GUEST_EPOCH  # the epoch of the person in ``about``, if any


TICKET: Final = table_of(
    "ticket", Ticket, sa.Column("hash", sa.String, primary_key=True), sa.Index(None, "expires_at")
)
"""Keyed by the hash of a secret that the browser holds and of its session's token."""


class PasskeyError(HouseError):
    """The passkey was not accepted; the message gives no reason."""

    default_text = text("this passkey was not accepted; try again")


def read_passkey(connection: Connection, passkey: str) -> Passkey | None:
    return first_of(connection, Passkey, sa.select(PASSKEY).where(PASSKEY.c.id == passkey))


def passkeys_of(connection: Connection, person_id: str) -> list[Passkey]:
    mine = sa.select(PASSKEY).where(PASSKEY.c.person == person_id)
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
    """Create an account without a password, for a guest or a new person; raises `StoreError`."""
    if not people.read_person(connection, passkey.person):
        people.create_guest(connection, name, now, passkey.person)
    people.create_account(connection, passkey.person, name, folded, "", now)
    add_passkey(connection, passkey)


def use_passkey(connection: Connection, passkey: Passkey, counter: int, now: float) -> None:
    """Store the new signature counter; `PasskeyError` if the passkey or its counter has changed."""
    seen = (PASSKEY.c.id == passkey.id) & (PASSKEY.c.counter == passkey.counter)
    done = connection.execute(sa.update(PASSKEY).where(seen).values(counter=counter, used_at=now))
    if not done.rowcount:
        raise PasskeyError


class LastPasskeyError(StoreError):
    """The passkey is the only login of its account, and cannot be removed."""

    default_text = text("the last passkey of an account without a password stays")


def drop_passkey(
    connection: Connection, passkey: str, person_id: str, keep: str = ""
) -> EndedSessions:
    """Remove a passkey, and end all sessions and tokens but the session of the token ``keep``.

    Raises `LastPasskeyError`, or a `MissingRowError` if the passkey is not the person's.
    """
    ended = end_credentials(connection, person_id, keep=keep)  # locks the account: no race
    account = read_account(connection, person_id)
    mine = [owned.id for owned in passkeys_of(connection, person_id)]
    if not account or passkey not in mine:
        raise MissingRowError(text("this passkey is not known here"))
    if len(mine) == 1 and not account.password:
        raise LastPasskeyError
    connection.execute(sa.delete(PASSKEY).where(PASSKEY.c.id == passkey))
    return ended


def _ticket_hash(secret: str, session: str) -> str:
    return token_hash(f"{secret} {session}")


def issue_ticket(
    connection: Connection, secret: str, session: str, ticket: Ticket, now: float
) -> None:
    """Store a ticket for the browser with a secret and a session, in place of an earlier one."""
    check_ticket(connection, ticket)
    hashed = _ticket_hash(secret, session)
    old = (TICKET.c.hash == hashed) | (TICKET.c.expires_at <= now)
    connection.execute(sa.delete(TICKET).where(old))
    add_row(connection, TICKET, ticket, hash=hashed)


def redeem_ticket(connection: Connection, secret: str, session: str, now: float) -> Ticket | None:
    """Use up the ticket of a browser and return it; None if there is none, or it has expired."""
    here = TICKET.c.hash == _ticket_hash(secret, session)
    ticket = first_of(connection, Ticket, sa.select(*columns_of(TICKET, Ticket)).where(here))
    connection.execute(sa.delete(TICKET).where(here))
    if not ticket or ticket.expires_at <= now:
        return None
    check_ticket(connection, ticket)
    return ticket


def check_ticket(connection: Connection, ticket: Ticket) -> None:
    """Raise `CredentialsChangedError` if the epoch of a ticket's person is not the present one."""
    if person_id := ticket.about.get("person"):
        check_epoch(connection, str(person_id), ticket.credentials_epoch)


@dataclass(frozen=True, slots=True)
class Factor:
    """The second factor of an account: the secret of a device that shows codes (TOTP)."""

    person: Annotated[Key[str], "person.id"]
    secret: str  # the TOTP secret, encrypted
    step: int  # the last time step whose code was used; codes up to this step are no longer valid
    made_at: float  # seconds since 1970


SECOND_FACTOR: Final = table_of("second_factor", Factor)

RECOVERY_CODE: Final = sa.Table(
    "recovery_code",
    schema.METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("hash", sa.String, primary_key=True),
)
"""The hash of a code that is valid once, in place of a lost device."""


def factor_of(connection: Connection, person_id: str) -> Factor | None:
    mine = sa.select(SECOND_FACTOR).where(SECOND_FACTOR.c.person == person_id)
    return first_of(connection, Factor, mine)


def keep_factor(connection: Connection, factor: Factor, codes: Collection[str]) -> None:
    """Store a second factor and the hashes of its recovery codes, in place of older ones."""
    drop_factor(connection, factor.person)
    add_row(connection, SECOND_FACTOR, factor)
    rows = [{"person": factor.person, "hash": code} for code in codes]
    connection.execute(sa.insert(RECOVERY_CODE), rows)


def has_encrypted(connection: Connection) -> bool:
    """Return whether a stored secret depends on the encryption key."""
    return connection.execute(sa.select(SECOND_FACTOR.c.person).limit(1)).first() is not None


def use_step(connection: Connection, person_id: str, step: int) -> bool:
    """Use up the code of a time step; return False if it, or a later one, was used before."""
    c = SECOND_FACTOR.c
    mine = (c.person == person_id) & (c.step < step)
    return connection.execute(sa.update(SECOND_FACTOR).where(mine).values(step=step)).rowcount > 0


def use_recovery_code(connection: Connection, person_id: str, code: str) -> bool:
    c = RECOVERY_CODE.c
    mine = (c.person == person_id) & (c.hash == code)
    return connection.execute(sa.delete(RECOVERY_CODE).where(mine)).rowcount > 0


def recovery_codes_left(connection: Connection, person_id: str) -> int:
    return count_of(connection, RECOVERY_CODE.c.person == person_id)


def drop_factor(connection: Connection, person_id: str) -> None:
    for table in (RECOVERY_CODE, SECOND_FACTOR):
        connection.execute(sa.delete(table).where(table.c.person == person_id))
