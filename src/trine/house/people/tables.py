"""People, their accounts, and the tokens by which a browser is recognised.

A former name leads to its account, or is retired with it. So nobody passes for somebody who was
known by a name, and links go on leading where they led.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Select,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from trine.core.text.sentence import Text, text
from trine.house.people.names import is_chosen, name_told
from trine.house.store.postgres import alone
from trine.house.store.schema import (
    FOLDED,
    METADATA,
    Key,
    add_row,
    all_of,
    first_of,
    table_of,
    values_of,
)
from trine.house.store.secrets import new_id, token_hash
from trine.house.store.store_errors import (
    FormerNameError,
    NameTakenError,
    RetiredNameError,
    TooManyError,
    UnknownError,
)

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


@dataclass(frozen=True, slots=True)
class PersonRow:
    """What is stored of a person who plays."""

    id: Key[str]
    kind: PersonKind
    name: str
    created_at: float


PERSON: Final = table_of("person", PersonRow)


@dataclass(frozen=True, slots=True)
class Person(PersonRow):
    """A person who plays."""

    login_alert_at: float | None = field(default=None, compare=False)
    """When somebody logged in from a new browser, of which the person is to be told here."""
    until: float = field(default=0.0, compare=False, repr=False)
    """Units: seconds since 1970; how long the browser is recognised without another visit."""
    renewed: bool = field(default=False, compare=False, repr=False)
    """Whether this visit has made that longer."""
    credentials_epoch: int = field(default=0, compare=False, repr=False)
    """The epoch under which the browser's session was made."""
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
    row = PersonRow(id=person_id or new_id(), kind=PersonKind.GUEST, name=name, created_at=now)
    add_row(connection, PERSON, row)
    return Person(**values_of(row))


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
        raise UnknownError(text("one of the players is no longer here"))


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a person is recognised."""

    hash: Key[str]
    """The hash of its token; the token itself is never stored."""
    person: Annotated[str, "person.id"]
    created_at: float
    expires_at: float
    credentials_epoch: int
    """The epoch of the account's credentials from which it was made."""
    agent: str | None = None
    """The name that the browser gives itself."""
    login_alert_at: float | None = None
    """When somebody logged in from a new browser, of which the person is to be told here."""


SESSION: Final = table_of("session", Session, Index(None, "person"), Index(None, "expires_at"))


def renew_token(connection: Connection, token: str, until: float) -> None:
    here = SESSION.c.hash == token_hash(token)
    connection.execute(update(SESSION).where(here).values(expires_at=until))


def sessions_of(connection: Connection, person: str, now: float) -> list[Session]:
    """Return the browsers in which a person is recognised, the newest first."""
    mine = select(SESSION).where(SESSION.c.person == person, SESSION.c.expires_at > now)
    return all_of(connection, Session, mine.order_by(SESSION.c.created_at.desc()))


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
    row = connection.execute(_former(folded)).first()
    if row and row.person is None:
        raise RetiredNameError
    if row and row.person != person:
        raise FormerNameError


def _former(folded: str) -> Select[Any]:
    """Read whose a name was."""
    return select(FORMER_NAME.c.person).where(FORMER_NAME.c.hash == token_hash(folded))


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


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What is stored of a person who is known by a name, and by a password or passkeys."""

    person: Annotated[Key[str], "person.id"]
    folded: Annotated[str, FOLDED]
    """The folded name: names that look alike fold to the same text."""
    password: str
    """The hash of the password; empty for accounts that only passkeys open."""
    role: str | None
    since: float
    credentials_epoch: int
    """Raised when a password, passkey, second factor or ban ends all that was made before."""


FIRST_EPOCH: Final = 1
"""The epoch of a new account: the sessions of the guest end, which have an earlier one."""
ACCOUNT: Final = table_of("account", AccountRow, Index(None, "folded", unique=True))


@dataclass(frozen=True, slots=True)
class Account(AccountRow):
    """An account, with the name of its person."""

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
    if account is None and (person := connection.execute(_former(folded)).scalar()):
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
    row = AccountRow(
        person=person,
        folded=folded,
        password=password,
        role=None,
        since=now,
        credentials_epoch=FIRST_EPOCH,
    )
    add_row(connection, ACCOUNT, row)
    connection.execute(
        update(PERSON).where(PERSON.c.id == person).values(kind=PersonKind.ACCOUNT, name=name)
    )


def rename_account(connection: Connection, person: str, name: str, folded: str, now: float) -> None:
    """Rename an account; the former name leads to it.

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


def rehash_password(connection: Connection, person: str, password: str, before: str) -> None:
    """Replace the hash of a password by another one of it, unless it has changed meanwhile."""
    mine = (ACCOUNT.c.person == person) & (ACCOUNT.c.password == before)
    connection.execute(update(ACCOUNT).where(mine).values(password=password))


def set_role(connection: Connection, person: str, role: str | None) -> None:
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.person == person).values(role=role))
