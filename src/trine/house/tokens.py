"""Programs that act for people: tokens with scopes, and accounts that are those of programs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.house.names import seemly
from trine.house.refusals import HouseError
from trine.store import token_rows
from trine.store.people import Person
from trine.store.store import Store
from trine.store.token_rows import PREFIX, Grant, TokenRow
from trine.store.tokens import is_token, token_hash

READ, CHALLENGE, PLAY = "read", "challenge", "play"
SCOPES: Final = {
    READ: text("see your games and challenges"),
    CHALLENGE: text("challenge others, accept and decline"),
    PLAY: text("play; for accounts of programs alone"),
}
"""A thing that a token may allow."""


class Tokens:
    """The tokens of a house."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    async def create(self, person: Person, name: str, scopes: Iterable[str]) -> str:
        """Make a token with scopes; it is told here, and never again.

        Raises:
            TrineError: there is no such scope, none at all, or too many tokens.
        """
        if not person.has_account:
            raise HouseError(text("programs act for people who have accounts"))
        wanted = set(scopes)
        chosen = tuple(scope for scope in SCOPES if scope in wanted)
        if not chosen or wanted - set(SCOPES):
            raise MalformedError(text("choose what the token allows"))
        return await asyncio.wrap_future(
            self._store.write(
                token_rows.create_api_token,
                person=person.id,
                name=seemly(name),
                scopes=chosen,
                now=self._now(),
            )
        )

    async def of(self, person: Person) -> Sequence[TokenRow]:
        """The tokens of somebody, the newest first."""
        return await asyncio.to_thread(self._store.read, token_rows.tokens_of, person=person.id)

    async def revoke(self, person: Person, hashed: str) -> bool:
        """Revoke a token of somebody, given its hash; whether there was one."""
        return await asyncio.wrap_future(
            self._store.write(token_rows.drop_api_token, person=person.id, hashed=hashed)
        )

    async def grant(self, token: str) -> Grant | None:
        """Return the grant of a token; None where it is none of ours, or was revoked."""
        known = token.startswith(PREFIX) and is_token(token.removeprefix(PREFIX))
        return await self.still(token_hash(token)) if known else None

    async def still(self, hashed: str) -> Grant | None:
        """Return the present grant of a token, given its hash."""
        return await asyncio.to_thread(self._store.read, token_rows.grant_of, hashed=hashed)

    async def become_bot(self, person: Person) -> None:
        """Make an account that of a program, for ever.

        Raises:
            HouseError: it has played already, or has another role.
        """
        if not await asyncio.wrap_future(
            self._store.write(token_rows.become_bot, person=person.id)
        ):
            raise HouseError(
                text("only an account that has not played can become that of a program")
            )
