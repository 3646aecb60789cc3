"""The sockets of the site: who may open one, and how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.store.people import Person
from trine.web import guard

if TYPE_CHECKING:
    from trine.web.site import Site

BLOCKED, MISSING, FULL = 4403, 4404, 4429


class Speaker(Protocol):
    """One end of a socket."""

    async def run(self) -> None:
        """Speak until one of both sides goes."""


class Sockets:
    """The open sockets, of games and of analyses alike."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._open: Counter[str] = Counter()

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
        who = person.id if person else address
        if self._open[who] >= guard.SOCKETS or not site.addresses.take(address, 5):
            await socket.close(FULL)
            return
        try:
            page = await open_page(person)
        except TrineError:
            await socket.close(MISSING)
            return
        await socket.accept()
        self._open[who] += 1
        site.metrics.sockets.inc()
        try:
            await page.run()
        finally:
            site.metrics.sockets.dec()
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
