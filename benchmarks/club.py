"""Simulates a club evening: forty people behind one network address sign up and play an arena.

    PYTHONPATH=tests .venv/bin/python -P benchmarks/club.py [--people 40] [--minutes 4] [--think 2]
    PYTHONPATH=tests .venv/bin/python -P benchmarks/club.py --browsers 4 [--turns 3]

It ends by itself; Ctrl-C ends it early, with the figures so far. The house is `trine serve
--share-address`, in a process of its own, and all people sign up at once. Without browsers they run
to the goal of Corridor over sockets, as fast as people click, until the arena is over. With
browsers each person is a page of Chromium: it signs up, joins and plays some turns on the board,
one of two resigns, and both see their results. Reports how long people wait, how many games each
has played, and how late the event loop was.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Error, Page, async_playwright
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crowd import cpu_of, loop_late
from house.web.browsing import LIGHT
from house.web.clients import Client, Table
from house.web.served import TOKEN, Served
from load import percentiles

PASSWORD = "four quiet rabbits"
NAMES = [f"{one}{two}" for one in ("Anna", "Bela", "Cili", "Dora") for two in "abcdefghij"]
PAGE_TIMEOUT = 300_000
"""Units: milliseconds; a slower page is reported as one without results."""


@contextmanager
def the_house(folder: Path) -> Iterator[Served]:
    """Serve a house by the command within the block."""
    words = ["serve", "--no-open", "--port", "0", "--data", str(folder), "--share-address"]
    process = subprocess.Popen(
        [sys.executable, "-m", "trine", *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TRINE_METRICS_TOKEN": TOKEN},
    )
    assert process.stdout
    address = re.search(r"http://localhost:\d+/", process.stdout.readline())
    assert address, "the house has not opened"
    served = Served(process, address[0])
    try:
        yield served
    finally:
        served.stop()


@dataclass
class Evening:
    """The measurements of an evening. Units: seconds."""

    address: str
    signed_up: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    """Waits for the first game or the next, on the page of the arena."""
    answered: list[float] = field(default_factory=list)
    """Waits until a turn is acknowledged, or is seen on the board."""
    results: list[float] = field(default_factory=list)
    """Waits for the results after a game."""
    games: dict[str, int] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    """People without results, with the reasons."""

    def tell(self) -> None:
        for words, seconds in (
            ("signed up", self.signed_up),
            ("had a game", self.waited),
            ("turn", self.answered),
            ("saw the results", self.results),
        ):
            if seconds:
                print(f"  {words}: {percentiles(seconds)}")
        counts = sorted(self.games.values()) or [0]
        print(f"  {sum(counts) // 2} games; of one person {counts[0]} to {counts[-1]}")
        for name, why in self.lost.items():
            print(f"  {name} saw no results: {why}")


def announce(evening: Evening, minutes: int) -> tuple[Client, str]:
    """Announce the arena; return the client of its creator, and the path of its page."""
    host = Client(evening.address)
    page = host.post("/account/register", name="Mary", password=PASSWORD)
    assert page.status == 303, page.text
    form = {"game": "corridor", "rules": "quoridor", "format": "arena", "minutes": str(minutes)}
    page = host.post("/tournaments", name="Club evening", clock="5+5", listed="on", **form)
    assert page.status == 303, page.text
    return host, page.headers["location"]


# --- by sockets ----------------------------------------------------------------------------------


async def come(evening: Evening, arena: str, name: str) -> Client:
    """Sign up, and join."""
    client, began = Client(evening.address), time.perf_counter()
    page = await asyncio.to_thread(client.post, "/account/register", name=name, password=PASSWORD)
    assert page.status == 303, f"{name}: {page.status} {page.text}"
    evening.signed_up.append(time.perf_counter() - began)
    page = await asyncio.to_thread(client.ask, "POST", f"{arena}/join", {"press": "1"})
    assert page.status == 303, page.text
    evening.games[name] = 0
    return client


async def play_all(evening: Evening, arena: str, name: str, client: Client, think: float) -> None:
    """Play the games of the arena until cancelled."""
    rng = Random(name)
    place = f"ws{evening.address.removeprefix('http')}{arena.removeprefix('/')}/socket"
    origin: Any = evening.address.rstrip("/")
    while True:
        began = time.perf_counter()
        async with connect(
            place, origin=origin, additional_headers={"Cookie": client.cookie}, proxy=None
        ) as page:
            game = await _led(page)
        evening.waited.append(time.perf_counter() - began)
        async with client.play(game) as table:
            await _play(evening, table, rng, think)
        evening.games[name] += 1


async def _led(page: Any) -> str:
    """Return the game that the arena's page redirects to."""
    async for got in page:
        message = json.loads(got) if isinstance(got, str) else {"t": ""}
        if message["t"] == "go":
            return str(message["game"])
        if message["t"] == "ping":
            await page.send(json.dumps({"t": "pong", "n": message["n"]}))
    raise ConnectionError("the house has hung up")


async def _play(evening: Evening, table: Table, rng: Random, think: float) -> None:
    def ready() -> bool:
        mine = table.game["mover"] in table.game["own"] and table.game["choices"]
        return bool(table.game["over"] or mine)

    while True:
        await table.until(ready)
        if table.game["over"]:
            return
        end = time.perf_counter() + rng.expovariate(1 / think) if think else 0.0
        while (left := end - time.perf_counter()) > 0:  # pings are answered meanwhile
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await table.read()
        if table.game["over"]:
            return
        steps = [one["id"] for one in table.game["choices"] if len(one["id"]) == 2]
        towards = max if table.game["own"] == [0] else min
        began = time.perf_counter()
        await table.turn(towards(steps, key=lambda cell: int(cell[1])))
        evening.answered.append(time.perf_counter() - began)


async def by_sockets(served: Served, evening: Evening, people: int, options: Any) -> None:
    host, arena = announce(evening, options.minutes)
    names = NAMES[:people]
    clients = await asyncio.gather(*(come(evening, arena, name) for name in names))
    late, cpu, began = loop_late(served), cpu_of(served.pid), time.perf_counter()
    assert host.ask("POST", f"{arena}/begin", {"press": "1"}).status == 303
    playing = [
        asyncio.create_task(play_all(evening, arena, name, client, options.think))
        for name, client in zip(names, clients, strict=True)
    ]
    done, _ = await asyncio.wait(
        playing, timeout=60 * options.minutes, return_when=asyncio.FIRST_EXCEPTION
    )
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for task in done:
        task.result()
    standings = host.get(arena).text
    assert all(name in standings for name in names), "somebody is not in the standings"
    _tell_load(served, late, cpu, began)


def _tell_load(served: Served, before: dict[float, float], cpu: float, began: float) -> None:
    took, after = time.perf_counter() - began, loop_late(served)
    looks = {bound: after[bound] - before[bound] for bound in after}
    shares = (
        f"{looks[bound] / looks[float('inf')]:.0%} within {bound * 1000:.0f} ms"
        for bound in (0.01, 0.05, 0.1)
    )
    cpu = cpu_of(served.pid) - cpu
    print(
        f"  the house: {cpu:.1f} s of a processor in {took:.0f} s; "
        f"event loop late: {', '.join(shares)}"
    )


# --- in browsers ---------------------------------------------------------------------------------


async def in_browser(
    evening: Evening, arena: str, page: Page, name: str, turns: int, all_here: Callable[[], Any]
) -> None:
    """Sign up, play a game once ``all_here`` returns, and look at the results."""
    here = evening.address.rstrip("/")
    await page.goto(f"{here}/account")
    form = page.locator("form[action='/account/register']")
    await form.locator("input[name=name]").fill(name)
    await form.locator("input[name=password]").fill(PASSWORD)
    began = time.perf_counter()
    await form.locator("button").click()
    await page.wait_for_url("**/lobby")
    evening.signed_up.append(time.perf_counter() - began)
    await page.goto(here + arena)
    await page.click("form[action$='/join'] button")
    await page.wait_for_selector("form[action$='/leave']")
    await all_here()
    began = time.perf_counter()
    await page.wait_for_url("**/game/*")
    evening.waited.append(time.perf_counter() - began)
    board = "document.querySelector('trine-board')"
    mine = "document.querySelector('#below .moves')"  # before it, picks are only stored
    moves = f"{mine} && {board}?.live && {board}.next?.size"
    first = await page.get_attribute("#game", "data-own") == "0"
    for _ in range(turns):
        await page.wait_for_function(
            f"() => document.querySelector('#told.result') || ({moves})",
            polling=100,  # by frames, a page in the background would wait for ever
        )
        if await page.locator("#told.result").count():
            break
        ids = await page.evaluate(f"[...{board}.next.keys()]")
        steps = [one for one in ids if re.fullmatch("[a-i][1-9]", one)]
        step = (max if first else min)(steps, key=lambda cell: int(cell[1]))
        began = time.perf_counter()
        await page.evaluate(f"(id) => {board}.pick(id)", step)
        await page.wait_for_function(f"() => !{mine}", polling=100)
        evening.answered.append(time.perf_counter() - began)
    if first:
        if await page.locator("#open").is_visible():  # on a phone
            await page.click("#open")
        await page.dblclick("#resign")
    await page.wait_for_selector("#told.result")
    evening.games[name] = 1
    began = time.perf_counter()
    await page.click("#after a.main")
    await page.wait_for_selector("tr.me")
    evening.results.append(time.perf_counter() - began)


async def by_browsers(served: Served, evening: Evening, people: int, options: Any) -> None:
    host, arena = announce(evening, 60)
    late, cpu, began = loop_late(served), cpu_of(served.pid), time.perf_counter()
    barrier = asyncio.Barrier(people)

    async def all_here() -> None:
        if await barrier.wait() == 0:
            page = await asyncio.to_thread(host.ask, "POST", f"{arena}/begin", {"press": "1"})
            assert page.status == 303, page.text

    program = next(path for one in LIGHT for path in _found(one))
    async with async_playwright() as playwright:
        browsers = [
            await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for _ in range(options.browsers)
        ]
        contexts = [
            await browsers[number % len(browsers)].new_context(viewport=SIZES[number % 2])
            for number in range(people)
        ]
        pages = [await context.new_page() for context in contexts]

        async def visit(page: Page, name: str) -> None:
            page.set_default_timeout(PAGE_TIMEOUT)
            try:
                await in_browser(evening, arena, page, name, options.turns, all_here)
            except (Error, asyncio.BrokenBarrierError) as error:
                await barrier.abort()  # the others must not wait for a failed page
                evening.lost[name] = str(error).partition("\n")[0]
            await page.close()

        await asyncio.gather(*map(visit, pages, NAMES))
        for browser in browsers:
            await browser.close()
    _tell_load(served, late, cpu, began)


SIZES: Sequence[Any] = ({"width": 1280, "height": 800}, {"width": 360, "height": 740})


def _found(program: str) -> Iterator[str]:
    paths = (Path(folder) / program for folder in os.environ["PATH"].split(os.pathsep))
    return (str(path) for path in paths if path.exists())


def main() -> None:
    """Run the evening, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=40, choices=range(2, len(NAMES) + 1, 2))
    parser.add_argument("--minutes", type=int, default=4, help="of the arena, by sockets")
    parser.add_argument("--think", type=float, default=2.0, help="seconds for a turn, by sockets")
    parser.add_argument("--browsers", type=int, default=0, help="how many share the pages")
    parser.add_argument("--turns", type=int, default=3, help="of each person, in browsers")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, the_house(Path(folder)) as served:
        evening = Evening(served.address)
        held = by_browsers if options.browsers else by_sockets
        print(f"{options.people} people {'in browsers' if options.browsers else 'by sockets'}:")
        try:
            asyncio.run(held(served, evening, options.people, options))
        finally:
            evening.tell()


if __name__ == "__main__":
    main()
