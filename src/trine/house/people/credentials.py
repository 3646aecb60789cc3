"""The epoch of an account's credentials, and the sessions made under it.

Sessions, one-time tickets, e-mailed links and API tokens carry the epoch of the account. A change
of the credentials raises the epoch, which makes all of them invalid. Creating or redeeming one
compares the epochs in the same transaction, with the account's row locked, so a change cannot
commit in between. A function with an ``epoch``, the epoch of checked credentials, raises
`CredentialsChangedError` if they have changed since.

Units: times are seconds since 1970.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from trine.core.text.sentence import text
from trine.house.people import tables as people
from trine.house.people.names import DELETED
from trine.house.people.tables import ACCOUNT, PERSON, SESSION, Person, PersonKind, Session
from trine.house.store.schema import add_row, first_of
from trine.house.store.secrets import new_token, token_hash
from trine.house.store.store_errors import MissingRowError, StoreError

GUEST_EPOCH: Final = 0
"""The epoch of people without an account; a new account begins with a later one."""
IN_ONE_QUERY: Final = 10_000  # sessions; PostgreSQL takes 65,535 values


class CredentialsChangedError(StoreError):
    """The credentials have changed since the token, link or ticket was made from them."""

    default_text = text("your password or login settings have just changed; log in again")


@dataclass(frozen=True)
class EndedSessions:
    """The sessions that a transaction has ended; their sockets are still open."""

    person_id: str
    hashes: Sequence[str] = ()


def epoch_of(connection: Connection, person_id: str, *, lock: bool = False) -> int:
    """Return a person's present epoch; with ``lock``, lock it until the end of the transaction."""
    mine = select(ACCOUNT.c.credentials_epoch).where(ACCOUNT.c.person == person_id)
    found = connection.scalar(mine.with_for_update(read=True) if lock else mine)
    return GUEST_EPOCH if found is None else int(found)


def check_epoch(connection: Connection, person_id: str, epoch: int | None = None) -> int:
    """Lock and return a person's present epoch; raise an error if ``epoch`` is an older one."""
    present = epoch_of(connection, person_id, lock=True)
    if epoch not in (None, present):
        raise CredentialsChangedError
    return present


def end_credentials(
    connection: Connection, person_id: str, epoch: int | None = None, *, keep: str = ""
) -> EndedSessions:
    """Raise the epoch of a person's credentials; end all sessions but the one of token ``keep``.

    ``epoch`` is None if the credentials were not checked.
    """
    c = ACCOUNT.c
    mine = c.person == person_id
    if epoch is not None:
        mine &= c.credentials_epoch == epoch
    raised = update(ACCOUNT).where(mine).values(credentials_epoch=c.credentials_epoch + 1)
    if not connection.execute(raised).rowcount and epoch is not None:
        raise CredentialsChangedError
    kept = token_hash(keep) if keep else ""
    ended = end_sessions(connection, person_id, SESSION.c.hash != kept)
    if kept:
        here = (SESSION.c.hash == kept) & (SESSION.c.person == person_id)
        present = epoch_of(connection, person_id)
        connection.execute(update(SESSION).where(here).values(credentials_epoch=present))
    return ended


def set_password(
    connection: Connection, person_id: str, password: str, epoch: int
) -> EndedSessions:
    """Store the hash of a new password, and raise the epoch."""
    ended = end_credentials(connection, person_id, epoch)
    mine = ACCOUNT.c.person == person_id
    connection.execute(update(ACCOUNT).where(mine).values(password=password))
    return ended


def create_token(
    connection: Connection, person_id: str, now: float, lifetime: float, epoch: int | None = None
) -> str:
    """Begin a session of ``lifetime`` seconds, and return its token; raises `MissingRowError`."""
    if not people.read_person(connection, person_id):
        raise MissingRowError(text("there is no person {person}", person=person_id))
    epoch = check_epoch(connection, person_id, epoch)
    token = new_token()
    row = Session(
        hash=token_hash(token),
        person=person_id,
        created_at=now,
        expires_at=now + lifetime,
        credentials_epoch=epoch,
    )
    add_row(connection, SESSION, row)
    return token


def person_of(connection: Connection, token: str, now: float) -> Person | None:
    """Return the person whose valid session has a token."""
    c = SESSION.c
    here = (
        select(PERSON, c.login_alert_at, c.expires_at.label("until"), c.credentials_epoch)
        .join(SESSION, c.person == PERSON.c.id)
        .outerjoin(ACCOUNT, ACCOUNT.c.person == c.person)
        .where(c.hash == token_hash(token), _is_valid(now))
    )
    return first_of(connection, Person, here)


def check_session(connection: Connection, person_id: str, token: str, now: float) -> None:
    """Raise a `CredentialsChangedError` unless a person has a valid session with a token."""
    person = person_of(connection, token, now)
    if not person or person.id != person_id:
        raise CredentialsChangedError


def valid_sessions(connection: Connection, hashes: Collection[str], now: float) -> set[str]:
    c, valid, rest = SESSION.c, set[str](), sorted(hashes)
    for at in range(0, len(rest), IN_ONE_QUERY):
        batch = select(c.hash).outerjoin(ACCOUNT, ACCOUNT.c.person == c.person)
        batch = batch.where(c.hash.in_(rest[at : at + IN_ONE_QUERY]), _is_valid(now))
        valid.update(connection.scalars(batch))
    return valid


def _is_valid(now: float) -> ColumnElement[bool]:
    c = SESSION.c
    epoch = func.coalesce(ACCOUNT.c.credentials_epoch, GUEST_EPOCH)
    return (c.expires_at > now) & (c.credentials_epoch == epoch)


def end_sessions(
    connection: Connection, person_id: str, *which: ColumnElement[bool]
) -> EndedSessions:
    """End a person's sessions, or only sessions that fulfil all conditions."""
    mine = (SESSION.c.person == person_id, *which)
    hashes = connection.scalars(select(SESSION.c.hash).where(*mine)).all()
    connection.execute(delete(SESSION).where(*mine))
    return EndedSessions(person_id, hashes)


def delete_account(
    connection: Connection,
    person_id: str,
    forget: Sequence[Callable[[Connection, str], Any]],
    now: float,
    epoch: int | None = None,
) -> EndedSessions:
    """Delete an account and retire its name; an anonymous person stays for other players' games.

    ``forget`` erases what other packages store about a person.
    """
    ended = end_credentials(connection, person_id, epoch)
    for erase in forget:
        erase(connection, person_id)
    if account := people.read_account(connection, person_id):
        people.retire_name(connection, person_id, account.folded, now)
    connection.execute(delete(ACCOUNT).where(ACCOUNT.c.person == person_id))
    connection.execute(
        update(PERSON).where(PERSON.c.id == person_id).values(kind=PersonKind.DELETED, name=DELETED)
    )
    return ended
