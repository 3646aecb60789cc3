"""Idempotency keys: a form that is sent twice does its work once, whichever processes get it.

Each form carries a random key; sending it again within a minute redirects to the first result.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.core.errors import TrineError
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.postgres import advisory_lock
from trine.house.store.schema import METADATA
from trine.house.store.secrets import is_token, token_hash
from trine.house.store.store import Store

FIELD: Final = "idempotency-key"
KEY_TTL: Final = 60.0  # seconds
REPEAT_TIMEOUT: Final = 10.0  # seconds that a repeated form waits for the first one to be done
POLL_INTERVAL: Final = 0.1  # seconds

IDEMPOTENCY_KEY: Final = sa.Table(
    "idempotency_key",
    METADATA,
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("path", sa.String, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index(None, "at"),
)
"""A form sent in the last minute: the hash of its key and sender, and its redirect, encrypted with
the key; empty until the work is done."""


@dataclass(frozen=True)
class FormOutcome:
    """The outcome of a form: the redirect of the browser, and its guest."""

    path: str
    token: str = ""
    """The token of the guest created for the form; empty if the sender was known before."""

    def sealed(self, key: str) -> str:
        """Return the outcome as it is stored, encrypted with the form's key."""
        return _xor_keystream(f"{self.token} {self.path}".encode(), key).hex()

    @classmethod
    def unsealed(cls, words: str, key: str) -> Self:
        token, _, path = _xor_keystream(bytes.fromhex(words), key).decode().partition(" ")
        return cls(path, token)


@dataclass
class Finish:
    """The write that stores the outcome of a form, for the transaction that does its work.

    Without it, work whose outcome could not be stored would be done again by a retry.
    """

    hashed: str  # the hash of the key; empty for a form without a key, whose outcome is not stored
    key: str
    is_made: bool = False

    def __call__(self, led: FormOutcome) -> Callable[[Connection], None]:
        self.is_made = True
        return partial(finish, hashed=self.hashed, path=led.sealed(self.key))


Work = Callable[[Finish], Awaitable[FormOutcome]]
"""A function that does what a form asks for, and stores the outcome in the same transaction."""


@dataclass(frozen=True)
class IdempotencyKeys:
    """The idempotency keys of the forms sent to a house."""

    store: Store

    async def once(self, form: Mapping[str, str], person: Person | None, work: Work) -> FormOutcome:
        """Do the work of a form, or return the outcome if the form was sent before.

        An unknown sender's form is identified only by the key, so a second submission leads to the
        same new guest's game. Until the work is done, a repeat raises a `HouseError`.
        """
        key = form.get(FIELD, "")
        if not is_token(key):
            return await work(Finish("", ""))
        hashed = token_hash(f"{person.id if person else ''} {key}")
        if (stored := await self._begin(hashed)) is not None:
            return FormOutcome.unsealed(stored, key)
        done = Finish(hashed, key)
        try:
            led = await work(done)
        except BaseException:
            with suppress(TrineError):  # the key expires by itself
                await self.store.commit(drop, hashed)
            raise
        if not done.is_made:  # there was nothing to write
            await self.store.commit(done(led))
        return led

    async def _begin(self, hashed: str) -> str | None:
        """Claim a key, or wait for the submission that claimed it and return its outcome."""
        try:
            async with asyncio.timeout(REPEAT_TIMEOUT):
                while (led := await self.store.commit(claim, hashed, self.store.now())) == "":
                    await asyncio.sleep(POLL_INTERVAL)
        except TimeoutError:
            raise HouseError("this was sent already; wait a moment") from None
        return led


def _xor_keystream(words: bytes, key: str) -> bytes:
    """Encrypt, or decrypt, an outcome: XOR with a stream made from a one-time key.

    An outcome may hold the seat links of a game, or a guest's token. Like the key, these are never
    stored in the clear.
    """
    stream = hashlib.shake_256(key.encode()).digest(len(words))
    return bytes(byte ^ pad for byte, pad in zip(words, stream, strict=True))


def claim(connection: Connection, hashed: str, now: float) -> str | None:
    """Claim a key and return None; if it was claimed before, return the outcome, "" until known."""
    advisory_lock(connection, "idempotency")
    connection.execute(sa.delete(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.at < now - KEY_TTL))
    found = connection.execute(
        sa.select(IDEMPOTENCY_KEY.c.path).where(IDEMPOTENCY_KEY.c.hash == hashed)
    ).first()
    if found:
        return str(found.path)
    connection.execute(sa.insert(IDEMPOTENCY_KEY).values(hash=hashed, path="", at=now))
    return None


def finish(connection: Connection, hashed: str, path: str) -> None:
    connection.execute(
        sa.update(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.hash == hashed).values(path=path)
    )


def drop(connection: Connection, hashed: str) -> None:
    """Delete a key whose work failed."""
    connection.execute(sa.delete(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.hash == hashed))
