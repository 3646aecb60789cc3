"""The sockets of the site: who may open one, and how many."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from starlette.websockets import WebSocket, WebSocketState

from trine.core.errors import TrineError
from trine.house.others import CUT
from trine.store.people import Person
from trine.store.refusals import HeldError
from trine.store.tokens import token_hash
from trine.web import guard
from trine.web.nodes import led_to
from trine.web.visitors import secret_of

if TYPE_CHECKING:
    from trine.web.site import Site

BLOCKED, MISSING, FULL = 4403, 4404, 4429
AGAIN = 1012
"""The code with which a page is asked to come back later."""


class Speaker(Protocol):
    """One end of a socket."""

    async def run(self) -> None:
        """Speak until one of both sides goes."""


class Sockets:
    """The open sockets, of games and of analyses alike."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._open: Counter[str] = Counter()
        self._speaking: dict[str, set[WebSocket]] = {}
        """By the hash of the token with which they were opened."""

    async def speak(
        self, socket: WebSocket, open_page: Callable[[Person | None], Awaitable[Speaker]]
    ) -> None:
        """Speak with a page, if it is one of the house and not one too many."""
        site = self._site
        address = site.address_of(socket)
        if not site.origins.is_own(socket.headers, socket.url.scheme):
            await socket.close(BLOCKED)
            return
        person = await site.person_of(socket)
        most = {person.id: guard.SOCKETS} if person else {}
        most[address] = site.address_sockets
        full = any(self._open[who] >= count for who, count in most.items())
        if full or not site.addresses.take(address, 5):
            await socket.close(FULL)
            return
        key = token_hash(secret_of(socket))
        self._speaking.setdefault(key, set()).add(socket)
        self._open.update(most.keys())  # before anything else is waited for
        site.metrics.sockets.inc()
        try:
            page = await open_page(person)
            await socket.accept()
            await page.run()
        except HeldError as elsewhere:
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(AGAIN)
            else:
                await socket.send_denial_response(led_to(elsewhere))
        except TrineError:
            opened = socket.application_state is WebSocketState.CONNECTED
            await socket.close(AGAIN if opened else MISSING)
        finally:
            site.metrics.sockets.dec()
            self._speaking[key].discard(socket)
            if not self._speaking[key]:
                del self._speaking[key]
            self._open.subtract(most.keys())
            for who in most:
                if not self._open[who]:
                    del self._open[who]

    async def cut(self, hashes: Iterable[str]) -> None:
        """Close the sockets of tokens that are no longer good; pages come back as strangers."""
        hashes = list(hashes)
        self._site.house.others.tell(CUT, *hashes)
        await self.cut_here(hashes)

    async def cut_here(self, hashes: Iterable[str]) -> None:
        """The same, in this process alone."""
        for hashed in hashes:
            for socket in list(self._speaking.get(hashed, ())):
                with suppress(Exception):
                    async with asyncio.timeout(1):
                        await socket.close(AGAIN)
