"""The open sockets of all pages: their limits, and their end with the session."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from trine.core.errors import TrineError
from trine.house.store.secrets import token_hash
from trine.house.web import rate_limits
from trine.house.web.frame import Frame, Visitor
from trine.house.web.headers import NO_STORE
from trine.house.web.socket import RESTART, PageSocket
from trine.house.web.visitors import secret_of

BLOCKED, MISSING, FULL = 4403, 4404, 4429
MESSAGE_SHARE: Final = 2
"""The factor of a socket's message limit for an address, for each of its sockets."""
_OPEN: Final = (WebSocketState.CONNECTING, WebSocketState.CONNECTED)
P = TypeVar("P", bound=Visitor)


@dataclass(eq=False)
class OpenSockets(Generic[P]):
    """The open sockets of all pages."""

    frame: Frame[P]
    close_elsewhere: Callable[[Sequence[str], str], None]
    """A function that closes the sockets of ended sessions in the other processes, and all streams
    of programs of a person whose tokens are invalid."""
    find_valid: Callable[[Collection[str]], Awaitable[Collection[str]]]
    """A function that returns the valid hashes among some token hashes."""

    def __post_init__(self) -> None:
        self._people: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._of_sessions: dict[str, set[WebSocket]] = {}
        """The sockets by the hash of their session token."""

    def people(self) -> Collection[str]:
        return self._people.keys()

    async def accept(
        self, socket: WebSocket, open_page: Callable[[P | None], Awaitable[PageSocket]]
    ) -> None:
        """Accept a socket from a page of the house, unless the person has too many sockets."""
        frame = self.frame
        address = frame.address_of(socket)
        if not frame.origins.is_own(socket.headers, socket.url.scheme):
            await socket.close(BLOCKED)
            return
        key = token_hash(secret_of(socket))
        # Registered before the token is checked, so that a session that ends after the check closes
        # this socket, too.
        self._of_sessions.setdefault(key, set()).add(socket)
        try:
            await self._accept_from(await frame.person_of(socket), socket, address, open_page)
        except TrineError as error:
            await self._refuse(socket, error)
        finally:
            self._of_sessions[key].discard(socket)
            if not self._of_sessions[key]:
                del self._of_sessions[key]

    async def _accept_from(
        self,
        person: P | None,
        socket: WebSocket,
        address: str,
        open_page: Callable[[P | None], Awaitable[PageSocket]],
    ) -> None:
        frame = self.frame
        if socket.application_state not in _OPEN:
            return  # the socket was closed meanwhile
        full = self._addresses[address] >= frame.address_credits // MESSAGE_SHARE
        full |= person is not None and self._people[person.id] >= rate_limits.MAX_SOCKETS
        if full or not frame.addresses.take(address, 5):
            await socket.close(FULL)
            return
        counted = [(self._addresses, address)] + ([(self._people, person.id)] if person else [])
        for count, who in counted:
            count[who] += 1  # before the next await, during which other tasks check it
        frame.sockets += 1
        frame.metrics.sockets.inc()
        try:
            page = await open_page(person)
            if socket.application_state not in _OPEN:
                return  # the socket was closed meanwhile
            await socket.accept()
            await page.run()
        finally:
            frame.sockets -= 1
            frame.metrics.sockets.dec()
            for count, who in counted:
                count[who] -= 1
                if not count[who]:
                    del count[who]

    async def _refuse(self, socket: WebSocket, error: TrineError) -> None:
        status, headers = self.frame.status_of(error)
        if socket.application_state is WebSocketState.CONNECTED:
            await socket.close(RESTART)
        elif headers:  # the headers name the process to ask, or the time to retry
            await socket.send_denial_response(Response(None, status, {**headers, **NO_STORE}))
        else:
            await socket.close(MISSING)

    async def close_sessions(self, hashes: Sequence[str], person_id: str = "") -> None:
        """Close the sockets of ended sessions in all processes; their pages reconnect logged out.

        The program tokens of ``person_id``, if given, are invalid now, too.
        """
        self.close_elsewhere(hashes, person_id)
        await self.close_local(hashes)

    async def close_local(self, hashes: Iterable[str]) -> None:
        for hashed in hashes:
            for socket in list(self._of_sessions.get(hashed, ())):
                if socket.application_state in _OPEN:
                    with suppress(
                        OSError, WebSocketDisconnect
                    ):  # the connection is lost, or the client does not read
                        async with asyncio.timeout(1):
                            await socket.close(RESTART)

    async def recheck(self) -> None:
        """Close the sockets of ended sessions; the message about some ends may have been lost."""
        hashes = self._of_sessions.keys() - {token_hash("")}
        if hashes:
            await self.close_local(hashes - {*await self.find_valid(hashes)})
