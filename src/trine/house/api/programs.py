"""API tokens: their scopes, the page that manages them, and bot accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import text
from trine.house.api import tables
from trine.house.api.tables import Grant, TokenRow
from trine.house.people.account_page import MARK
from trine.house.people.accounts import Accounts
from trine.house.people.names import clean_name
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import is_token, token_hash
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.pages import day
from trine.house.web.rate_limits import HOUR, RateLimiter

PUBLIC = ""
"""The scope of operations that need no token."""
SCOPES: Final = {
    tables.READ: text("see your games and challenges"),
    tables.CHALLENGE: text("challenge others, accept and decline"),
    tables.TOURNAMENT: text("join and leave tournaments"),
    tables.PLAY: text("play; for accounts of programs alone"),
}
"""The scopes of tokens, with their meanings."""
NEW: Final = 30
"""The number of tokens that one person may create in an hour."""


@dataclass(frozen=True)
class TokenPages:
    """The page of a person's API tokens."""

    frame: Frame[Person]
    tokens: Tokens
    accounts: Accounts
    recheck: Callable[[str], None]
    new: RateLimiter = field(default_factory=lambda: RateLimiter(NEW, HOUR))

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
        tokens = await self.tokens.of(person)
        return await self.frame.show(
            request,
            "programs.html",
            account=account,
            tokens=[
                (
                    row.hash[:MARK],
                    row.name,
                    tables.allowed_scopes(row.scopes, bot=bot),
                    day(row.created_at),
                )
                for row in tokens
            ],
            scopes=[(scope, what) for scope, what in SCOPES.items() if bot or scope != tables.PLAY],
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
        """Create a token with scopes and return it; it cannot be read again later.

        Raises:
            TrineError: a scope is unknown or not allowed for the account, there is no scope, or the
                person has too many tokens.
        """
        if not person.has_account:
            raise HouseError("programs act for people who have accounts")
        wanted = set(scopes)
        chosen = tuple(scope for scope in SCOPES if scope in wanted)
        if not chosen or wanted - set(SCOPES):
            raise MalformedError("choose what the token allows")
        return await self.store.commit(
            tables.create_api_token,
            person_id=person.id,
            name=clean_name(name),
            scopes=chosen,
            now=self.store.now(),
            epoch=person.credentials_epoch,
        )

    async def of(self, person: Person) -> Sequence[TokenRow]:
        return await self.store.fetch(tables.tokens_of, person_id=person.id)

    async def revoke(self, person: Person, hashed: str) -> bool:
        return await self.store.commit(tables.drop_api_token, person_id=person.id, hashed=hashed)

    async def grant(self, token: str) -> Grant | None:
        known = token.startswith(tables.PREFIX) and is_token(token.removeprefix(tables.PREFIX))
        return await self.still(token_hash(token)) if known else None

    async def still(self, hashed: str) -> Grant | None:
        return await self.store.fetch(tables.grant_of, hashed=hashed)

    async def become_bot(self, person: Person) -> None:
        """Turn an account into a bot account, permanently, if it has not played and has no role."""
        if not await self.store.commit(tables.become_bot, person_id=person.id):
            raise HouseError("only an account that has not played can become that of a program")
