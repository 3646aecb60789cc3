"""People, their accounts, and the tokens by which a browser is recognised.

A former name leads to its account, or is retired with it. So nobody passes for somebody who was
known by a name, and links go on leading where they led.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from trine.core.text.sentence import Text, text
from trine.house.people.names import DELETED, is_chosen, name_told
from trine.house.store.postgres import alone
from trine.house.store.schema import (
    FOLDED,
    METADATA,
    Key,
    Named,
    add_row,
    all_of,
    first_of,
    table_of,
)
from trine.house.store.secrets import new_id, new_token, token_hash
from trine.house.store.store_errors import (
    FormerNameError,
    NameTakenError,
    RetiredNameError,
    TooManyError,
    UnknownError,
)

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


PERSON: Final = Table(
    "person",
    METADATA,
    Column("id", String, primary_key=True),
    Column("kind", Named(PersonKind), nullable=False),
    Column("name", String, nullable=False),
    Column("created_at", Double, nullable=False),
)
"""A person who plays."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays."""

    id: str
    kind: PersonKind
    name: str
    created_at: float
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
        return self.kind is PersonKind.ACCOUNT


def create_guest(connection: Connection, name: str, now: float, person_id: str = "") -> Person:
    """Create a guest, with a given id or a new one."""
    person = Person(person_id or new_id(), PersonKind.GUEST, name, now)
    connection.execute(
        insert(PERSON).values(id=person.id, kind=person.kind, name=name, created_at=now)
    )
    return person


def rename(connection: Connection, person: str, name: str) -> None:
    found = connection.execute(update(PERSON).where(PERSON.c.id == person).values(name=name))
    if not found.rowcount:
        raise UnknownError(text("there is no person {person}", person=person))


def read_person(connection: Connection, person: str) -> Person | None:
    return first_of(connection, Person, select(PERSON).where(PERSON.c.id == person))


def deleted_of(connection: Connection, people: Collection[str]) -> list[str]:
    them = PERSON.c.id.in_(people) & (PERSON.c.kind == PersonKind.DELETED)
    return list(connection.execute(select(PERSON.c.id).where(them)).scalars())


def younger_than(connection: Connection, people: Collection[str], moment: float) -> set[str]:
    them = PERSON.c.id.in_(people) & (PERSON.c.created_at > moment)
    return {*connection.execute(select(PERSON.c.id).where(them)).scalars()}


def check_here(connection: Connection, people: Iterable[str | None]) -> None:
    """Check that nobody of some people is deleted, and let nobody be until this is written."""
    if not (them := sorted({person for person in people if person})):
        return
    rows = select(PERSON.c.kind).where(PERSON.c.id.in_(them)).order_by(PERSON.c.id)
    found = connection.execute(rows.with_for_update(read=True)).scalars().all()
    if len(found) < len(them) or PersonKind.DELETED in found:
        raise UnknownError(text("one of the players is here no longer"))


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a person is recognised."""

    hash: Key[str]
    """The hash of its token; the token itself is never stored."""
    person: Annotated[str, "person.id"]
    created_at: float
    expires_at: float
    agent: str | None = None
    """The name that the browser gives itself."""
    alarm: float | None = None
    """When somebody logged in from a new browser, of which the person is to be told here."""


SESSION: Final = table_of("session", Session, Index(None, "person"), Index(None, "expires_at"))


def create_token(
    connection: Connection, person: str, now: float, lifetime: float = LIFETIME
) -> str:
    """Make a token that stands for a person for ``lifetime`` seconds."""
    if not read_person(connection, person):
        raise UnknownError(text("there is no person {person}", person=person))
    token = new_token()
    add_row(connection, SESSION, Session(token_hash(token), person, now, now + lifetime))
    return token


def person_of(connection: Connection, token: str, now: float) -> Person | None:
    here = (
        select(PERSON, SESSION.c.alarm, SESSION.c.expires_at)
        .join(SESSION, SESSION.c.person == PERSON.c.id)
        .where(SESSION.c.hash == token_hash(token), SESSION.c.expires_at > now)
    )
    return first_of(connection, Person, here)


def renew_token(connection: Connection, token: str, until: float) -> None:
    here = SESSION.c.hash == token_hash(token)
    connection.execute(update(SESSION).where(here).values(expires_at=until))


def sessions_of(connection: Connection, person: str, now: float) -> list[Session]:
    """Return the browsers in which a person is recognised, the newest first."""
    mine = select(SESSION).where(SESSION.c.person == person, SESSION.c.expires_at > now)
    return all_of(connection, Session, mine.order_by(SESSION.c.created_at.desc()))


def end_session(connection: Connection, person: str, hashed: str) -> None:
    connection.execute(delete(SESSION).where(SESSION.c.person == person, SESSION.c.hash == hashed))


def end_sessions(connection: Connection, person: str) -> None:
    connection.execute(delete(SESSION).where(SESSION.c.person == person))


def drop_token(connection: Connection, token: str) -> None:
    connection.execute(delete(SESSION).where(SESSION.c.hash == token_hash(token)))


def drop_expired_tokens(connection: Connection, now: float) -> int:
    return connection.execute(delete(SESSION).where(SESSION.c.expires_at <= now)).rowcount


MOST_GIVEN_UP: Final = 3
"""The number of names that a person can give up in `PERIOD`, and so keep from others. Guess."""
GIVEN_UP_FOR: Final = 30 * 86_400.0
"""Units: seconds."""
ADMIN_ROLE: Final = "admin"
"""The role of an administrator."""
BOT_ROLE = "bot"
"""The role of an account that a program uses."""


@dataclass(frozen=True, slots=True)
class Factor:
    """The second factor of an account: the secret by which a device makes codes."""

    person: Annotated[Key[str], "person.id"]
    secret: str
    """Encrypted."""
    step: int
    """The last step of time of which a code was used; none up to it is good again."""
    made_at: float
    """Units: seconds since 1970."""


SECOND_FACTOR: Final = table_of("second_factor", Factor)

RECOVERY_CODE: Final = Table(
    "recovery_code",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("hash", String, primary_key=True),
)
"""The hash of a code that is good once where the device is lost."""


def factor_of(connection: Connection, person: str) -> Factor | None:
    mine = select(SECOND_FACTOR).where(SECOND_FACTOR.c.person == person)
    return first_of(connection, Factor, mine)


def keep_factor(connection: Connection, factor: Factor, codes: Collection[str]) -> None:
    """Keep a second factor in place of any other, with the hashes of its recovery codes."""
    drop_factor(connection, factor.person)
    add_row(connection, SECOND_FACTOR, factor)
    rows = [{"person": factor.person, "hash": code} for code in codes]
    connection.execute(insert(RECOVERY_CODE), rows)


def has_encrypted(connection: Connection) -> bool:
    """Return whether a secret is encrypted, which only the key that encrypted it decrypts."""
    return connection.execute(select(SECOND_FACTOR.c.person).limit(1)).first() is not None


def use_step(connection: Connection, person: str, step: int) -> bool:
    """Use the code of a step of time; return False if one of it, or of a later one, was used."""
    c = SECOND_FACTOR.c
    mine = (c.person == person) & (c.step < step)
    return connection.execute(update(SECOND_FACTOR).where(mine).values(step=step)).rowcount > 0


def use_recovery_code(connection: Connection, person: str, code: str) -> bool:
    c = RECOVERY_CODE.c
    mine = (c.person == person) & (c.hash == code)
    return connection.execute(delete(RECOVERY_CODE).where(mine)).rowcount > 0


def recovery_codes_left(connection: Connection, person: str) -> int:
    mine = RECOVERY_CODE.c.person == person
    return connection.execute(
        select(func.count()).select_from(RECOVERY_CODE).where(mine)
    ).scalar_one()


def drop_factor(connection: Connection, person: str) -> None:
    for table in (RECOVERY_CODE, SECOND_FACTOR):
        connection.execute(delete(table).where(table.c.person == person))


FORMER_NAME: Final = Table(
    "former_name",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("person", ForeignKey("person.id")),
    Column("at", Double, nullable=False),
    Index(None, "person", "at"),
)
"""A name that was an account's, by the hash of its folded form: it leads to the account, or to
nobody any more where that was deleted. Nobody else can have it."""


def check_not_former(connection: Connection, person: str, folded: str) -> None:
    here = FORMER_NAME.c.hash == token_hash(folded)
    row = connection.execute(select(FORMER_NAME.c.person).where(here)).first()
    if row and row.person is None:
        raise RetiredNameError
    if row and row.person != person:
        raise FormerNameError


def person_formerly(connection: Connection, folded: str) -> str | None:
    here = FORMER_NAME.c.hash == token_hash(folded)
    return connection.execute(select(FORMER_NAME.c.person).where(here)).scalar()


def give_up_name(connection: Connection, person: str, folded: str, now: float) -> None:
    """Keep the name that a person gives up."""
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


ACCOUNT: Final = Table(
    "account",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("folded", FOLDED, nullable=False),
    Column("password", String, nullable=False),
    Column("role", String),
    Column("since", Double, nullable=False),
    Index(None, "folded", unique=True),
)
"""A person who is known by a name and a password, of which a hash is stored; it is empty where
passkeys alone let the person in. Two names that are folded to the same text look alike."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account."""

    person: str
    """The id of the person."""
    folded: str
    """The folded name: names that look alike fold to the same text."""
    password: str
    """The hash of the password; empty for accounts that only passkeys open."""
    role: str | None
    since: float
    """Units: seconds since 1970."""
    name: str

    @property
    def admin(self) -> bool:
        return self.role == ADMIN_ROLE

    @property
    def bot(self) -> bool:
        return self.role == BOT_ROLE


ACCOUNTS: Final = select(ACCOUNT, PERSON.c.name).join(PERSON, PERSON.c.id == ACCOUNT.c.person)
"""Reads accounts; the columns are the fields of `Account`."""


def read_account(connection: Connection, person: str) -> Account | None:
    return first_of(connection, Account, ACCOUNTS.where(ACCOUNT.c.person == person))


def account_named(connection: Connection, folded: str) -> Account | None:
    return first_of(connection, Account, ACCOUNTS.where(ACCOUNT.c.folded == folded))


def account_led_to(connection: Connection, folded: str) -> Account | None:
    """Return the account of a folded name, or of a former one, or None."""
    account = account_named(connection, folded)
    if account is None and (person := person_formerly(connection, folded)):
        return read_account(connection, person)
    return account


def accounts_of(connection: Connection, people: Sequence[str]) -> dict[str, Account]:
    found = all_of(connection, Account, ACCOUNTS.where(ACCOUNT.c.person.in_(people)))
    return {one.person: one for one in found}


def list_accounts(connection: Connection) -> list[tuple[str, str | None, float, float | None]]:
    """Return the accounts in the order of joining: name, role, since when, last login."""
    seen = func.max(SESSION.c.created_at)
    rows = select(PERSON.c.name, ACCOUNT.c.role, ACCOUNT.c.since, seen).join_from(ACCOUNT, PERSON)
    joined = rows.outerjoin(SESSION, SESSION.c.person == PERSON.c.id)
    found = connection.execute(
        joined.group_by(PERSON.c.id, ACCOUNT.c.person).order_by(ACCOUNT.c.since)
    )
    return [(row[0], row[1], row[2], row[3]) for row in found]


def account_names(connection: Connection) -> dict[str, str]:
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
    """Check that no other account has, or had, a name or one that looks like it."""
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
    connection.execute(delete(ACCOUNT).where(ACCOUNT.c.person == person))
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.DELETED, name=DELETED)
    )
