"""Idempotency keys: a form that is sent twice does its work once, whichever process has it.

A page sends a random key along with its form; whoever sends it again within a minute is led to
where the first was.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    Index,
    String,
    Table,
    delete,
    insert,
    select,
    update,
)

from trine.core.errors import TrineError
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.postgres import alone
from trine.house.store.schema import METADATA
from trine.house.store.secrets import is_token, token_hash
from trine.house.store.store import Store

FIELD: Final = "press"
"""The name of the field."""
KEPT: Final = 60.0
"""Units: seconds; how long a key is remembered."""
PATIENCE: Final = 10.0
"""Units: seconds; how long the second one waits for the first."""
LOOKS: Final = 0.1
"""Units: seconds; how often it looks."""

IDEMPOTENCY_KEY: Final = Table(
    "idempotency_key",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("path", String, nullable=False),
    Column("at", Double, nullable=False),
    Index(None, "at"),
)
"""A form that was sent within a minute, by the hash of its key and its sender, and where it led,
veiled by its key; that is empty until it is done."""


@dataclass(frozen=True)
class Led:
    """The end of the work: where the browser is led, and as whom."""

    path: str
    token: str = ""
    """The token of a guest who was made for it; empty for whoever was known before."""

    def veiled(self, key: str) -> str:
        """Return it as it is stored: nobody can read it who does not know the key."""
        return _veiled(f"{self.token} {self.path}".encode(), key).hex()

    @classmethod
    def unveiled(cls, words: str, key: str) -> Led:
        token, _, path = _veiled(bytes.fromhex(words), key).decode().partition(" ")
        return cls(path, token)


@dataclass
class Finish:
    """The write that stores the outcome of a form, for the transaction that does its work.

    Without it, work whose outcome could not be stored would be done again by a retry.
    """

    hashed: str
    """The hash of the key; empty for a form without a key, whose outcome is not stored."""
    key: str
    is_made: bool = False

    def __call__(self, led: Led) -> Callable[[Connection], None]:
        self.is_made = True
        return partial(finish, hashed=self.hashed, path=led.veiled(self.key))


Work = Callable[[Finish], Awaitable[Led]]
"""Does what a form asks for, and writes the outcome with it."""


@dataclass(frozen=True)
class IdempotencyKeys:
    """The keys of the forms that a house was sent."""

    store: Store

    async def once(self, form: Mapping[str, str], person: Person | None, work: Work) -> Led:
        """Do some work, or return where the same form led before.

        Args: ``person`` is the one who was known before. The forms of strangers are one by their
        key alone, which only their page knows; so the second is led to the same guest's game.

        Raises:
            HouseError: the form before is still being worked on.
        """
        given = form.get(FIELD, "")
        if not is_token(given):
            return await work(Finish("", ""))
        hashed = token_hash(f"{person.id if person else ''} {given}")
        if (known := await self._begin(hashed)) is not None:
            return Led.unveiled(known, given)
        done = Finish(hashed, given)
        try:
            led = await work(done)
        except BaseException:
            with suppress(TrineError):  # the key expires by itself
                await self.store.commit(drop, hashed)
            raise
        if not done.is_made:  # nothing had to be written
            await self.store.commit(done(led))
        return led

    async def _begin(self, hashed: str) -> str | None:
        """Begin with a key, or wait for who has begun with it; return where that led."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (led := await self.store.commit(claim, hashed, self.store.now())) == "":
                    await asyncio.sleep(LOOKS)
        except TimeoutError:
            raise HouseError("this was sent already; wait a moment") from None
        return led


def _veiled(words: bytes, key: str) -> bytes:
    """Return words veiled by a key, or what they were before.

    They may hold the links of a game, or the token of a guest, which are stored nowhere; nor is the
    key, which is used once.
    """
    veil = hashlib.shake_256(key.encode()).digest(len(words))
    return bytes(one ^ other for one, other in zip(words, veil, strict=True))


def claim(connection: Connection, hashed: str, now: float) -> str | None:
    """Begin with the hash of a key; return None, or where it led if it has been begun before.

    Returns: "" for one that is not done.
    """
    alone(connection, "presses")
    connection.execute(delete(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.at < now - KEPT))
    found = connection.execute(
        select(IDEMPOTENCY_KEY.c.path).where(IDEMPOTENCY_KEY.c.hash == hashed)
    ).first()
    if found:
        return str(found.path)
    connection.execute(insert(IDEMPOTENCY_KEY).values(hash=hashed, path="", at=now))
    return None


def finish(connection: Connection, hashed: str, path: str) -> None:
    connection.execute(
        update(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.hash == hashed).values(path=path)
    )


def drop(connection: Connection, hashed: str) -> None:
    """Forget a key that has led to nothing."""
    connection.execute(delete(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.hash == hashed))
