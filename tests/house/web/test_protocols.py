"""The protocols by which the house reads from connections, on loopback."""

from __future__ import annotations

import asyncio
import socket
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import h11
import pytest
import uvicorn
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage

from house.houses import until
from trine.house.web import protocols
from trine.house.web.protocols import PageProtocol, SocketProtocol


def test_a_head_that_comes_byte_by_byte_is_read_and_line_feeds_of_bodies_are_too() -> None:
    lines = ("POST / HTTP/1.1", "Host: x", "Content-Length: 4", "", "\n\n y")
    parser = protocols._Connection(h11.SERVER)
    for byte in "\r\n".join(lines).encode():
        parser.receive_data(bytes([byte]))
    assert isinstance(parser.next_event(), h11.Request)
    assert parser.next_event().data == b"\n\n y"
    for step in (1, 2, 3):  # the end of the head is found wherever the parts of it end
        parser = protocols._Connection(h11.SERVER)
        whole = "\r\n".join(lines).encode()
        events = []
        for begin in range(0, len(whole), step):
            parser.receive_data(whole[begin : begin + step])
            while (event := parser.next_event()) is not h11.NEED_DATA:
                events.append(type(event))
                if event is h11.PAUSED or isinstance(event, h11.EndOfMessage):
                    break
        assert events[0] is h11.Request and events[-1] is h11.EndOfMessage


@asynccontextmanager
async def serving(
    app: Callable[..., Awaitable[None]],
    http: type[PageProtocol] = PageProtocol,
    ws: type[SocketProtocol] = SocketProtocol,
    loop: Any = None,
) -> AsyncIterator[int]:
    config = uvicorn.Config(
        app, http=http, ws=ws, lifespan="off", log_config=None, ws_ping_interval=None
    )
    config.load()
    server = await asyncio.get_running_loop().create_server(
        lambda: http(config, ServerState(), {}, _loop=loop), "127.0.0.1"
    )
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


class Patience:
    """A loop whose time of patience is over when the test says so, and not before."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.begun: list[tuple[asyncio.TimerHandle, Callable[[], object]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loop, name)

    def call_later(self, delay: float, call: Callable[..., object], *given: object) -> Any:
        if delay != protocols.REQUEST_TIMEOUT:
            return self.loop.call_later(delay, call, *given)
        timer = self.loop.call_later(3600, call, *given)
        self.begun.append((timer, lambda: call(*given)))
        return timer

    def end(self) -> int:
        """Let it end for all who are waited for; how many there were."""
        waiting = [call for timer, call in self.begun if not timer.cancelled()]
        self.begun.clear()
        for call in waiting:
            call()
        return len(waiting)


class Counting(PageProtocol):
    received = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        Counting.received += len(data)


async def test_a_request_that_does_not_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the same guard, one that is complete is answered, however long that takes."""
    monkeypatch.setattr(Counting, "received", 0)
    answer = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await receive()
            return
        await answer.wait()
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    patience = Patience(asyncio.get_running_loop())

    async def begin(port: int, *parts: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await until(lambda: patience.begun)
        for part in parts:
            wanted = Counting.received + len(part)
            writer.write(part)
            await until(lambda wanted=wanted: Counting.received == wanted)  # type: ignore[misc]
        return reader, writer

    whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    async with serving(app, http=Counting, loop=patience) as port:
        for begun in (
            [],
            [b"GET / HT"],
            [b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx"],
            [bytes([byte]) for byte in whole[:-1]],  # a byte now and then is no sign of life
        ):
            reader, writer = await begin(port, *begun)
            assert len(patience.begun) == 1, "it begins to be patient again"
            assert patience.end() == 1
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(100_000)
            writer.close()
        reader, writer = await begin(port)
        for _ in range(2):  # one that is complete may take longer, and another may follow
            answer.clear()
            before = Counting.received
            writer.write(whole)
            await until(lambda before=before: Counting.received > before)  # type: ignore[misc]
            assert patience.end() == 0, "it is broken off though it is complete"
            answer.set()
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            assert patience.end() == 0
        writer.close()
        async with connect(f"ws://127.0.0.1:{port}/", proxy=None) as table:
            # Neither is a socket that is open a request that does not end.
            assert patience.end() == 0
            await (await table.ping())


PING = b"\x89\x80\0\0\0\0"
PONG = b"\x8a\x80\0\0\0\0"
BEGUN, PART = b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"


@pytest.mark.parametrize("flood", [PING * 100_000, PONG * 100_000, BEGUN + PART * 100_000])
async def test_who_floods_a_socket_with_empty_frames_is_cut_off_at_once(flood: bytes) -> None:
    seen = 0

    class Counting(SocketProtocol):
        def _may_go_on(self) -> bool:
            nonlocal seen
            seen += 1
            return super()._may_go_on()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})

    async with serving(app, ws=Counting) as port:
        address = f"ws://127.0.0.1:{port}/"
        async with connect(address, proxy=None) as table, connect(address, proxy=None) as bad:
            await table.send("before")
            assert await table.recv() == "before"
            bad.transport.write(flood)
            await bad.wait_closed()
            assert seen <= protocols.MAX_CONTROL_FRAMES + protocols.CHUNK_SIZE // len(PING) + 1
            await table.send("after")
            assert await table.recv() == "after"
            for _ in range(protocols.MAX_CONTROL_FRAMES // 2):  # far more than a browser sends
                await (await table.ping())


async def test_a_socket_that_is_lost_before_it_is_accepted_is_no_fault() -> None:
    class Lost(SocketProtocol):
        async def send(self, message: Any) -> None:
            self.transport.close()  # what asyncio does when the client has closed the connection
            await super().send(message)

    ends: asyncio.Queue[type[BaseException]] = asyncio.Queue()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        try:
            await send({"type": "websocket.accept"})
        except Exception as error:
            ends.put_nowait(type(error))
            raise

    async with serving(app, ws=Lost) as port:
        with pytest.raises(InvalidMessage):
            await connect(f"ws://127.0.0.1:{port}/", proxy=None)
        assert await ends.get() is ClientDisconnected


@pytest.mark.parametrize("protocol", [PageProtocol, SocketProtocol])
async def test_a_read_allocates_no_more_than_it_receives(
    protocol: type[PageProtocol | SocketProtocol], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    peak = loop.create_future()

    def receive(*_: object) -> None:
        peak.set_result(tracemalloc.get_traced_memory()[1])

    monkeypatch.setattr(protocol, "data_received", receive)
    monkeypatch.setattr(protocol, "connection_made", lambda *_: None)
    monkeypatch.setattr(protocol, "connection_lost", lambda *_: None)
    ours, theirs = socket.socketpair()
    with theirs:
        transport, _ = await loop.connect_accepted_socket(lambda: object.__new__(protocol), ours)
        tracemalloc.start()
        theirs.send(b"x")
        try:
            assert await peak < 50_000
        finally:
            tracemalloc.stop()
            transport.close()
