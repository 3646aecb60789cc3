"""Accounts: people with a name and a password or a passkey."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from trine.core.text.sentence import text
from trine.house.people.factor_rows import drop_factor
from trine.house.people.former_names import (
    check_not_former,
    give_up,
    person_formerly,
    retire,
    take_back,
)
from trine.house.people.names import DELETED
from trine.house.people.person_rows import PersonKind, end_sessions, read_person
from trine.house.people.tables import ACCOUNT, PASSKEY, PERSON
from trine.house.store.postgres import alone
from trine.house.store.refusals import NameTakenError, UnknownError

BOT_ROLE = "bot"
"""The role of an account that a program uses."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account."""

    person: str
    """The id of the person."""
    name: str
    folded: str
    """The folded name: names that look alike fold to the same text."""
    password: str
    """The hash of the password; empty for accounts that only passkeys open."""
    role: str | None
    since: float
    """Units: seconds since 1970."""

    @property
    def bot(self) -> bool:
        """Whether a program uses the account."""
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


def account_led_to(connection: Connection, folded: str) -> Account | None:
    """Return the account of a folded name, or of a former one, or None."""
    account = account_named(connection, folded)
    if account is None and (person := person_formerly(connection, folded)):
        return read_account(connection, person)
    return account


def accounts_of(connection: Connection, people: Sequence[str]) -> dict[str, Account]:
    """Return the accounts of some people by their ids; people without one are left out."""
    found = connection.execute(_ACCOUNT.where(ACCOUNT.c.person.in_(people)))
    return {row.person: Account(*row) for row in found}


def account_names(connection: Connection) -> dict[str, str]:
    """Return the names of all accounts by the ids of their people."""
    found = select(PERSON.c.id, PERSON.c.name).join(ACCOUNT, ACCOUNT.c.person == PERSON.c.id)
    return {row.id: row.name for row in connection.execute(found)}


def create_account(
    connection: Connection, person: str, name: str, folded: str, password: str, now: float
) -> None:
    """Give a guest an account, which keeps the games of the guest.

    Raises:
        NameTakenError: another account has, or had, the name, or one that looks like it.
        UnknownError: there is no such guest.
    """
    guest = read_person(connection, person)
    if not guest or guest.kind is not PersonKind.GUEST:
        raise UnknownError(text("there is no guest {person}", person=person))
    alone(connection, "names")
    check_free(connection, person, folded)
    connection.execute(
        insert(ACCOUNT).values(person=person, folded=folded, password=password, since=now)
    )
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.ACCOUNT, name=name)
    )


def rename_account(connection: Connection, person: str, name: str, folded: str, now: float) -> None:
    """Rename an account; earlier games keep the former name, which leads to the account.

    Raises:
        NameTakenError: another account has, or had, the name, or one that looks like it.
        TooManyError: the account was renamed too often lately.
    """
    alone(connection, "names")
    check_free(connection, person, folded)
    account = read_account(connection, person)
    if account and account.folded != folded:
        take_back(connection, person, folded)
        give_up(connection, person, account.folded, now)
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.person == person).values(folded=folded))
    connection.execute(update(PERSON).where(PERSON.c.id == person).values(name=name))


def check_free(connection: Connection, person: str, folded: str) -> None:
    """Check that a person can have a name.

    Raises:
        NameTakenError: another account has, or had, the name, or one that looks like it.
    """
    found = account_named(connection, folded)
    if found and found.person != person:
        raise NameTakenError
    check_not_former(connection, person, folded)


def set_password(connection: Connection, person: str, password: str, before: str) -> bool:
    """Replace the hash of a password; return False if it has changed meanwhile."""
    mine = (ACCOUNT.c.person == person) & (ACCOUNT.c.password == before)
    done = connection.execute(update(ACCOUNT).where(mine).values(password=password))
    return done.rowcount > 0


def set_role(connection: Connection, person: str, role: str | None) -> None:
    """Give an account a role, or take it away."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.person == person).values(role=role))


def delete_account(
    connection: Connection,
    person: str,
    forget: Sequence[Callable[[Connection, str], None]],
    now: float,
) -> None:
    """Delete an account; the person stays, without a name, for games that others have played too.

    The name is nobody's any more.

    Args: ``forget`` remove what is kept elsewhere of a person.
    """
    for one in forget:
        one(connection, person)
    if account := read_account(connection, person):
        retire(connection, person, account.folded, now)
    end_sessions(connection, person)
    drop_factor(connection, person)
    for table in (ACCOUNT, PASSKEY):
        connection.execute(delete(table).where(table.c.person == person))
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.DELETED, name=DELETED)
    )
