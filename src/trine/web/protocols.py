"""The protocols of the net, guarded against those who keep a connection busy with nothing."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATIENCE: Final = 15.0
"""Units: seconds; a request is complete after so long, and a closed socket has been read out."""
MOST_UNREAD: Final = 128 * 1024
"""Units: bytes; a client that asks for pongs without reading them is cut off."""
LOST: Final = 1006
"""The code of a connection that is lost rather than closed."""


class PageProtocol(H11Protocol):
    """HTTP; a request that does not come to its end is broken off."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request in."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        became_socket = self.transport.get_protocol() is not self
        if became_socket or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._rest()
        elif self._timer is None:
            self._timer = self.loop.call_later(PATIENCE, self.transport.abort)

    def _rest(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket; a client that does not read costs no more than a full buffer, and not for long.

    A connection that ends without a word is told from one that the client has closed.
    """

    def connection_lost(self, exc: Exception | None) -> None:
        """End; without a closing frame of the client's, the code is that of a lost connection."""
        if self.handshake_complete and self.conn.close_rcvd is None:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": LOST})
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        """Answer a ping, if the answers before it have been read."""
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
            return
        super().handle_ping()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The house has nothing more to say: what is not read soon is thrown away."""
        super().on_task_complete(task)
        self.loop.call_later(PATIENCE, self.transport.abort)
