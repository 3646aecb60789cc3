"""Measures the delay of turns while a house is flooded with requests. Ends by itself.

    .venv/bin/python benchmarks/flood.py [--connections 256] [--addresses 1] [--path / ...]
    .venv/bin/python benchmarks/flood.py --pictures [--connections 4]
    .venv/bin/python benchmarks/flood.py --insight [--connections 20]

Games are played from 127.0.0.1, 50 turns a second; the flood comes from 127.0.1.1 and following
addresses, in a process of its own: each connection sends the next request as soon as the last is
answered, by GET, or by a form with ``--form BYTES``; with ``--pings`` each is a socket that sends
control frames as fast as they are read, and reconnects when it is closed; with ``--fragments`` it
sends messages in 64 parts. With ``--pictures`` they
request pictures of turns as PNG; with ``--insight`` each is a guest who plays TZAAR in an analysis,
five times a second, with insight. Reports the latency of turns and of the first page, with and
without the flood, and the answers that the flood got; with ``--beside CHECKOUT`` also for the house
of another checkout, which has its own ``.venv``. It needs a system with all of 127.0.0.0/8,
such as Linux.
"""

import argparse
import asyncio
import gzip
import itertools
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from house.web.clients import Client, Table
from other_house import ROOT, furnish_of, server_of

GAMES, RATE = 50, 50.0
"""The number of games, and the turns a second of all games."""
PINGS = b"\x89\x80\0\0\0\0" * 64
"""Control frames, masked as a browser's."""
FRAGMENTS = b"\x01\x81\0\0\0\0{" + b"\0\x81\0\0\0\0 " * 62 + b"\x80\x81\0\0\0\0}"
"""A message in 64 frames."""
CREDITS = 2000
"""The number of messages that an address may send in 20 s."""


async def ask_for_ever(
    address: str,
    origin: str,
    paths: list[str],
    form: int,
    until: float,
    answers: Counter[str],
    *,
    once: bool = False,
) -> None:
    """Send each request as soon as the last is answered, from the address ``origin``."""
    there = urlsplit(address)
    body = b"x=" + b"1" * form if form else b""
    heads = itertools.cycle(
        (
            f"{'POST' if form else 'GET'} {path} HTTP/1.1\r\nHost: {there.netloc}\r\n"
            f"Origin: {address.rstrip('/')}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        for path in paths
    )
    while time.monotonic() < until:
        try:
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                reader, writer = await asyncio.open_connection(
                    there.hostname, there.port, local_addr=(origin, 0)
                )
                while True:
                    writer.write(next(heads) + body)
                    got = await reader.readuntil(b"\r\n\r\n")
                    length = next(
                        int(line.split(b":")[1])
                        for line in got.lower().split(b"\r\n")
                        if line.startswith(b"content-length")
                    )
                    await reader.readexactly(length)
                    answers[got.split(b" ", 2)[1].decode()] += 1
                    if once:
                        return
                    if b"connection: close" in got.lower():
                        break
        except (OSError, asyncio.IncompleteReadError, StopIteration):
            answers["lost"] += 1
        except TimeoutError:
            break


async def send_for_ever(
    frames: bytes, address: str, origin: str, until: float, answers: Counter[str]
) -> None:
    """Send 64 frames again and again on a socket, and reconnect when it is closed."""
    there = urlsplit(address)
    head = (
        f"GET /lobby/socket HTTP/1.1\r\nHost: {there.netloc}\r\nOrigin: {address.rstrip('/')}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
    while time.monotonic() < until:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                reader, writer = await asyncio.open_connection(
                    there.hostname, there.port, local_addr=(origin, 0)
                )
                writer.write(head)
                got = await reader.readuntil(b"\r\n\r\n")
                answers[got.split(b" ", 2)[1].decode()] += 1
                while got.startswith(b"HTTP/1.1 101") and not reader.at_eof():
                    writer.write(frames)
                    await writer.drain()
                    answers["frames"] += 64
                    await reader.read(65_536)
                writer.close()
        await asyncio.sleep(0.01)  # a connection that is refused costs us no less than the house


async def look_for_ever(
    address: str, origin: str, number: int, until: float, answers: Counter[str]
) -> None:
    """Play random actions in an analysis, with insight, as often as a guest may."""
    there, rng = urlsplit(address), Random(number)
    form = urlencode({"game": "tzaar", "rules": "official"}).encode()
    head = (
        f"POST /analysis HTTP/1.1\r\nHost: {there.netloc}\r\nOrigin: {address.rstrip('/')}\r\n"
        f"Content-Length: {len(form)}\r\nConnection: close\r\n\r\n"
    ).encode()
    with suppress(OSError, asyncio.IncompleteReadError, TimeoutError, WebSocketException):
        async with asyncio.timeout(max(0.1, until - time.monotonic())):
            reader, writer = await asyncio.open_connection(
                there.hostname, there.port, local_addr=(origin, 0)
            )
            writer.write(head + form)
            made = (await reader.read()).decode()
            place = made.partition("ocation: ")[2].split("\r\n")[0]
            cookie = made.partition("et-cookie: ")[2].split(";")[0]
            async with connect(
                f"ws://{there.netloc}{place}/socket",
                origin=address.rstrip("/"),  # type: ignore[arg-type]
                additional_headers={"Cookie": cookie},
                local_addr=(origin, 0),
                proxy=None,
            ) as socket:
                await socket.send('{"t":"look","insight":true}')
                at: dict[str, Any] = {}

                async def play() -> None:
                    for call in itertools.count():
                        if at:
                            choices = at.get("choices") or [{}]
                            ids = [rng.choice(choices).get("id", "")] if choices[0] else []
                            draft = [*at.get("draft", []), *ids] if ids else []
                            node = at["node"] if draft else 0
                            act = {"t": "act", "id": f"i.{call}", "node": node, "a": draft}
                            await socket.send(json.dumps(act))
                        await asyncio.sleep(0.2 + 0.02 * rng.random())

                playing = asyncio.create_task(play())
                try:
                    async for words in socket:
                        message = json.loads(
                            gzip.decompress(words) if isinstance(words, bytes) else words
                        )
                        answers[message["t"]] += 1
                        if message["t"] == "ping":
                            await socket.send(json.dumps({"t": "pong", "n": message["n"]}))
                        elif message["t"] == "at":
                            answers["with insight"] += bool(message.get("insight"))
                            at = message
                finally:
                    playing.cancel()
    if time.monotonic() < until - 1:
        answers["lost"] += 1


def flood(address: str, given: argparse.Namespace, paths: list[str], queue: Any) -> None:
    """Flood a house from other addresses; put the counts of answers into a queue."""

    async def all_of_them() -> Counter[str]:
        answers: Counter[str] = Counter()
        until = time.monotonic() + given.seconds

        def one(number: int) -> Coroutine[Any, Any, None]:
            origin = f"127.0.1.{1 + number % given.addresses}"
            if given.pings or given.fragments:
                frames = PINGS if given.pings else FRAGMENTS
                return send_for_ever(frames, address, origin, until, answers)
            if given.insight:
                return look_for_ever(address, origin, number, until, answers)
            mine = paths[number % len(paths) :] + paths[: number % len(paths)]
            return ask_for_ever(address, origin, mine, given.form, until, answers)

        await asyncio.gather(*map(one, range(given.connections)))
        return answers

    queue.put(asyncio.run(all_of_them()))


async def play(
    address: str, made: list[Any], seconds: float, begin: Callable[[], None]
) -> tuple[list[float], list[float]]:
    """Play turns evenly for some time, after all boards are open and ``begin`` was called.

    Returns: the seconds until each turn was acknowledged, and, once a second, until a visitor from
    a third address had a page.
    """
    took: list[float] = []
    waits: list[float] = []

    async def one(number: int, first: Table, second: Table) -> None:
        await asyncio.sleep(number / RATE)
        for turn, actions in enumerate(made[number].script):
            if time.monotonic() > until:
                return
            table = (first, second)[turn % 2]
            await table.my_turn()
            began = time.perf_counter()
            assert (await table.turn(*actions))["t"] == "ok"
            took.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, GAMES / RATE - (time.perf_counter() - began)))

    async def visit() -> None:
        while time.monotonic() < until:
            answers, began = Counter[str](), time.monotonic()
            await ask_for_ever(address, "127.0.0.3", ["/"], 0, until + 20, answers, once=True)
            waits.append(time.monotonic() - began)
            await asyncio.sleep(1)

    async with AsyncExitStack() as stack:
        tables = [
            await stack.enter_async_context(Client(address, f"trine={token}").play(game.game))
            for game in made
            for token in game.tokens
        ]
        begin()
        until = time.monotonic() + seconds
        pairs = zip(tables[::2], tables[1::2], strict=True)
        await asyncio.gather(visit(), *(one(number, *pair) for number, pair in enumerate(pairs)))
    return took, waits


def tell(name: str, took: list[float], waits: list[float]) -> None:
    """Print the times of turns, and of visits."""
    ms = sorted(1000 * one for one in took)
    print(
        f"{name:>12}: {len(ms)} turns, p50 {statistics.median(ms):.1f} ms, "
        f"p95 {ms[int(0.95 * len(ms))]:.1f}, p99 {ms[int(0.99 * len(ms))]:.1f}, most {ms[-1]:.1f}; "
        f"a page of a visitor: p50 {statistics.median(waits):.2f} s, most {max(waits):.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--connections", type=int)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--path", nargs="+", default=["/"])
    parser.add_argument("--form", type=int, default=0, metavar="BYTES")
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--pings", action="store_true")
    parser.add_argument("--fragments", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--insight", action="store_true")
    given = parser.parse_args()
    usual = 4 if given.pictures else 20 if given.insight else 256
    given.connections = given.connections or usual
    for house in (ROOT, given.beside):
        if house:
            print(house.resolve().name)
            measure(house.resolve(), given)


def measure(house: Path, given: argparse.Namespace) -> None:
    turns = int(given.seconds * RATE / GAMES) + 4
    with tempfile.TemporaryDirectory() as folder:
        made = [furnish_of(house, Path(folder), GAMES, "", turns) for _ in range(2)]
        paths = given.path
        if given.pictures:
            paths = [
                f"/game/{one.game}/picture.png?turn={turn}&seat={seat}"
                for turn in range(2)
                for seat in range(2)
                for one in made[0]
            ]
        with server_of(house, Path(folder), CREDITS) as served:
            tell("quiet", *asyncio.run(play(served.address, made[0], given.seconds, lambda: None)))
            queue: Any = multiprocessing.Queue()
            crowd = multiprocessing.Process(
                target=flood, args=(served.address, given, paths, queue)
            )
            flooded = play(served.address, made[1], given.seconds, crowd.start)
            tell("flooded", *asyncio.run(flooded))
            print("     answers:", dict(queue.get()))
            crowd.join()


if __name__ == "__main__":
    main()
