"""A small proxy before the processes of a house, as the real ones are told to be in docs/guides/scale.md.

Each request goes to the next process that can be reached; one that is answered with 421 goes to
the process that the answer names. A request has a connection of its own.
"""

import asyncio
import itertools
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from waiting import PATIENCE

BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """A proxy; it has a thread and a loop of its own."""

    def __init__(self, nodes: Sequence[str]) -> None:
        self.nodes = list(nodes)
        """The processes, as ``host:port``; may be changed at any time."""
        self.led = 0
        """Requests that were led elsewhere by an answer."""
        self.address = ""
        self._turn = itertools.count()

    async def serve(self, opened: threading.Event, closing: asyncio.Event) -> None:
        async with await asyncio.start_server(self._pass_on, "127.0.0.1", 0) as server:
            self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            opened.set()
            await closing.wait()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _head(reader)
            length = _field(request, b"content-length")
            request += await reader.readexactly(int(length or 0))
            answer, end = await self._ask(request)
            writer.write(answer)
            if end:
                await asyncio.gather(_pipe(reader, end[1]), _pipe(end[0], writer))
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # of a stream's own task nobody waits for the end
        finally:
            writer.close()

    async def _ask(self, request: bytes) -> tuple[bytes, Ends | None]:
        begin, nodes = next(self._turn), list(self.nodes)
        for number in range(len(nodes)):
            found = await self._ask_at(nodes[(begin + number) % len(nodes)], request)
            if found is None:
                continue
            answer, end = found
            if answer.split(b" ")[1] != b"421":
                return answer, end
            end[1].close()
            self.led += 1
            led = await self._ask_at(_field(answer, b"x-trine-node"), request)
            return led or (BAD_GATEWAY, None)
        return BAD_GATEWAY, None

    async def _ask_at(self, node: str, request: bytes) -> tuple[bytes, Ends] | None:
        host, _, port = node.rpartition(":")
        try:
            async with asyncio.timeout(PATIENCE):
                end = await asyncio.open_connection(host, int(port))
                end[1].write(request)
                return await _head(end[0]), end
        except (OSError, asyncio.IncompleteReadError):
            return None


async def _head(reader: asyncio.StreamReader) -> bytes:
    return await reader.readuntil(b"\r\n\r\n")


def _field(head: bytes, name: bytes) -> str:
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip().decode()
    return ""


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
    writer.close()


@contextmanager
def a_proxy(nodes: Sequence[str]) -> Iterator[Proxy]:
    proxy, opened = Proxy(nodes), threading.Event()
    loop, closing = asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        await proxy.serve(opened, closing)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def run() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert opened.wait(PATIENCE)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(closing.set)
        thread.join(PATIENCE)
