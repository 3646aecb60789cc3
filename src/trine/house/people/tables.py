"""People, their accounts, and the session tokens of their browsers.

A former name redirects to its account, and is retired when the account is deleted. So a name can
never be taken over to impersonate its former owner, and old links keep working.

Units: times are seconds since 1970.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.core.text.sentence import Text, text
from trine.house.people.names import is_chosen, name_text
from trine.house.store import schema, store_errors
from trine.house.store.postgres import advisory_lock
from trine.house.store.secrets import new_id, token_hash

RENEW_INTERVAL: Final = 86_400.0  # seconds; a session is extended at most once in this time


class PersonKind(StrEnum):
    """The kinds of people, by the way to recognise them."""

    GUEST = "guest"  # recognised only by a token in a browser
    ACCOUNT = "account"  # recognised by a name and a password
    DELETED = "deleted"  # no longer recognised; the person's games stay


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A row of the table ``person``."""

    id: schema.Key[str]
    kind: PersonKind
    name: str
    created_at: float


PERSON: Final = schema.table_of("person", PersonRow)


@dataclass(frozen=True, slots=True)
class Person(PersonRow):
    """A person who plays."""

    login_alert_at: float | None = field(default=None, compare=False)
    """The time of a login from a new browser, if this session must still show an alert of it."""
    until: float = field(default=0.0, compare=False, repr=False)
    """Units: seconds since 1970; the end of the session without another visit."""
    renewed: bool = field(default=False, compare=False, repr=False)
    """Whether this visit has extended the session."""
    credentials_epoch: int = field(default=0, compare=False, repr=False)
    """The epoch of the session's credentials."""
    address: str = field(default="", compare=False, repr=False)
    """The network address of the request, if known; not stored."""

    @property
    def display_name(self) -> Text:
        """The name for display; a name given by the house is translated."""
        return name_text(self.name)

    @property
    def chose_name(self) -> bool:
        """Whether this is a guest with a chosen name, which any other guest could choose, too."""
        return self.kind is PersonKind.GUEST and is_chosen(self.name)

    @property
    def is_here(self) -> bool:
        """Whether the person is not deleted."""
        return self.kind is not PersonKind.DELETED

    @property
    def has_account(self) -> bool:
        return self.kind is PersonKind.ACCOUNT


def create_guest(connection: Connection, name: str, now: float, person_id: str = "") -> Person:
    """Create a guest, with a given id or a new one."""
    row = PersonRow(id=person_id or new_id(), kind=PersonKind.GUEST, name=name, created_at=now)
    schema.add_row(connection, PERSON, row)
    return Person(**schema.values_of(row))


def rename(connection: Connection, person_id: str, name: str) -> None:
    found = connection.execute(sa.update(PERSON).where(PERSON.c.id == person_id).values(name=name))
    if not found.rowcount:
        raise store_errors.MissingRowError(text("there is no person {person}", person=person_id))


def read_person(connection: Connection, person_id: str) -> Person | None:
    return schema.first_of(connection, Person, sa.select(PERSON).where(PERSON.c.id == person_id))


def deleted_of(connection: Connection, people: Collection[str]) -> list[str]:
    them = PERSON.c.id.in_(people) & (PERSON.c.kind == PersonKind.DELETED)
    return list(connection.scalars(sa.select(PERSON.c.id).where(them)))


def younger_than(connection: Connection, people: Collection[str], moment: float) -> set[str]:
    them = PERSON.c.id.in_(people) & (PERSON.c.created_at > moment)
    return {*connection.scalars(sa.select(PERSON.c.id).where(them))}


def check_here(connection: Connection, people: Iterable[str | None]) -> None:
    """Check that none of some people is deleted, and lock them until the transaction ends."""
    if not (them := sorted({person for person in people if person})):
        return
    rows = sa.select(PERSON.c.kind).where(PERSON.c.id.in_(them)).order_by(PERSON.c.id)
    found = connection.scalars(rows.with_for_update(read=True)).all()
    if len(found) < len(them) or PersonKind.DELETED in found:
        raise store_errors.MissingRowError(text("one of the players is no longer here"))


@dataclass(frozen=True, slots=True)
class Session:
    """A session: a browser that is recognised as a person's by its token."""

    hash: schema.Key[str]  # the hash of the session's token; the token itself is never stored
    person: Annotated[str, "person.id"]
    created_at: float
    expires_at: float
    credentials_epoch: int  # the epoch of the account's credentials when the session began
    agent: str | None = None  # the browser's name and system, from its user-agent header
    login_alert_at: float | None = None
    """The time of a login from a new browser that this session is to be alerted of."""


SESSION: Final = schema.table_of(
    "session", Session, sa.Index(None, "person"), sa.Index(None, "expires_at")
)


def renew_token(connection: Connection, token: str, until: float) -> None:
    here = SESSION.c.hash == token_hash(token)
    connection.execute(sa.update(SESSION).where(here).values(expires_at=until))


def sessions_of(connection: Connection, person_id: str, now: float) -> list[Session]:
    mine = sa.select(SESSION).where(SESSION.c.person == person_id, SESSION.c.expires_at > now)
    return schema.all_of(connection, Session, mine.order_by(SESSION.c.created_at.desc()))


def drop_token(connection: Connection, token: str) -> None:
    connection.execute(sa.delete(SESSION).where(SESSION.c.hash == token_hash(token)))


def drop_expired_tokens(connection: Connection, now: float) -> int:
    return connection.execute(sa.delete(SESSION).where(SESSION.c.expires_at <= now)).rowcount


MAX_GIVEN_UP: Final = 3
"""The maximum number of names that a person can give up in `NAME_WINDOW`, and reserve. Guess."""
NAME_WINDOW: Final = 30 * 86_400.0  # seconds
ADMIN_ROLE: Final = "admin"
BOT_ROLE = "bot"


FORMER_NAME: Final = sa.Table(
    "former_name",
    schema.METADATA,
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("person", sa.ForeignKey("person.id")),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index(None, "person", "at"),
)
"""A former name of an account, by the hash of its folded form: it redirects to the account, or to
none if that was deleted. Other accounts cannot have this name."""


def _former(folded: str) -> sa.Select[Any]:
    """Return a query for the person who had a name."""
    return sa.select(FORMER_NAME.c.person).where(FORMER_NAME.c.hash == token_hash(folded))


def give_up_name(connection: Connection, person_id: str, folded: str, now: float) -> None:
    """Reserve a name that a person gives up."""
    mine = (FORMER_NAME.c.person == person_id) & (FORMER_NAME.c.at > now - NAME_WINDOW)
    if schema.count_of(connection, mine) >= MAX_GIVEN_UP:
        raise store_errors.TooManyError(
            text("a name can be changed {count} times in 30 days", count=MAX_GIVEN_UP)
        )
    connection.execute(
        sa.insert(FORMER_NAME).values(hash=token_hash(folded), person=person_id, at=now)
    )


def take_back_name(connection: Connection, person_id: str, folded: str) -> None:
    """Release a former name of a person, who takes it again."""
    mine = (FORMER_NAME.c.hash == token_hash(folded)) & (FORMER_NAME.c.person == person_id)
    connection.execute(sa.delete(FORMER_NAME).where(mine))


def retire_name(connection: Connection, person_id: str, folded: str, now: float) -> None:
    """Retire all names of a deleted person: links stop working, and no account can have them."""
    connection.execute(
        sa.insert(FORMER_NAME).values(hash=token_hash(folded), person=person_id, at=now)
    )
    mine = FORMER_NAME.c.person == person_id
    connection.execute(sa.update(FORMER_NAME).where(mine).values(person=None))


@dataclass(frozen=True, slots=True)
class AccountRow:
    """A row of the table ``account``: a person with a name, and a password or passkeys."""

    person: Annotated[schema.Key[str], "person.id"]
    folded: Annotated[str, schema.FOLDED]
    """The folded name: names that look alike fold to the same text."""
    password: str  # the hash of the password; empty for accounts with passkeys only
    role: str | None
    since: float
    credentials_epoch: int
    """Raised when a change of password, passkey or second factor, or a ban, ends all sessions."""


FIRST_EPOCH: Final = 1
"""The epoch of a new account: later than the epoch of the guest's sessions, which it ends."""
ACCOUNT: Final = schema.table_of("account", AccountRow, sa.Index(None, "folded", unique=True))


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


ACCOUNTS: Final = sa.select(ACCOUNT, PERSON.c.name).join(PERSON, PERSON.c.id == ACCOUNT.c.person)
"""Reads accounts; the columns are the fields of `Account`."""


def read_account(connection: Connection, person_id: str) -> Account | None:
    return schema.first_of(connection, Account, ACCOUNTS.where(ACCOUNT.c.person == person_id))


def account_named(connection: Connection, folded: str) -> Account | None:
    return schema.first_of(connection, Account, ACCOUNTS.where(ACCOUNT.c.folded == folded))


def find_account(connection: Connection, folded: str) -> Account | None:
    """Return the account with a present or former folded name."""
    account = account_named(connection, folded)
    if account is None and (person := connection.scalar(_former(folded))):
        return read_account(connection, person)
    return account


def accounts_of(connection: Connection, people: Sequence[str]) -> dict[str, Account]:
    found = schema.all_of(connection, Account, ACCOUNTS.where(ACCOUNT.c.person.in_(people)))
    return {account.person: account for account in found}


def list_accounts(connection: Connection) -> list[tuple[str, str | None, float, float | None]]:
    """Return name, role, time of registration and last login of accounts, the oldest first."""
    seen = sa.func.max(SESSION.c.created_at)
    rows = sa.select(PERSON.c.name, ACCOUNT.c.role, ACCOUNT.c.since, seen).join_from(
        ACCOUNT, PERSON
    )
    joined = rows.outerjoin(SESSION, SESSION.c.person == PERSON.c.id)
    found = connection.execute(
        joined.group_by(PERSON.c.id, ACCOUNT.c.person).order_by(ACCOUNT.c.since)
    )
    return [(row[0], row[1], row[2], row[3]) for row in found]


def account_names(connection: Connection) -> dict[str, str]:
    found = sa.select(PERSON.c.id, PERSON.c.name).join(ACCOUNT, ACCOUNT.c.person == PERSON.c.id)
    return {row.id: row.name for row in connection.execute(found)}


def create_account(
    connection: Connection, person_id: str, name: str, folded: str, password: str, now: float
) -> None:
    """Turn a guest into an account with its games; raises `NameTakenError` or `MissingRowError`."""
    guest = read_person(connection, person_id)
    if not guest or guest.kind is not PersonKind.GUEST:
        raise store_errors.MissingRowError(text("there is no guest {person}", person=person_id))
    advisory_lock(connection, "names")
    check_free(connection, person_id, folded)
    row = AccountRow(
        person=person_id,
        folded=folded,
        password=password,
        role=None,
        since=now,
        credentials_epoch=FIRST_EPOCH,
    )
    schema.add_row(connection, ACCOUNT, row)
    connection.execute(
        sa.update(PERSON).where(PERSON.c.id == person_id).values(kind=PersonKind.ACCOUNT, name=name)
    )


def rename_account(
    connection: Connection, person_id: str, name: str, folded: str, now: float
) -> None:
    """Rename an account; the former name redirects. Raises `NameTakenError` or `TooManyError`."""
    advisory_lock(connection, "names")
    check_free(connection, person_id, folded)
    account = read_account(connection, person_id)
    if account and account.folded != folded:
        take_back_name(connection, person_id, folded)
        give_up_name(connection, person_id, account.folded, now)
    connection.execute(
        sa.update(ACCOUNT).where(ACCOUNT.c.person == person_id).values(folded=folded)
    )
    connection.execute(sa.update(PERSON).where(PERSON.c.id == person_id).values(name=name))


def check_free(connection: Connection, person_id: str, folded: str) -> None:
    """Check that no other account has, or had, a name or one that looks like it."""
    found = account_named(connection, folded)
    if found and found.person != person_id:
        raise store_errors.NameTakenError
    former = connection.execute(_former(folded)).first()
    if former and former.person is None:
        raise store_errors.RetiredNameError
    if former and former.person != person_id:
        raise store_errors.FormerNameError


def rehash_password(connection: Connection, person_id: str, password: str, before: str) -> None:
    """Replace the hash of an unchanged password by a stronger one, unless it changed meanwhile."""
    mine = (ACCOUNT.c.person == person_id) & (ACCOUNT.c.password == before)
    connection.execute(sa.update(ACCOUNT).where(mine).values(password=password))


def set_role(connection: Connection, person_id: str, role: str | None) -> None:
    connection.execute(sa.update(ACCOUNT).where(ACCOUNT.c.person == person_id).values(role=role))
