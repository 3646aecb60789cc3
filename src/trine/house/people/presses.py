"""Presses of a button: a form that is sent twice does its work once, whichever process has it.

A page brings a random name along with its form; of those who send it again within a minute each is
led to where the first was.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from trine.core.text.sentence import text
from trine.house.people.person_rows import Person
from trine.house.people.tables import PRESS
from trine.house.refusals import HouseError
from trine.store.postgres import alone
from trine.store.secrets import is_token, token_hash
from trine.store.store import Store

FIELD: Final = "press"
"""The name of the field."""
KEPT: Final = 60.0
"""Units: seconds; how long a press is remembered."""
PATIENCE: Final = 10.0
"""Units: seconds; how long the second one waits for the first."""
LOOKS: Final = 0.1
"""Units: seconds; how often it looks."""


class Presses:
    """The presses of buttons in a house."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def once(
        self, form: Mapping[str, str], person: Person | None, work: Callable[[], Awaitable[str]]
    ) -> str:
        """Do some work, which returns a path, or return the path of the press before.

        Args: ``person`` is the one who was known before; another guest is made for each press.

        Raises:
            HouseError: the press before is still being worked on.
        """
        given = form.get(FIELD, "")
        if not person or not is_token(given):
            return await work()
        press = token_hash(f"{person.id} {given}")
        if (led := await self._begin(press)) is not None:
            return _veiled(bytes.fromhex(led), given).decode()
        try:
            path = await work()
        except BaseException:
            await self._store.commit(drop, press)
            raise
        await self._store.commit(finish, press, _veiled(path.encode(), given).hex())
        return path

    async def _begin(self, press: str) -> str | None:
        """Begin with a press, or wait for the one before; return where that led."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (led := await self._store.commit(claim, press, self._store.now())) == "":
                    await asyncio.sleep(LOOKS)
        except TimeoutError:
            raise HouseError(text("this was sent already; wait a moment")) from None
        return led


def _veiled(words: bytes, name: str) -> bytes:
    """Return a path veiled by the name of its press, or what it was before.

    It may hold the links of a game, which are stored nowhere; nor is the name, which is used once.
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
    """Note where a press has led."""
    connection.execute(update(PRESS).where(PRESS.c.hash == press).values(path=path))


def drop(connection: Connection, press: str) -> None:
    """Forget a press that has led to nothing."""
    connection.execute(delete(PRESS).where(PRESS.c.hash == press))
