"""Accounts: people who are known by a name and a password."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from trine.core.text import text
from trine.store.devices import drop_devices
from trine.store.notices import LETTER
from trine.store.people import PersonKind, end_sessions, read_person
from trine.store.postgres import alone
from trine.store.refusals import NameTakenError, UnknownError
from trine.store.schema import (
    ACCOUNT,
    ADDRESS,
    API_TOKEN,
    BLOCK,
    CHALLENGE,
    CHAT,
    DUE,
    EVENT,
    KEY,
    NOTICE,
    PASSKEY,
    PERSON,
    SEAT,
    STUDY,
)

DELETED = "deleted"
"""The name of a person whose account was deleted."""
BOT_ROLE = "bot"
"""The role of an account under whose name a program plays."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account."""

    person: str
    """The id of the person."""
    name: str
    folded: str
    """Names that look alike are folded to the same text."""
    password: str
    """A hash; empty where passkeys alone let the person in."""
    role: str | None
    since: float
    """Units: seconds since 1970."""

    @property
    def bot(self) -> bool:
        """Whether a program plays under the name."""
        return self.role == BOT_ROLE


_ACCOUNT = select(
    ACCOUNT.c.person,
    PERSON.c.name,
    ACCOUNT.c.folded,
    ACCOUNT.c.password,
    ACCOUNT.c.role,
    ACCOUNT.c.since,
).join(PERSON, PERSON.c.id == ACCOUNT.c.person)


def read_account(connection: Connection, person: str) -> Account | None:
    """Return the account of a person, or None for others, such as guests."""
    row = connection.execute(_ACCOUNT.where(ACCOUNT.c.person == person)).first()
    return Account(*row) if row else None


def account_named(connection: Connection, folded: str) -> Account | None:
    """Return the account of a folded name, or None."""
    row = connection.execute(_ACCOUNT.where(ACCOUNT.c.folded == folded)).first()
    return Account(*row) if row else None


def accounts_of(connection: Connection, people: Sequence[str]) -> dict[str, Account]:
    """Return the accounts of those among some people who have one, by their ids."""
    found = connection.execute(_ACCOUNT.where(ACCOUNT.c.person.in_(people)))
    return {row.person: Account(*row) for row in found}


def create_account(
    connection: Connection, person: str, name: str, folded: str, password: str, now: float
) -> None:
    """Give a guest an account; the games of the guest are now those of the account.

    Raises:
        NameTakenError: another account has the name, or one that looks like it.
        UnknownError: there is no such guest.
    """
    guest = read_person(connection, person)
    if not guest or guest.kind is not PersonKind.GUEST:
        raise UnknownError(text("there is no guest {person}", person=person))
    _check_free(connection, person, folded)
    connection.execute(
        insert(ACCOUNT).values(person=person, folded=folded, password=password, since=now)
    )
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.ACCOUNT, name=name)
    )


def rename_account(connection: Connection, person: str, name: str, folded: str) -> None:
    """Give an account another name; games that were played under the former one keep it.

    Raises:
        NameTakenError: another account has the name, or one that looks like it.
    """
    _check_free(connection, person, folded)
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.person == person).values(folded=folded))
    connection.execute(update(PERSON).where(PERSON.c.id == person).values(name=name))


def _check_free(connection: Connection, person: str, folded: str) -> None:
    alone(connection, "names")
    found = account_named(connection, folded)
    if found and found.person != person:
        raise NameTakenError


def set_password(connection: Connection, person: str, password: str, before: str) -> bool:
    """Replace the hash of a password, unless it has been replaced meanwhile; whether it was."""
    mine = (ACCOUNT.c.person == person) & (ACCOUNT.c.password == before)
    done = connection.execute(update(ACCOUNT).where(mine).values(password=password))
    return done.rowcount > 0


def set_role(connection: Connection, person: str, role: str | None) -> None:
    """Give an account a role, or take it away."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.person == person).values(role=role))


def delete_account(
    connection: Connection, person: str, tags: Mapping[str, Mapping[int, str]]
) -> None:
    """Delete an account with all that only its owner sees; games stay, without the name.

    Args: ``tags`` name, for each game of the person and each of their seats there, the tag of
    records in which the player's name stands.
    """
    drop_devices(connection, person)
    end_sessions(connection, person)
    connection.execute(delete(ACCOUNT).where(ACCOUNT.c.person == person))
    for table in (ADDRESS, KEY, NOTICE, PASSKEY):
        connection.execute(delete(table).where(table.c.person == person))
    connection.execute(delete(DUE).where(DUE.c.kind == LETTER, DUE.c.ref == person))
    connection.execute(delete(STUDY).where(STUDY.c.owner == person))
    connection.execute(delete(API_TOKEN).where(API_TOKEN.c.person == person))
    connection.execute(delete(BLOCK).where(BLOCK.c.person == person))
    connection.execute(update(CHAT).where(CHAT.c.person == person).values(name=DELETED, words=""))
    for side in (CHALLENGE.c.challenger, CHALLENGE.c.challenged):
        connection.execute(delete(CHALLENGE).where(side == person))
    connection.execute(update(SEAT).where(SEAT.c.person == person).values(name=DELETED))
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.DELETED, name=DELETED)
    )
    for game, seats in tags.items():
        first = (EVENT.c.game == game) & (EVENT.c.seq == 1)
        data = connection.execute(select(EVENT.c.data).where(first)).scalar()
        if data:
            named = {tag: DELETED for tag in seats.values() if tag in data.get("tags", {})}
            data = {**data, "tags": {**data.get("tags", {}), **named}}
            connection.execute(update(EVENT).where(first).values(data=data))
