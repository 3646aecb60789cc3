"""Speaking with a page through a socket: reading, writing, pings, limits, whatever is spoken about.

What is sent is how things stand, the newest only: who reads slowly misses what lay between and is
right again with the next message, and nothing piles up here.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from trine.core.text import text
from trine.web.messages import Pong, write_message

if TYPE_CHECKING:
    from trine.web.site import Site

PING: Final = 6.0
"""Units: seconds between our pings."""
SILENCE: Final = 15.0
"""Units: seconds; a browser that says nothing for this long is gone."""
FAREWELL: Final = 1.0
"""Units: seconds; no close waits longer for its turn."""
MOST_ANSWERS: Final = 64
POLICY, RESTART, GONE = 1008, 1012, 1001


class Speaking(ABC):
    """One open page."""

    def __init__(self, site: Site, socket: WebSocket) -> None:
        self.site, self.socket = site, socket
        self._answers: deque[dict[str, Any]] = deque()
        self._wake = asyncio.Event()
        self._pings: dict[int, float] = {}
        self._number = 0
        self._heard = time.monotonic()
        self._writing: asyncio.Task[None] | None = None
        self._farewell = GONE
        self._timer: asyncio.TimerHandle
        self._ping_due = False
        self._sending: float | None = None
        """Since when something has been on its way out."""
        self.code: int | None = None
        """The code with which the page has closed the socket; None where it was lost."""

    # --- what is spoken about ---------------------------------------------------------------------

    @abstractmethod
    def read(self, words: str | bytes) -> Any:
        """Read a message; raises `msgspec.DecodeError`."""

    @abstractmethod
    def may_speak(self) -> bool:
        """Whether there is credit for one more message."""

    @abstractmethod
    async def handle(self, message: Any) -> None:
        """Do what a message asks for."""

    @abstractmethod
    async def show(self) -> None:
        """Send how things stand, as far as it has changed."""

    @abstractmethod
    def say(self, sentence: Any) -> str:
        """A sentence in the language of the page."""

    @abstractmethod
    def gone(self) -> None:
        """The page has gone, or is let go."""

    def measure(self, seconds: float) -> None:  # noqa: B027, nothing but a game uses it
        """A ping has come back after so long."""

    # --- speaking ---------------------------------------------------------------------------------

    def wake(self) -> None:
        """Something is to be sent."""
        self._wake.set()

    def answer(self, answer: dict[str, Any]) -> None:
        """Answer a message."""
        self._answers.append(answer)
        self._wake.set()

    def hang_up(self, code: int) -> None:
        """Close the socket with a code, which tells the page whether to come back."""
        self._farewell = code
        if self._writing:
            self._writing.cancel()

    def dropped(self) -> None:
        """Have the page look anew for what it shows, perhaps in another process of the house."""
        self.hang_up(RESTART)

    async def send(self, message: str | bytes) -> None:
        """Send a message."""
        self._sending = time.monotonic()
        if isinstance(message, str):
            await self.socket.send_text(message)
        else:
            await self.socket.send_bytes(message)
        self._sending = None

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        reading = asyncio.create_task(self._read())
        writing = self._writing = asyncio.create_task(self._write())
        if self._farewell != GONE:
            writing.cancel()
        self._beat()
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._timer.cancel()
            for task in (reading, writing):
                task.cancel()
            results = await asyncio.gather(reading, writing, return_exceptions=True)
            self.gone()
            with suppress(Exception):
                async with asyncio.timeout(FAREWELL):  # who does not read hears nothing
                    await self.socket.close(self._farewell)
        for result in results:
            expected = isinstance(result, WebSocketDisconnect | RuntimeError | OSError)
            if isinstance(result, Exception) and not expected:
                raise result

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._ping_due:
                self._ping_due = False
                await self._ping()
            await self.show()
            while self._answers:
                await self.send(write_message(self._answers.popleft()))

    def _beat(self) -> None:
        """Have a ping sent now and then; a page that is gone, or does not read, is let go."""
        now = time.monotonic()
        if now - self._heard > SILENCE or (self._sending and now - self._sending > SILENCE):
            self.code = None
            self.hang_up(GONE)
            return
        self._ping_due = True
        self._wake.set()
        self._timer = asyncio.get_running_loop().call_later(PING, self._beat)

    async def _ping(self) -> None:
        self._number += 1
        self._pings = {self._number: time.monotonic()}
        ping = {"t": "ping", "n": self._number, "now": round(self.site.house.now(), 3)}
        await self.send(write_message(ping))

    async def _read(self) -> None:
        while True:
            try:
                got = await self.socket.receive()
            except RuntimeError:
                return
            if got["type"] == "websocket.disconnect":
                self.code = got.get("code", 1005)
                return
            self._heard = time.monotonic()
            message: Any = None
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                message = self.read(got.get("text") or got.get("bytes") or b"")
            if isinstance(message, Pong) and message.n in self._pings:
                self.measure(time.monotonic() - self._pings.pop(message.n))
                continue  # what was asked for costs nothing
            if not self.may_speak() or len(self._answers) > MOST_ANSWERS:
                await self.socket.close(POLICY)
                return
            if isinstance(message, Pong):
                continue  # it was long under way, and a later one has been sent since
            if message is None:
                self.site.metrics.refused.inc()
                self.answer({"t": "no", "why": self.say(text("this is no message"))})
                continue
            await self.handle(message)
