"""Programs that act for people: tokens with scopes, and accounts of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.house.api.tables import (
    PREFIX,
    Grant,
    TokenRow,
    become_bot,
    create_api_token,
    drop_api_token,
    grant_of,
    tokens_of,
)
from trine.house.people.names import seemly
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import is_token, token_hash
from trine.house.store.store import Store

READ, CHALLENGE, TOURNAMENT, PLAY = "read", "challenge", "tournament", "play"
PUBLIC = ""
"""The scope of what is answered without a token."""
SCOPES: Final = {
    READ: text("see your games and challenges"),
    CHALLENGE: text("challenge others, accept and decline"),
    TOURNAMENT: text("join and leave tournaments"),
    PLAY: text("play; for accounts of programs alone"),
}
"""The scopes of tokens, with their meanings."""


class Tokens:
    """The tokens of a house."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    async def create(self, person: Person, name: str, scopes: Iterable[str]) -> str:
        """Make a token with scopes; only this call returns it.

        Raises:
            TrineError: there is no such scope, none at all, or too many tokens.
        """
        if not person.has_account:
            raise HouseError(text("programs act for people who have accounts"))
        wanted = set(scopes)
        chosen = tuple(scope for scope in SCOPES if scope in wanted)
        if not chosen or wanted - set(SCOPES):
            raise MalformedError(text("choose what the token allows"))
        return await self._store.commit(
            create_api_token,
            person=person.id,
            name=seemly(name),
            scopes=chosen,
            now=self._now(),
        )

    async def of(self, person: Person) -> Sequence[TokenRow]:
        """Return the tokens of a person, the newest first."""
        return await self._store.fetch(tokens_of, person=person.id)

    async def revoke(self, person: Person, hashed: str) -> bool:
        """Revoke a token of a person, given its hash; return whether there was one."""
        return await self._store.commit(drop_api_token, person=person.id, hashed=hashed)

    async def grant(self, token: str) -> Grant | None:
        """Return the grant of a token; None if it is unknown or revoked."""
        known = token.startswith(PREFIX) and is_token(token.removeprefix(PREFIX))
        return await self.still(token_hash(token)) if known else None

    async def still(self, hashed: str) -> Grant | None:
        """Return the present grant of a token, given its hash."""
        return await self._store.fetch(grant_of, hashed=hashed)

    async def become_bot(self, person: Person) -> None:
        """Make an account that of a program, permanently.

        Raises:
            HouseError: it has played already, or has another role.
        """
        if not await self._store.commit(become_bot, person=person.id):
            raise HouseError(
                text("only an account that has not played can become that of a program")
            )
