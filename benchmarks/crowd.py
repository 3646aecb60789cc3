"""Simulated browsers for `benchmarks/load.py` that cost this process as little as possible.

A line is a bare WebSocket connection: it parses no more of a message than it must, and answers
pings.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import msgspec

from house.web.served import TOKEN, Served
from trine.core.play import Play
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import CommandMeta, turn
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

TIMEOUT = 120.0
"""Units: seconds; the longest wait for an answer."""
MAX_OPENING = 50
"""The most connections that are being opened at once."""
ROOMS = ("corridor", "arimaa", "tzaar")
VARIANTS = 12
"""The number of different games of each room."""


@dataclass(frozen=True)
class Made:
    """A game made for a benchmark."""

    game: str
    tokens: tuple[str, ...]
    """The session tokens of the players, by seat."""
    script: tuple[tuple[str, ...], ...]
    """The next turns, as ids of actions."""


class Still(AnalysisBots):
    """Bots that do not play."""

    def warm(self) -> None:
        """Do nothing."""

    async def choose(self, *given: Any) -> None:
        """Play nothing."""


# --- before the house opens ----------------------------------------------------------------------


def furnish(
    place: Path | str, games: int, *, clock: str = "", bots: int = 0, turns: int = 24
) -> list[Made]:
    """Create games of two guests each, a third in each room, in a house's folder or a database.

    Two turns of each game are played, so that setups are over.

    Args: ``bots`` is the number of additional games between bots, ``turns`` the length of scripts.
    """
    scripts = {
        room: [_script(room, clock, turns + 2, seed) for seed in range(VARIANTS)] for room in ROOMS
    }

    async def make() -> list[Made]:
        with Store.open(place / "house.db" if isinstance(place, Path) else place, SCHEMA) as store:
            house = await House.open(store, bots=Still())
            try:
                made = []
                for number in range(games):
                    room, seed = ROOMS[number % len(ROOMS)], number // len(ROOMS) % VARIANTS
                    made.append(_a_game(house, *scripts[room][seed]))
                found = list(await asyncio.gather(*made))
                for _ in range(bots):
                    agreed = Agreement.make("arimaa", clock="60+60")
                    await house.games.create_with(agreed, [SeatRow(SeatKind.BOT, "bot:8")] * 2)
            finally:
                await house.close()
        return found

    return asyncio.run(make())


def _script(
    room: str, clock: str, turns: int, seed: int
) -> tuple[Agreement, list[tuple[str, ...]]]:
    agreed, rng = Agreement.make(room, clock=clock), Random(f"{room} {seed}")
    play = Play(agreed.room, agreed.terms().start)
    script: list[tuple[str, ...]] = []
    while len(script) < turns and not play.outcome:
        script.append(a_turn(play, rng))
    return agreed, script


def a_turn(play: Play, rng: Random) -> tuple[str, ...]:
    """Play a short random turn; return the ids of its actions."""
    mover, ids, end = play.mover, list[str](), play.room.rules.end
    while not play.outcome and play.mover == mover and (not ids or play.position.turn_open):
        actions = play.legal_actions()
        ends = bool(ids) and end is not None and play.why_not(end) is None
        action = end if ends else rng.choice(actions)
        ids.append(str(action))
        play.act(action)
    return tuple(ids)


async def _a_game(house: House, agreed: Agreement, script: list[tuple[str, ...]]) -> Made:
    guests = [await house.accounts.welcome() for _ in range(2)]
    rows = [SeatRow(SeatKind.PERSON, person.name, person.id) for person, _ in guests]
    game = await house.games.create_with(agreed, rows)
    host = await house.games.actor(game)
    for number in range(2):
        await host.do(turn, CommandMeta(rows[number].person), script[number])
    return Made(game, tuple(token for _, token in guests), tuple(script[2:]))


def guests(folder: Path, count: int) -> list[str]:
    """Create guests; return their session tokens."""

    async def make() -> list[str]:
        with Store.open(folder / "house.db", SCHEMA) as store:
            house = await House.open(store, bots=Still())
            try:
                made = await asyncio.gather(*(house.accounts.welcome() for _ in range(count)))
            finally:
                await house.close()
        return [token for _, token in made]

    return asyncio.run(make())


# --- a line --------------------------------------------------------------------------------------


class Received(msgspec.Struct):
    """The fields of a message that are read here."""

    t: str = ""
    id: str = ""
    n: int = 0
    seq: int = 0
    why: str = ""


_READ = msgspec.json.Decoder(Received)


@dataclass(eq=False)
class Line(asyncio.Protocol):
    """The socket of a page."""

    on_message: Callable[[Line, bytes, bool], None]
    """Called with each message, and whether it is compressed."""
    upgraded: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    lost: asyncio.Future[int] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    """Done when the connection is closed, with the close code."""
    _received: bytes = b""
    _code: int = 1006
    _transport: Any = None

    @classmethod
    async def open(
        cls,
        address: str,
        game: str,
        token: str,
        on_message: Callable[[Line, bytes, bool], None],
        origin: str = "",
    ) -> Line:
        path = f"/game/{game}/socket?changes"
        return await cls.at(address, path, on_message, {"Cookie": f"trine={token}"}, origin)

    @classmethod
    async def at(
        cls,
        address: str,
        path: str,
        on_message: Callable[[Line, bytes, bool], None],
        headers: Mapping[str, str],
        origin: str = "",
    ) -> Line:
        """Open the socket of a page, from an address of its own if one is given."""
        there = urlsplit(address)
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(TIMEOUT):
            _, line = await loop.create_connection(
                lambda: cls(on_message),
                there.hostname or "",
                there.port or 80,
                local_addr=(origin, 0) if origin else None,
            )
            key = base64.b64encode(os.urandom(16)).decode()
            given = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = (
                f"GET {path} HTTP/1.1\r\nHost: {there.netloc}\r\n"
                f"Origin: {address.rstrip('/')}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{given}\r\n"
            )
            line._transport.write(head.encode())
            await line.upgraded
        return line

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.upgraded.done():
            self.upgraded.set_exception(ConnectionError("the house has hung up"))
        if not self.lost.done():
            self.lost.set_result(self._code)

    def data_received(self, data: bytes) -> None:
        came = self._received + data if self._received else data
        if not self.upgraded.done():
            head, sign, came = came.partition(b"\r\n\r\n")
            if not sign:
                self._received = head
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.upgraded.set_exception(ConnectionError(head.split(b"\r\n")[0].decode()))
                return
            self.upgraded.set_result(None)
        at, length = 0, len(came)
        while length - at >= 2:
            size, begin = came[at + 1], at + 2
            if size == 126:
                size, begin = int.from_bytes(came[begin : begin + 2], "big"), begin + 2
            elif size == 127:
                size, begin = int.from_bytes(came[begin : begin + 8], "big"), begin + 8
            if begin + size > length:
                break
            self._frame(came[at] & 15, came[begin : begin + size])
            at = begin + size
        self._received = came[at:]

    def _frame(self, kind: int, content: bytes) -> None:
        if kind == 8:
            self._code = int.from_bytes(content[:2], "big") or 1005
            self._transport.close()
        elif kind == 1 and content.startswith(b'{"t":"ping"'):
            self.send(b'{"t":"pong","n":%d}' % _READ.decode(content).n)
        elif kind in (1, 2):
            self.on_message(self, content, kind == 2)

    def send(self, message: bytes) -> None:
        """Send a message; its mask is zero."""
        size = len(message)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + message)

    def send_close(self) -> None:
        """Send the close frame of a page that is left, as browsers do."""
        self._transport.write(b"\x88\x82\0\0\0\0" + (1001).to_bytes(2, "big"))

    def hang_up(self) -> None:
        self._transport.abort()


def read(content: bytes, *, packed: bool) -> Received:
    """Decode the fields of a message."""
    return _READ.decode(gzip.decompress(content) if packed else content)


def shows_game(content: bytes, packed: bool) -> bool:
    """Return whether a message has the state of a game or changes, without decoding it."""
    return packed or content.startswith((b'{"t":"game"', b'{"t":"changes"'))


@dataclass
class Playing:
    """A game whose two players play its script from this process."""

    made: Made
    lines: list[Line] = field(default_factory=list)
    seq: int = 3
    """The number of the last event: after the beginning and two turns, 3."""
    played: int = 0
    waits: list[float] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    _answer: asyncio.Future[None] | None = None
    _call: str = ""

    async def open(self, address: str, origin: str = "") -> None:
        """Open the sockets of both seats, from an address of their own if one is given."""
        self.lines = [
            await Line.open(address, self.made.game, token, self.on_message, origin)
            for token in self.made.tokens
        ]

    def on_message(self, line: Line, content: bytes, packed: bool) -> None:
        """Take the answer to the last turn; states of the game are skipped."""
        if shows_game(content, packed):
            return
        answer = read(content, packed=False)
        if answer.id != self._call or not self._answer or self._answer.done():
            return
        if answer.t != "ok":
            self._answer.set_exception(ConnectionError(f"{self._call}: {answer.why}"))
            return
        self.acknowledged[self._call] = self.seq = answer.seq
        self._answer.set_result(None)

    @property
    def more(self) -> bool:
        """Whether the script has another turn."""
        return self.played < len(self.made.script)

    async def turn(self) -> None:
        """Play the next turn, and wait until it is acknowledged or the connection is lost."""
        ids = '","'.join(self.made.script[self.played])
        self._call, self._answer = f"c.{self.played}", asyncio.get_running_loop().create_future()
        line, sent = self.lines[self.played % 2], time.perf_counter()
        line.send(f'{{"t":"turn","id":"{self._call}","at":{self.seq},"a":["{ids}"]}}'.encode())
        either: set[asyncio.Future[Any]] = {self._answer, line.lost}
        async with asyncio.timeout(TIMEOUT):
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not self._answer.done():
            raise ConnectionError("the house has hung up")
        self._answer.result()
        self.waits.append(time.perf_counter() - sent)
        self.played += 1

    async def play(self, pause: float, delay: float, end: float) -> None:
        """Play turns at an even rate until ``end``."""
        await asyncio.sleep(delay)
        while (began := time.perf_counter()) < end and self.more:
            await self.turn()
            if began + pause >= end:
                return  # a last pause would count as time without turns
            await asyncio.sleep(max(0.0, began + pause - time.perf_counter()))


async def open_lines(opening: Sequence[Callable[[], Any]], words: str) -> list[Any]:
    """Open lines, some in parallel, and show the progress."""
    gate, done = asyncio.Semaphore(MAX_OPENING), 0
    progress = Progress(words, len(opening))

    async def one(open_one: Callable[[], Any]) -> Any:
        nonlocal done
        async with gate:
            line = await open_one()
        done += 1
        progress.at(done)
        return line

    lines = await asyncio.gather(*(one(each) for each in opening))
    progress.end()
    return lines


# --- figures -------------------------------------------------------------------------------------


class Progress:
    """A progress line on standard error."""

    def __init__(self, words: str, whole: int) -> None:
        self._words, self._whole, self._shown = words, whole, 0.0

    def at(self, done: int) -> None:
        if sys.stderr.isatty() and (done == self._whole or time.monotonic() - self._shown > 0.2):
            self._shown = time.monotonic()
            print(f"\r{self._words}: {done} of {self._whole}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def cpu_of(process: int) -> float:
    """Return the CPU time of a process, in seconds."""
    words = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(process: int) -> int:
    """Return the memory of a process (PSS), in bytes."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise ValueError("this system does not tell the memory of a process")


def loop_late(served: Served) -> dict[float, float]:
    """Return the cumulative histogram of event-loop lag: counts by upper bounds in seconds."""
    request = urllib.request.Request(
        f"{served.address}metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    counts = {}
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith('trine_loop_late_seconds_bucket{le="'):
                bound, count = line.removeprefix('trine_loop_late_seconds_bucket{le="').split('"} ')
                counts[float(bound)] = float(count)
    return counts
