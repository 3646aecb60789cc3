"""The table of API tokens. Units: times are seconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from sqlalchemy import ColumnElement, Connection, Index, delete, select, update

from trine.core.text.sentence import text
from trine.house.games.storage.tables import SEAT
from trine.house.people.credentials import check_epoch, epoch_of
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, Person
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import Key, add_row, all_of, table_of
from trine.house.store.secrets import new_token, token_hash
from trine.house.store.store_errors import TooManyError

MAX_TOKENS = 20
"""The maximum number of tokens per person."""
READ, CHALLENGE, TOURNAMENT, PLAY = "read", "challenge", "tournament", "play"
"""The scopes of tokens; only bot accounts can have `PLAY`."""
PREFIX = "trine_"
"""The prefix of tokens, so that secret scanners can find one published by mistake."""


NOT_A_PROGRAM: Final = text("programs play under accounts of programs alone")


@dataclass(frozen=True, slots=True)
class TokenRow:
    """An API token of a person; only its hash is stored."""

    hash: Key[str]
    person: Annotated[str, "person.id"]
    name: str
    scopes: str
    """The token's scopes, separated by spaces."""
    created_at: float
    credentials_epoch: int
    """The epoch of the account's credentials when the token was created."""


API_TOKEN: Final = table_of("api_token", TokenRow, Index(None, "person"))


@dataclass(frozen=True, slots=True)
class Grant:
    """The person and the scopes of a valid token."""

    hash: str
    person: Person
    scopes: tuple[str, ...]
    bot: bool


def allowed_scopes(scopes: str, *, bot: bool) -> tuple[str, ...]:
    """Return the scopes of a token that its account may use.

    >>> allowed_scopes("read play", bot=False), allowed_scopes("read play", bot=True)
    (('read',), ('read', 'play'))
    """
    return tuple(scope for scope in scopes.split() if bot or scope != PLAY)


def is_bot(connection: Connection, person_id: str) -> bool:
    role = connection.execute(select(ACCOUNT.c.role).where(ACCOUNT.c.person == person_id)).scalar()
    return bool(role == BOT_ROLE)


def create_api_token(
    connection: Connection,
    person_id: str,
    name: str,
    scopes: tuple[str, ...],
    now: float,
    epoch: int | None = None,
) -> str:
    """Create a token; only its hash is stored.

    ``epoch`` is the credentials epoch of the requesting session.

    Raises:
        CredentialsChangedError: the credentials have changed since ``epoch``.
        TooManyError: the person has too many tokens.
        HouseError: the scopes include `PLAY`, and the account is no bot account.
    """
    if epoch is None:
        epoch = epoch_of(connection, person_id)
    check_epoch(connection, person_id, epoch)
    if PLAY in scopes and not is_bot(connection, person_id):
        raise HouseError(NOT_A_PROGRAM)
    ended = (API_TOKEN.c.person == person_id) & (API_TOKEN.c.credentials_epoch != epoch)
    connection.execute(delete(API_TOKEN).where(ended))
    if len(tokens_of(connection, person_id)) >= MAX_TOKENS:
        raise TooManyError(text("you have {count} tokens already", count=MAX_TOKENS))
    token = PREFIX + new_token()
    row = TokenRow(
        hash=token_hash(token),
        person=person_id,
        name=name,
        scopes=" ".join(scopes),
        created_at=now,
        credentials_epoch=epoch,
    )
    add_row(connection, API_TOKEN, row)
    return token


def tokens_of(connection: Connection, person_id: str) -> list[TokenRow]:
    """Return the valid tokens of a person, the newest first."""
    mine = select(API_TOKEN).join(ACCOUNT, _is_valid()).where(API_TOKEN.c.person == person_id)
    newest = mine.order_by(API_TOKEN.c.created_at.desc(), API_TOKEN.c.hash)
    return all_of(connection, TokenRow, newest)


def _is_valid() -> ColumnElement[bool]:
    """Return the SQL condition that joins a token to its account, if the epochs are equal."""
    same = API_TOKEN.c.credentials_epoch == ACCOUNT.c.credentials_epoch
    return (ACCOUNT.c.person == API_TOKEN.c.person) & same


def drop_api_token(connection: Connection, person_id: str, hashed: str) -> bool:
    mine = (API_TOKEN.c.person == person_id) & (API_TOKEN.c.hash == hashed)
    return connection.execute(delete(API_TOKEN).where(mine)).rowcount > 0


def grant_of(connection: Connection, hashed: str) -> Grant | None:
    found = connection.execute(
        select(PERSON, API_TOKEN.c.scopes, ACCOUNT.c.role)
        .join(API_TOKEN, API_TOKEN.c.person == PERSON.c.id)
        .join(ACCOUNT, _is_valid())
        .where(API_TOKEN.c.hash == hashed)
    )
    row = found.mappings().first()
    if not row:
        return None
    person = Person(**{column.name: row[column] for column in PERSON.c})
    bot = row[ACCOUNT.c.role] == BOT_ROLE
    return Grant(hashed, person, allowed_scopes(row[API_TOKEN.c.scopes], bot=bot), bot)


def become_bot(connection: Connection, person_id: str) -> bool:
    """Turn an account into a bot account, permanently, if it has not played and has no role."""
    if connection.execute(select(SEAT.c.game).where(SEAT.c.person == person_id).limit(1)).first():
        return False
    plain = (ACCOUNT.c.person == person_id) & ACCOUNT.c.role.is_(None)
    return connection.execute(update(ACCOUNT).where(plain).values(role=BOT_ROLE)).rowcount > 0


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    """Export a person's API tokens without the secrets, since only their hashes are stored."""
    mine = select(API_TOKEN).where(API_TOKEN.c.person == person_id).order_by(API_TOKEN.c.created_at)
    takeout.about["tokens"] = [
        {"name": row.name, "scopes": row.scopes.split(), "made": row.created_at}
        for row in all_of(connection, TokenRow, mine)
    ]
