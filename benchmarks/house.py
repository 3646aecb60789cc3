"""How many live games does a house bear, and how long does a player wait for an acknowledgement?

    .venv/bin/python benchmarks/house.py [--games N] [--rate TURNS] [--seconds S] [--watchers N]

The house is a process of its own, its clients are this one; they speak over loopback alone. Each
game is played at one screen, by walls and pawn moves of Corridor, at an even rate of turns a second
over all games. Watchers all look at one game, and the time is measured until each has seen a turn.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from web.clients import Client, Table
from web.served import Served, a_server

MANY = 10**9
"""All clients come from one address here, which the house would not bear."""


def percentiles(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms of {len(seconds)}"


async def play(table: Table, pause: float, delay: float, end: float, waits: list[float]) -> None:
    await asyncio.sleep(delay)
    while time.perf_counter() < end and not table.game["over"]:
        began = time.perf_counter()
        await table.my_turn()
        choice = table.game["choices"][-1]["id"]
        sent = time.perf_counter()
        answer = await table.turn(choice)
        assert answer["t"] == "ok", answer
        waits.append(time.perf_counter() - sent)
        rest = began + pause - time.perf_counter()
        while rest > 0:
            try:
                async with asyncio.timeout(rest):
                    await table.read()
            except TimeoutError:
                pass
            rest = began + pause - time.perf_counter()


async def games_at_once(served: Served, games: int, rate: float, seconds: float) -> None:
    names = []
    for _ in range(games):
        client = Client(served.address)  # a person has some credits, not all
        names.append((client, client.new_game(game="corridor", **{"with": "screen"})[0]))
    waits: list[float] = []
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(one.play(name)) for one, name in names]
        pause = games / rate
        end = time.perf_counter() + seconds
        async with asyncio.TaskGroup() as group:
            for number, table in enumerate(tables):
                group.create_task(play(table, pause, number / games * pause, end, waits))
    print(f"{games} games, {len(waits) / seconds:.0f} turns/s: {percentiles(waits)}")


async def watchers_of_one(served: Served, watchers: int, turns: int = 10) -> None:
    client = Client(served.address)
    name, _ = client.new_game(game="corridor", **{"with": "screen"})
    waits: list[float] = []
    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(client.play(name))
        crowd: list[Table] = []
        for number in range(watchers):
            if not number % 50:
                somebody = Client(served.address)
                somebody.ask("POST", "/name", {"name": f"Watcher {number}"})
            crowd.append(await stack.enter_async_context(somebody.play(name)))

        async def seen(table: Table, began: float, count: int) -> None:
            await table.until(lambda: len(table.turns) >= count)
            waits.append(time.perf_counter() - began)

        for number in range(turns):
            await player.my_turn()
            began = time.perf_counter()
            async with asyncio.TaskGroup() as group:
                for table in crowd:
                    group.create_task(seen(table, began, number + 1))
                group.create_task(player.turn(player.game["choices"][-1]["id"]))
    print(f"{watchers} watchers of one game: {percentiles(waits)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rate", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--watchers", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with a_server(Path(folder) / "games", address_credits=MANY) as served:
            asyncio.run(games_at_once(served, options.games, options.rate, options.seconds))
        with a_server(Path(folder) / "watchers", address_credits=MANY) as served:
            asyncio.run(watchers_of_one(served, options.watchers))


if __name__ == "__main__":
    main()
