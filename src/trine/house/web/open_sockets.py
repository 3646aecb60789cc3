"""The open sockets of pages, and their limits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final, Generic, Protocol, TypeVar

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from trine.core.errors import TrineError
from trine.house.store.secrets import token_hash
from trine.house.web import guard
from trine.house.web.frame import Frame, Visitor
from trine.house.web.headers import FRESH
from trine.house.web.visitors import secret_of

BLOCKED, MISSING, FULL = 4403, 4404, 4429
AGAIN = 1012
"""The close code that asks a page to come back later."""
_OPEN: Final = (WebSocketState.CONNECTING, WebSocketState.CONNECTED)
P = TypeVar("P", bound=Visitor)


class Speaker(Protocol):
    """One end of a socket."""

    async def run(self) -> None:
        """Run until either side goes."""


class OpenSockets(Generic[P]):
    """The open sockets of all pages.

    Args: ``cut_elsewhere`` has the other processes close sockets as well.
    """

    def __init__(self, frame: Frame[P], cut_elsewhere: Callable[[Sequence[str]], None]) -> None:
        self._frame, self._cut_elsewhere = frame, cut_elsewhere
        self._people: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._speaking: dict[str, set[WebSocket]] = {}
        """By the hash of the token with which they were opened."""

    def people(self) -> Collection[str]:
        """Return the ids of those who have a socket open."""
        return self._people.keys()

    async def speak(
        self, socket: WebSocket, open_page: Callable[[P | None], Awaitable[Speaker]]
    ) -> None:
        """Accept a socket if it comes from a page of the house and is not one too many."""
        frame = self._frame
        address = frame.address_of(socket)
        if not frame.origins.is_own(socket.headers, socket.url.scheme):
            await socket.close(BLOCKED)
            return
        try:
            person = await frame.person_of(socket)
        except TrineError as error:
            await self._refuse(socket, error)
            return
        full = self._addresses[address] >= frame.address_sockets
        full |= person is not None and self._people[person.id] >= guard.SOCKETS
        if full or not frame.addresses.take(address, 5):
            await socket.close(FULL)
            return
        key = token_hash(secret_of(socket))
        self._speaking.setdefault(key, set()).add(socket)
        counted = [(self._addresses, address)] + ([(self._people, person.id)] if person else [])
        for count, who in counted:
            count[who] += 1  # before anything else is waited for
        frame.metrics.sockets.inc()
        try:
            page = await open_page(person)
            if socket.application_state not in _OPEN:
                return  # it was cut meanwhile
            await socket.accept()
            await page.run()
        except TrineError as error:
            await self._refuse(socket, error)
        finally:
            frame.metrics.sockets.dec()
            self._speaking[key].discard(socket)
            if not self._speaking[key]:
                del self._speaking[key]
            for count, who in counted:
                count[who] -= 1
                if not count[who]:
                    del count[who]

    async def _refuse(self, socket: WebSocket, error: TrineError) -> None:
        status, headers = self._frame.status_of(error)
        if socket.application_state is WebSocketState.CONNECTED:
            await socket.close(AGAIN)
        elif headers:  # they say where to ask, or when
            await socket.send_denial_response(Response(None, status, {**headers, **FRESH}))
        else:
            await socket.close(MISSING)

    async def cut(self, hashes: Iterable[str]) -> None:
        """Close the sockets of invalid tokens, everywhere; their pages come back as strangers."""
        hashes = list(hashes)
        self._cut_elsewhere(hashes)
        await self.cut_here(hashes)

    async def cut_here(self, hashes: Iterable[str]) -> None:
        """Close the sockets of invalid tokens in this process."""
        for hashed in hashes:
            for socket in list(self._speaking.get(hashed, ())):
                if socket.application_state in _OPEN:
                    with suppress(OSError, WebSocketDisconnect):  # it is gone, or does not read
                        async with asyncio.timeout(1):
                            await socket.close(AGAIN)
