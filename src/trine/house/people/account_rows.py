"""Accounts: people with a name and a password or a passkey; their second factors and former names.

A former name leads to its account, or is retired with it. So nobody passes for somebody who was
known by a name, and links go on leading where they led.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.core.text.sentence import text
from trine.house.people.names import DELETED
from trine.house.people.person_rows import PersonKind, end_sessions, read_person
from trine.house.people.seal import is_sealed
from trine.house.people.tables import (
    ACCOUNT,
    FORMER_NAME,
    PASSKEY,
    PERSON,
    RECOVERY_CODE,
    SECOND_FACTOR,
)
from trine.house.store.postgres import alone
from trine.house.store.refusals import (
    FormerNameError,
    NameTakenError,
    RetiredNameError,
    TooManyError,
    UnknownError,
)
from trine.house.store.secrets import token_hash

MOST_GIVEN_UP: Final = 3
"""The number of names that a person can give up in `PERIOD`, and so keep from others. Guess."""
GIVEN_UP_FOR: Final = 30 * 86_400.0
"""Units: seconds."""
BOT_ROLE = "bot"
"""The role of an account that a program uses."""


@dataclass(frozen=True, slots=True)
class Factor:
    """The second factor of an account."""

    person: str
    secret: str
    """Sealed; in base32 where a version before has kept it and there is no key yet."""
    step: int
    """The last step of time of which a code was used."""
    made_at: float
    """Units: seconds since 1970."""


def factor_of(connection: Connection, person: str) -> Factor | None:
    """Return the second factor of a person, or None."""
    found = select(SECOND_FACTOR).where(SECOND_FACTOR.c.person == person)
    row = connection.execute(found).first()
    return Factor(*row) if row else None


def keep_factor(connection: Connection, factor: Factor, codes: Collection[str]) -> None:
    """Keep a second factor in place of any other, with the hashes of its recovery codes."""
    drop_factor(connection, factor.person)
    connection.execute(
        insert(SECOND_FACTOR).values(
            person=factor.person, secret=factor.secret, step=factor.step, made_at=factor.made_at
        )
    )
    rows = [{"person": factor.person, "hash": code} for code in codes]
    connection.execute(insert(RECOVERY_CODE), rows)


def seal_all(connection: Connection, close: Callable[[str, str], str]) -> None:
    """Seal all secrets that are not sealed.

    Args: ``close`` seals a secret for a person.
    """
    c = SECOND_FACTOR.c
    for person, secret in connection.execute(select(c.person, c.secret)).all():
        if not is_sealed(secret):
            values = {"secret": close(secret, person)}
            here = (c.person == person) & (c.secret == secret)
            connection.execute(update(SECOND_FACTOR).where(here).values(values))


def has_sealed(connection: Connection) -> bool:
    """Return whether a secret is sealed, which only the key that sealed it opens."""
    return any(map(is_sealed, connection.execute(select(SECOND_FACTOR.c.secret)).scalars()))


def use_step(connection: Connection, person: str, step: int) -> bool:
    """Use the code of a step of time; return False if one of it, or of a later one, was used."""
    c = SECOND_FACTOR.c
    mine = (c.person == person) & (c.step < step)
    return connection.execute(update(SECOND_FACTOR).where(mine).values(step=step)).rowcount > 0


def use_recovery_code(connection: Connection, person: str, code: str) -> bool:
    """Use up a recovery code, given its hash; return whether it was good."""
    c = RECOVERY_CODE.c
    mine = (c.person == person) & (c.hash == code)
    return connection.execute(delete(RECOVERY_CODE).where(mine)).rowcount > 0


def recovery_codes_left(connection: Connection, person: str) -> int:
    mine = RECOVERY_CODE.c.person == person
    return connection.execute(
        select(func.count()).select_from(RECOVERY_CODE).where(mine)
    ).scalar_one()


def drop_factor(connection: Connection, person: str) -> None:
    """Remove the second factor of a person."""
    for table in (RECOVERY_CODE, SECOND_FACTOR):
        connection.execute(delete(table).where(table.c.person == person))


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


def give_up_name(connection: Connection, person: str, folded: str, now: float) -> None:
    """Keep the name that a person gives up.

    Raises:
        TooManyError: the person has given up too many lately.
    """
    mine = (FORMER_NAME.c.person == person) & (FORMER_NAME.c.at > now - GIVEN_UP_FOR)
    given_up = connection.execute(select(func.count()).where(mine)).scalar_one()
    if given_up >= MOST_GIVEN_UP:
        raise TooManyError(
            text("a name can be changed {count} times in 30 days", count=MOST_GIVEN_UP)
        )
    connection.execute(insert(FORMER_NAME).values(hash=token_hash(folded), person=person, at=now))


def take_back_name(connection: Connection, person: str, folded: str) -> None:
    """Let a former name of a person be the present one again."""
    mine = (FORMER_NAME.c.hash == token_hash(folded)) & (FORMER_NAME.c.person == person)
    connection.execute(delete(FORMER_NAME).where(mine))


def retire_name(connection: Connection, person: str, folded: str, now: float) -> None:
    """Let all names of a person who leaves lead nowhere, and be nobody's."""
    connection.execute(insert(FORMER_NAME).values(hash=token_hash(folded), person=person, at=now))
    mine = FORMER_NAME.c.person == person
    connection.execute(update(FORMER_NAME).where(mine).values(person=None))


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
        take_back_name(connection, person, folded)
        give_up_name(connection, person, account.folded, now)
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
        retire_name(connection, person, account.folded, now)
    end_sessions(connection, person)
    drop_factor(connection, person)
    for table in (ACCOUNT, PASSKEY):
        connection.execute(delete(table).where(table.c.person == person))
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.DELETED, name=DELETED)
    )
