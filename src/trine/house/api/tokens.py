"""API tokens: their table and scopes, and the page that manages them. Units: seconds since 1970."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from sqlalchemy import ColumnElement, Connection, Index, delete, select, update
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import text
from trine.house.games.storage.tables import SEAT
from trine.house.people.account_page import MARK
from trine.house.people.accounts import Accounts
from trine.house.people.credentials import check_epoch
from trine.house.people.names import clean_name
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, Person
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import Key, add_row, all_of, table_of
from trine.house.store.secrets import is_token, new_token, token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import TooManyError
from trine.house.web.frame import Frame
from trine.house.web.rate_limits import HOUR, RateLimiter

MAX_TOKENS: Final = 20  # per person
MAX_NEW: Final = 30  # per person and hour
READ, CHALLENGE, TOURNAMENT, PLAY = "read", "challenge", "tournament", "play"
PUBLIC: Final = ""  # the scope of operations that need no token
SCOPES: Final = {
    READ: text("see your games and challenges"),
    CHALLENGE: text("challenge others, accept and decline"),
    TOURNAMENT: text("join and leave tournaments"),
    PLAY: text("play; for accounts of programs alone"),
}
"""The scopes of tokens, with their meanings; only bot accounts can have `PLAY`."""
PREFIX: Final = "trine_"
"""The prefix of tokens, so that secret scanners can find one published by mistake."""
NOT_A_PROGRAM: Final = text("programs play under accounts of programs alone")


@dataclass(frozen=True, slots=True)
class TokenRow:
    """An API token of a person; only its hash is stored."""

    hash: Key[str]
    person: Annotated[str, "person.id"]
    name: str
    scopes: str  # the token's scopes, separated by spaces
    created_at: float
    credentials_epoch: int  # the epoch of the account's credentials when the token was created


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
    role = connection.scalar(select(ACCOUNT.c.role).where(ACCOUNT.c.person == person_id))
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

    ``epoch`` is the credentials epoch of the requesting session. Raises a `TooManyError`, or a
    `HouseError` if the scopes include `PLAY` and the account is no bot account.
    """
    epoch = check_epoch(connection, person_id, epoch)
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


@dataclass(frozen=True)
class TokenPages:
    """The page of a person's API tokens."""

    frame: Frame[Person]
    tokens: Tokens
    accounts: Accounts
    recheck: Callable[[str], None]
    new: RateLimiter = field(default_factory=lambda: RateLimiter(MAX_NEW, HOUR))

    def routes(self) -> list[Route]:
        return [
            Route("/account/programs", self.page),
            Route("/account/programs", self.create, methods=["POST"]),
            Route("/account/programs/revoke", self.revoke, methods=["POST"]),
            Route("/account/programs/bot", self.become_bot, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return await self._show(request, await self.frame.owner_of(request))

    async def _show(
        self, request: Request, person: Person, token: str = "", refusal: TrineError | None = None
    ) -> Response:
        account = await self.accounts.of(person)
        bot = bool(account and account.bot)
        return await self.frame.show(
            request,
            "programs.html",
            account=account,
            tokens=[
                (row.hash[:MARK], row, allowed_scopes(row.scopes, bot=bot))
                for row in await self.tokens.of(person)
            ],
            scopes=[(scope, what) for scope, what in SCOPES.items() if bot or scope != PLAY],
            token=token,
            refusal=refusal,
        )

    async def create(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        self.new.require(person.id)
        scopes = [scope for scope in SCOPES if scope in form]
        try:
            token = await self.tokens.create(person, form["name"], scopes)
        except TrineError as error:
            return await self._show(request, person, refusal=error)
        return await self._show(request, person, token)

    async def revoke(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        for row in await self.tokens.of(person):
            if row.hash[:MARK] == form["token"]:
                await self.tokens.revoke(person, row.hash)
        self.recheck(person.id)
        return RedirectResponse("/account/programs", 303)

    async def become_bot(self, request: Request) -> Response:
        person, _ = await self.frame.form_of_owner(request)
        try:
            await self.tokens.become_bot(person)
        except TrineError as error:
            return await self._show(request, person, refusal=error)
        return RedirectResponse("/account/programs", 303)


@dataclass(frozen=True)
class Tokens:
    """Creates, checks and revokes API tokens."""

    store: Store

    async def create(self, person: Person, name: str, scopes: Iterable[str]) -> str:
        """Create a token with scopes and return it: it is not stored. Raises `TrineError`."""
        if not person.has_account:
            raise HouseError("programs act for people who have accounts")
        wanted = set(scopes)
        chosen = tuple(scope for scope in SCOPES if scope in wanted)
        if not chosen or wanted - set(SCOPES):
            raise MalformedError("choose what the token allows")
        return await self.store.commit(
            create_api_token,
            person_id=person.id,
            name=clean_name(name),
            scopes=chosen,
            now=self.store.now(),
            epoch=person.credentials_epoch,
        )

    async def of(self, person: Person) -> Sequence[TokenRow]:
        return await self.store.fetch(tokens_of, person_id=person.id)

    async def revoke(self, person: Person, hashed: str) -> bool:
        return await self.store.commit(drop_api_token, person_id=person.id, hashed=hashed)

    async def grant(self, token: str) -> Grant | None:
        known = token.startswith(PREFIX) and is_token(token.removeprefix(PREFIX))
        return await self.still(token_hash(token)) if known else None

    async def still(self, hashed: str) -> Grant | None:
        return await self.store.fetch(grant_of, hashed=hashed)

    async def become_bot(self, person: Person) -> None:
        if not await self.store.commit(become_bot, person_id=person.id):
            raise HouseError("only an account that has not played can become that of a program")
