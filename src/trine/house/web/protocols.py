"""HTTP and WebSocket protocols, guarded against clients that occupy connections."""

import asyncio
import re
import time
from abc import ABC, abstractmethod
from asyncio import BaseTransport
from typing import Any, Final

import h11
from h11._receivebuffer import ReceiveBuffer
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from trine.house.web.rate_limits import RateLimiter
from trine.house.web.socket import EXTENSION, Connection

REQUEST_TIMEOUT: Final = 15.0
"""Units: seconds; the maximum time for sending a request, and for draining a closed socket."""
MAX_CONTROL_FRAMES: Final = 60
"""The number of frames other than whole messages that a client may send in `rate_limits.WINDOW`:
pings, pongs, fragments. A browser sends only a pong to each of our pings."""
MAX_UNREAD: Final = 8  # messages; then reading from the connection pauses
CHUNK_SIZE: Final = 2048
"""Units: bytes; the size parsed at once: a flood is noticed after a few hundred frames."""
_NO_LINE: Final = re.compile(rb"(?<!\r)\n|\r\n[ \t]")
SWITCHING_PROTOCOLS: Final = 101
LOST: Final = 1006  # the close code of a lost connection


class _Lines(ReceiveBuffer):
    """The received bytes; line breaks in a head must be CRLF, and headers must not be folded."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        if not self._data.startswith(b"\r\n"):
            begin = max(0, self._multiple_lines_search - 1)
            end = self._data.find(b"\r\n\r\n", begin)
            until = end + 2 if end >= 0 else len(self._data)
            if _NO_LINE.search(self._data, begin, until):
                raise h11.LocalProtocolError("a bare line feed, or a folded line")
        return super().maybe_extract_lines()


class _Connection(h11.Connection):
    """The parser of requests; it refuses requests that a proxy may parse differently."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._receive_buffer = _Lines()

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            # RFC 9112, section 6.3: such a message may be an attempt at request smuggling.
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("a length beside a transfer coding")
        return event


class _SharedBuffer(asyncio.BufferedProtocol, ABC):
    """Reads from all connections into one buffer.

    By default, asyncio allocates 256 KiB for each read. Small, lasting objects fragment the space
    of these buffers, and memory grows with each request.
    """

    _buffer: Final = memoryview(bytearray(65_536))

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._buffer[:nbytes]))

    @abstractmethod
    def data_received(self, data: bytes) -> None: ...


class PageProtocol(H11Protocol, _SharedBuffer):
    """The HTTP protocol; it disconnects a client whose request is not completed in time."""

    _timer: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = _Connection(h11.SERVER, self.conn._max_incomplete_event_size)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Respond with 400 to an invalid request or body; if that is impossible, disconnect."""
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()  # then the reader of the body finds it incomplete
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # a response has begun, or must have no body
            self.transport.close()

    def _watch(self) -> None:
        became_socket = self.transport.get_protocol() is not self
        if became_socket or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._cancel_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class SocketProtocol(WebSocketsSansIOProtocol, _SharedBuffer):
    """The WebSocket protocol; it disconnects clients that flood, or do not read for a while.

    A lost connection is distinguished from one that the client has closed. A message has its
    arrival time as ``at``, because it may be handled much later.
    """

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._credits = RateLimiter(MAX_CONTROL_FRAMES)
        self._connection = Connection()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == SWITCHING_PROTOCOLS:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self._connection

    def pause_writing(self) -> None:
        super().pause_writing()
        self._connection.blocked_at = time.monotonic()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._connection.blocked_at = None

    def data_received(self, data: bytes) -> None:
        """Parse received bytes piece by piece, until there are too many frames."""
        self._connection.heard_at = time.monotonic()
        for begin in range(0, len(data), CHUNK_SIZE):
            if not self.transport.is_closing():
                super().data_received(data[begin : begin + CHUNK_SIZE])

    def connection_lost(self, exc: Exception | None) -> None:
        """End the socket; if the client sent no closing frame, the code is `LOST`."""
        if self.handshake_complete and self.conn.close_rcvd is None:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": LOST})
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; pausing the connection for each would cost more than the message."""
        paused, self.read_paused = self.read_paused, True
        queued = self.queue.qsize()
        super().send_receive_event_to_app()
        self.read_paused = paused
        if self.queue.qsize() > queued:
            self._connection.add_message()
        if not paused and self.queue.qsize() > MAX_UNREAD:
            self.read_paused = True
            self.transport.pause_reading()

    async def receive(self) -> Any:
        message: Any = await super().receive()
        if message["type"] == "websocket.receive":
            message["at"] = self._connection.arrivals.popleft()
        return message

    def handle_ping(self) -> None:
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        if not self.transport.is_closing() and not self._credits.take(""):
            self.transport.abort()
        return not self.transport.is_closing()

    async def send(self, message: Any) -> None:
        """Send a message; a response that refuses the handshake is not logged as a fault."""
        await self.writable.wait()
        if self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)
        if self.initial_response and self.close_sent:
            self.handshake_complete = True

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Give the client a short time to read the rest after the last message."""
        super().on_task_complete(task)
        self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)
