"""The base class of the sockets of pages: limits, reading, writing, pings.

A socket sends only its latest state: a slow reader misses the states between and is up to date with
the next message, so nothing accumulates here. Messages are handled in lanes, concurrently with
reading: the messages of one lane in order, different lanes concurrently. So a slow question delays
neither pings nor turns.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final, Self

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from trine.core.text.sentence import Text, text
from trine.core.work.cpu_account import CPU_ACCOUNT
from trine.house.web.cpu_limit import charged, name_task
from trine.house.web.frame import Frame
from trine.house.web.messages import Busy, No, Ping, Pong, Reply, Sent, decode_json, write_message

PING_INTERVAL: Final = 6.0  # seconds
IDLE_TIMEOUT: Final = 11.0  # seconds without bytes after a ping, until a page counts as gone
MAX_LATENESS: Final = 1.0  # seconds; while the event loop is later, no page counts as gone
CLOSE_TIMEOUT: Final = 1.0
"""Units: seconds; the maximum wait until a close is sent and the commands before it are done."""
RECONNECT_COST: Final = 0.005  # seconds of CPU time to admit a page again; measured
MAX_SPREAD: Final = 20.0  # seconds; the maximum delay of a reconnecting page
BUSY_DELAY: Final = 1.0  # seconds until a page learns that its command waits
MAX_REPLIES: Final = 64
"""The maximum number of replies waiting to be sent, and of messages waiting to be handled."""
COMMANDS: Final = ""
POLICY, RESTART, GONE, MISTAKEN = 1008, 1012, 1001, 1011
"""The close codes of sockets; after `RESTART` a page reconnects later."""
EXTENSION: Final = "trine.connection"
"""The ASGI extension that provides the `Connection` of a socket."""
_DECODER: Final = msgspec.json.Decoder(Pong)


@dataclass
class Connection:
    """The state of a client's connection, updated when bytes arrive, however late they are handled.

    Units: seconds by the monotonic clock.
    """

    heard_at: float = field(default_factory=time.monotonic)
    """The time when the last bytes of the client arrived."""
    blocked_at: float | None = None
    """The time when the client began to have too many unread bytes; None if it reads."""

    arrivals: deque[float] = field(default_factory=deque)
    """The arrival times of the messages that were not read yet."""
    on_message: Callable[[], None] | None = None
    """Called when a message has arrived, which may be read much later."""

    def add_message(self) -> None:
        self.arrivals.append(self.heard_at)
        if self.on_message:
            self.on_message()

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> Self:
        """Return the connection of a socket; a new one if the server provides none."""
        known = scope.get("extensions", {}).get(EXTENSION)
        return known if isinstance(known, cls) else cls()


class PageSocket(ABC):
    """The socket of an open page."""

    durable: ClassVar[frozenset[str]] = frozenset({COMMANDS})
    """The lanes whose messages are carried out even if the page has disconnected meanwhile."""

    busy: ClassVar[Text | None] = None  # the sentence for a page whose command has to wait

    def __init__(self, frame: Frame[Any], socket: WebSocket) -> None:
        self.frame, self.socket = frame, socket
        self.address: Final = frame.address_of(socket)
        self.language: Final = frame.language(socket)
        self._replies: deque[Reply] = deque()
        self._wake = asyncio.Event()
        self.wake: Final = self._wake.set
        """Wakes the sender without referencing the page, which so is freed when it disconnects."""
        self._waiting: dict[str, deque[tuple[Any, float]]] = {}
        """The messages of each lane that are not handled yet, with their arrival times."""
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._fault: BaseException | None = None
        self._pings: dict[int, float] = {}
        self._number = 0
        self.connection: Final = Connection.of(getattr(socket, "scope", {}))
        self._asked_at: float | None = None
        """The time of the first ping since the page's last message; None before."""
        self._check_at = 0.0
        self._writing: asyncio.Task[None] | None = None
        self._close_code = GONE
        self._timer: asyncio.TimerHandle | None = None
        self._command_at: float | None = None  # the arrival time of the command in progress
        self._busy_timer: asyncio.TimerHandle | None = None
        self.code: int | None = None
        """The code of the page's close; None if the connection was lost."""

    @abstractmethod
    def read(self, words: str | bytes) -> Any:
        """Decode a message; raises `msgspec.DecodeError`."""

    @abstractmethod
    def within_rate_limit(self) -> bool:
        """Return whether the rate limit admits one more message."""

    def lane(self, message: Any) -> str:
        """Return the lane of a message; a question that may take long has a lane of its own."""
        return COMMANDS

    @abstractmethod
    async def handle(self, message: Any, at: float) -> None:
        """Carry out a message that arrived ``at`` a time of the house's clock.

        Waiting here does not count as the sender's time.
        """

    @abstractmethod
    async def send_state(self) -> None: ...

    @abstractmethod
    def on_close(self) -> None:
        """Handle that the page has disconnected."""

    async def on_round_trip(self, seconds: float) -> None:  # noqa: B027, only games override it
        """Handle the round-trip time of a ping."""

    def on_silence(self) -> None:  # noqa: B027, only games override it
        """Handle an unanswered ping; after `IDLE_TIMEOUT` the page counts as gone."""

    def reply(self, reply: Reply) -> None:
        self._replies.append(reply)
        self.wake()

    def close(self, code: int) -> None:
        """Close the socket with a code that tells the page whether to reconnect."""
        self._close_code = code
        if self._writing:
            self._writing.cancel()

    def _fail(self, fault: Exception) -> None:
        self._fault = fault
        self.close(MISTAKEN)

    def reconnect(self) -> None:
        """Make the page reconnect, perhaps to another process of the house."""
        self.close(RESTART)

    async def tell(self, message: Sent) -> None:
        await self.send(write_message(message, self.language.say))

    async def send(self, message: str | bytes) -> None:
        """Send an encoded message, perhaps one for many pages."""
        if self.socket.application_state is not WebSocketState.CONNECTED:
            raise WebSocketDisconnect(GONE)
        if isinstance(message, str):
            await self.socket.send_text(message)
        else:
            await self.socket.send_bytes(message)

    async def run(self) -> None:
        reading = asyncio.create_task(charged(self._read), name="reading a socket")
        writing = asyncio.create_task(charged(self._write), name="writing to a socket")
        self._writing = writing
        if self._close_code != GONE:
            writing.cancel()
        self._check_at = time.monotonic()
        self._check_connection()
        if self.busy:
            self.connection.on_message = self._watch_command
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.connection.on_message = None
            for timer in (self._timer, self._busy_timer):
                if timer:
                    timer.cancel()
            reading.cancel()
            writing.cancel()
            for end in await asyncio.gather(reading, writing, return_exceptions=True):
                if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect):
                    self._fault, self._close_code = end, MISTAKEN
            self._writing = None  # the exception's traceback would form a cycle
            await self._end_lanes()
            self.on_close()
            await self._close()
        if self._fault:
            raise self._fault

    async def _close(self) -> None:
        if self.socket.application_state is WebSocketState.CONNECTED:
            with suppress(TimeoutError, WebSocketDisconnect):
                async with asyncio.timeout(CLOSE_TIMEOUT):  # the client may not read
                    await self.socket.close(self._close_code)

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self.send_state()
            while self._replies:
                await self.tell(self._replies.popleft())

    def _check_connection(self) -> None:
        """Send a ping, and close the socket of a page that is gone or does not read."""
        now = time.monotonic()
        is_late, self._check_at = now - self._check_at > MAX_LATENESS, now + PING_INTERVAL
        if not is_late and self._is_gone(now):
            self.code = None
            self.close(GONE)
            return
        if is_late or (self._asked_at or 0.0) <= self.connection.heard_at:
            self._asked_at = None
        else:
            self.on_silence()
        self._send_at_once(self._ping())
        self._timer = asyncio.get_running_loop().call_later(PING_INTERVAL, self._check_connection)

    def _is_gone(self, now: float) -> bool:
        """Return whether a page has not replied, or not read, for too long."""
        asked, blocked = self._asked_at, self.connection.blocked_at
        silent = asked is not None and self.connection.heard_at < asked < now - IDLE_TIMEOUT
        return silent or (blocked is not None and blocked < now - IDLE_TIMEOUT)

    async def _ping(self) -> None:
        self._number += 1
        self._pings = {self._number: time.monotonic()}
        self._asked_at = self._asked_at or time.monotonic()
        spread = min(MAX_SPREAD, RECONNECT_COST * self.frame.sockets)
        shown = round(spread, 1) if spread >= 1 else None
        await self.tell(Ping(self._number, round(self.frame.now(), 3), shown))

    def _send_at_once(self, telling: Coroutine[Any, Any, None]) -> None:
        """Send a message without the writer, which has to wait while the house is busy.

        Without this message, the page would give up the connection. Unless it is blocked, a
        connection sends without waiting, so the message needs no task.
        """
        with closing(telling):
            if self.connection.blocked_at is not None:
                return
            try:
                telling.send(None)
            except (StopIteration, WebSocketDisconnect):
                pass  # the reader notices a lost connection, too
            except Exception as fault:
                self._fail(fault)
            else:
                self._fail(RuntimeError("a connection that is not blocked waited before sending"))

    def waited(self) -> float:
        """Return how long the first unhandled message has waited; 0 if none waits."""
        waiting = [at for _, at in self._waiting.get(COMMANDS, ())]
        waiting += [*self.connection.arrivals][:1]
        waiting += [self._command_at] if self._command_at else []
        return time.monotonic() - min(waiting) if waiting else 0.0

    def _watch_command(self) -> None:
        """Check after a moment whether an arrived message still waits."""
        if self._busy_timer is None:
            loop = asyncio.get_running_loop()
            self._busy_timer = loop.call_later(BUSY_DELAY, self._send_busy)

    def _send_busy(self) -> None:
        """Tell the page that the house is busy, if a command has waited for long."""
        self._busy_timer = None
        if not (waited := self.waited()) or not self.busy:
            return
        wait = BUSY_DELAY - waited
        if wait <= 0:
            self._send_at_once(self.tell(Busy(self.busy)))
            wait = PING_INTERVAL
        self._busy_timer = asyncio.get_running_loop().call_later(wait, self._send_busy)

    async def _read(self) -> None:
        while self.socket.client_state is WebSocketState.CONNECTED:
            got = await self.socket.receive()
            if got["type"] == "websocket.disconnect":
                self.code = got.get("code", 1005)
                return
            now = time.monotonic()
            at = got.get("at", now)
            self.connection.heard_at = max(self.connection.heard_at, at)
            message: Any = None
            with suppress(msgspec.DecodeError):
                message = self.read(got.get("text") or got.get("bytes") or b"")
            if isinstance(message, Pong) and message.n in self._pings:
                await self.on_round_trip(at - self._pings.pop(message.n))
                continue  # the reply to our own ping is free
            waiting = len(self._replies) + sum(map(len, self._waiting.values()))
            if not self.within_rate_limit() or waiting > MAX_REPLIES:
                self._close_code = POLICY
                return
            if isinstance(message, Pong):
                continue  # the pong was delayed, and a later ping has been sent since
            if message is None:
                self.frame.metrics.refused.inc()
                self.reply(No(why=text("this is no message")))
                continue
            lane = self.lane(message)
            self._waiting.setdefault(lane, deque()).append((message, at))
            if lane not in self._lanes:
                self._lanes[lane] = asyncio.create_task(charged(partial(self._handle_all, lane)))

    async def _handle_all(self, lane: str) -> None:
        waiting = self._waiting[lane]
        try:
            while waiting:
                await CPU_ACCOUNT.get().wait()
                message, at = waiting.popleft()
                if lane == COMMANDS:
                    self._command_at = at
                name_task(f"message {type(message).__name__}")
                await self.handle(message, self.frame.now() - (time.monotonic() - at))
        except Exception as fault:
            self._fail(fault)
        finally:
            if lane == COMMANDS:
                self._command_at = None
            del self._lanes[lane]

    async def _end_lanes(self) -> None:
        """Wait a moment for durable lanes to finish, and cancel questions."""
        if durable := [task for lane, task in self._lanes.items() if lane in self.durable]:
            await asyncio.wait(durable, timeout=CLOSE_TIMEOUT)
        left = list(self._lanes.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


class ListeningSocket(PageSocket):
    """An open page that only receives changes."""

    def read(self, words: str | bytes) -> Any:
        return decode_json(_DECODER, words)

    def within_rate_limit(self) -> bool:
        of_page = self.frame.watchers.take(f"{self.address} {id(self)}")
        return of_page and self.frame.addresses.take(self.address)

    async def handle(self, message: Any, at: float) -> None: ...
