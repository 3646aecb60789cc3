"""Presses of a button: a form that is sent twice does its work once, whichever process has it.

A page brings a random name along with its form; of those who send it again within a minute each is
led to where the first was.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
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

from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.postgres import alone
from trine.house.store.schema import METADATA
from trine.house.store.secrets import is_token, token_hash
from trine.house.store.store import Store

FIELD: Final = "press"
"""The name of the field."""
KEPT: Final = 60.0
"""Units: seconds; how long a press is remembered."""
PATIENCE: Final = 10.0
"""Units: seconds; how long the second one waits for the first."""
LOOKS: Final = 0.1
"""Units: seconds; how often it looks."""

PRESS: Final = Table(
    "press",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("path", String, nullable=False),
    Column("at", Double, nullable=False),
    Index(None, "at"),
)
"""A form that was sent within a minute, by the hash of its name and its sender, and where it led,
veiled by its name; that is empty until it is done."""


@dataclass(frozen=True)
class Led:
    """The end of a press: where its browser is led, and as whom."""

    path: str
    token: str = ""
    """The token of a guest who was made for it; empty for whoever was known before."""

    def veiled(self, press: str) -> str:
        """Return it as it is stored: nobody can read it who does not know the name of the press."""
        return _veiled(f"{self.token} {self.path}".encode(), press).hex()

    @classmethod
    def unveiled(cls, words: str, press: str) -> Led:
        token, _, path = _veiled(bytes.fromhex(words), press).decode().partition(" ")
        return cls(path, token)


@dataclass(frozen=True)
class Presses:
    """The presses of buttons in a house."""

    store: Store

    async def once(
        self, form: Mapping[str, str], person: Person | None, work: Callable[[], Awaitable[Led]]
    ) -> Led:
        """Do some work, or return where the press before led.

        Args: ``person`` is the one who was known before. The presses of strangers are one by their
        name alone, which only their page knows; so the second is led to the same guest's game.

        Raises:
            HouseError: the press before is still being worked on.
        """
        given = form.get(FIELD, "")
        if not is_token(given):
            return await work()
        press = token_hash(f"{person.id if person else ''} {given}")
        if (known := await self._begin(press)) is not None:
            return Led.unveiled(known, given)
        try:
            led = await work()
        except BaseException:
            await self.store.commit(drop, press)
            raise
        await self.store.commit(finish, press, led.veiled(given))
        return led

    async def _begin(self, press: str) -> str | None:
        """Begin with a press, or wait for the one before; return where that led."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (led := await self.store.commit(claim, press, self.store.now())) == "":
                    await asyncio.sleep(LOOKS)
        except TimeoutError:
            raise HouseError("this was sent already; wait a moment") from None
        return led


def _veiled(words: bytes, name: str) -> bytes:
    """Return words veiled by the name of their press, or what they were before.

    They may hold the links of a game, or the token of a guest, which are stored nowhere; nor is the
    name, which is used once.
    """
    veil = hashlib.shake_256(name.encode()).digest(len(words))
    return bytes(one ^ other for one, other in zip(words, veil, strict=True))


def claim(connection: Connection, press: str, now: float) -> str | None:
    """Begin with a press; return None, or where it led if it has been begun before.

    Returns: "" for one that is not done.
    """
    alone(connection, "presses")
    connection.execute(delete(PRESS).where(PRESS.c.at < now - KEPT))
    found = connection.execute(select(PRESS.c.path).where(PRESS.c.hash == press)).first()
    if found:
        return str(found.path)
    connection.execute(insert(PRESS).values(hash=press, path="", at=now))
    return None


def finish(connection: Connection, press: str, path: str) -> None:
    connection.execute(update(PRESS).where(PRESS.c.hash == press).values(path=path))


def drop(connection: Connection, press: str) -> None:
    """Forget a press that has led to nothing."""
    connection.execute(delete(PRESS).where(PRESS.c.hash == press))
