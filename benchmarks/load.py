"""Measures the load that a house bears, one figure a command; Ctrl-C ends any of them.

    .venv/bin/python benchmarks/load.py --games 1000 --rate 300 [--seconds 20] [--bots 4]
    .venv/bin/python benchmarks/load.py --watchers 1000
    .venv/bin/python benchmarks/load.py --idle 5000
    .venv/bin/python benchmarks/load.py --kills 100
    .venv/bin/python benchmarks/load.py --restart 1000
    .venv/bin/python benchmarks/load.py --memory 100000

The house is a process of its own, its clients are this one; they talk over loopback. A game has two
players, each with a socket, and all three games are played; turns are spread evenly over games and
time. With ``--bots N`` as many games between bots keep the worker processes busy. Other work on the
machine spoils latencies, CPU times less.
"""

import argparse
import asyncio
import gc
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from trine.core.play import Play
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import CommandMeta, resign, turn
from trine.house.games.storage.events import read_events
from trine.house.games.storage.tables import SeatKind, SeatRow, Stage
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from crowd import (
    ROOMS,
    TIMEOUT,
    Line,
    Made,
    Playing,
    Progress,
    Still,
    a_turn,
    cpu_of,
    furnish,
    guests,
    loop_late,
    memory_of,
    open_lines,
    shows_game,
)
from house.web.fixed_loop import loop
from house.web.served import Served, a_server

ADDRESS_CREDITS = 10**9
"""The allowance of an address: all clients come from one here, which a house would limit."""


def percentiles(seconds: list[float]) -> str:
    """Return the median, the 99th percentile and the maximum of times, as text."""
    if len(seconds) < 2:
        return "nothing was measured"
    cuts = statistics.quantiles(seconds, n=100)
    return (
        f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms, "
        f"longest {max(seconds) * 1000:.0f} ms of {len(seconds)}"
    )


# --- games ---------------------------------------------------------------------------------------


async def measure_loops(loops: list[float], end: float) -> None:
    """Time a fixed loop now and then during the measurement, as a yardstick."""
    while time.perf_counter() < end:
        began = time.thread_time()
        loop()
        loops.append(time.thread_time() - began)
        await asyncio.sleep(0.2)


def many_games(folder: Path, games: int, rate: float, seconds: float, bots: int) -> None:
    """Print the latency of turns, and their CPU time."""
    pause = games / rate
    turns = 4 + int(seconds / pause)
    tables = [
        Playing(made) for made in furnish(folder, games, clock="15+15", bots=bots, turns=turns)
    ]

    async def measure(served: Served) -> None:
        await open_lines([partial(one.open, served.address) for one in tables], "tables")
        await asyncio.sleep(1)
        late, cpu = loop_late(served), cpu_of(served.pid)
        gc.collect()
        gc.disable()  # pauses of this process would count as latency
        began = time.perf_counter()
        loops: list[float] = []
        async with asyncio.TaskGroup() as group:
            group.create_task(measure_loops(loops, began + seconds))
            for number, table in enumerate(tables):
                delay = number / games * pause
                group.create_task(table.play(pause, delay, began + seconds))
        took, cpu = time.perf_counter() - began, cpu_of(served.pid) - cpu
        waits = [wait for table in tables for wait in table.waits]
        print(f"{games} games, {len(waits) / took:.0f} turns/s: {percentiles(waits)}")
        print(
            f"  {cpu / len(waits) * 1e6:.0f} µs of a processor a turn, {cpu / took:.0%} of one; as "
            f"long as {cpu / len(waits) / statistics.median(loops):.1f} fixed loops of Python"
        )
        after = loop_late(served)
        looks = {bound: after[bound] - late[bound] for bound in after}
        shares = ", ".join(
            f"{count / looks[float('inf')]:.1%} within {bound * 1000:.0f} ms"
            for bound, count in looks.items()
            if bound in (0.01, 0.05, 0.1)
        )
        print(f"  event loop late: {shares} of {looks[float('inf')]:.0f} looks")
        for line in itertools.chain(*(table.lines for table in tables)):
            line.hang_up()

    with a_server(folder, address_credits=ADDRESS_CREDITS, bots=bool(bots)) as served:
        asyncio.run(measure(served))


# --- a crowd -------------------------------------------------------------------------------------


def many_watchers(folder: Path, watchers: int, turns: int = 10) -> None:
    """Print the time until all watchers of a game have a turn."""
    table = Playing(furnish(folder, 1, turns=turns)[0])
    tokens = guests(folder, watchers // 50 + 1)
    times: list[float] = []

    def on_message(line: Line, content: bytes, packed: bool) -> None:
        if shows_game(content, packed):
            times.append(time.perf_counter())

    async def measure(served: Served) -> None:
        await table.open(served.address)
        opening = [
            partial(Line.open, served.address, table.made.game, tokens[n // 50], on_message)
            for n in range(watchers)
        ]
        cpu = cpu_of(served.pid)
        lines = await open_lines(opening, "watchers")
        entering = (cpu_of(served.pid) - cpu) / watchers
        await asyncio.sleep(1)
        gc.collect()
        gc.disable()
        waits: list[list[float]] = []
        cpu = cpu_of(served.pid)
        while table.more:
            times.clear()
            sent = time.perf_counter()
            await table.turn()
            async with asyncio.timeout(TIMEOUT):
                while len(times) < watchers:
                    await asyncio.sleep(0.02)
            waits.append([at - sent for at in times])
            await asyncio.sleep(0.3)
        cpu = cpu_of(served.pid) - cpu
        print(
            f"{watchers} watchers of one game: {percentiles([w for each in waits for w in each])}"
        )
        print(f"  the first turn: {percentiles(waits[0])}")
        print(
            f"  {cpu / len(waits) / watchers * 1e6:.0f} µs of a processor a watcher and turn, "
            f"{entering * 1e6:.0f} µs to let one in"
        )
        for line in lines:
            line.hang_up()

    with a_server(folder, address_credits=ADDRESS_CREDITS) as served:
        asyncio.run(measure(served))


def many_idle(folder: Path, sockets: int) -> None:
    """Print the memory of idle sockets."""
    made = furnish(folder, 1)[0]
    tokens = guests(folder, sockets // 50 + 1)

    def on_message(line: Line, content: bytes, packed: bool) -> None:
        """Ignore the message."""

    async def measure(served: Served) -> None:
        some = [
            partial(Line.open, served.address, made.game, tokens[n // 50], on_message)
            for n in range(sockets)
        ]
        lines = await open_lines(some[:50], "first sockets")
        await asyncio.sleep(1)
        before = memory_of(served.pid)
        lines += await open_lines(some[50:], "sockets")
        await asyncio.sleep(10)
        memory, cpu = memory_of(served.pid) - before, cpu_of(served.pid)
        await asyncio.sleep(10)
        cpu = cpu_of(served.pid) - cpu
        lost = sum(line.lost.done() for line in lines)
        print(
            f"{sockets} idle sockets: {memory / (sockets - 50) / 1024:.1f} KiB each, "
            f"{cpu / 10:.0%} of a processor to keep them, {lost} lost"
        )
        for line in lines:
            line.hang_up()

    with a_server(folder, address_credits=ADDRESS_CREDITS) as served:
        asyncio.run(measure(served))


# --- failing -------------------------------------------------------------------------------------


def kills(folder: Path, count: int, games: int = 20) -> None:
    """Kill the house under load; check that each acknowledged turn is stored, once."""
    tables = [Playing(made) for made in furnish(folder, games, turns=12)]
    done: list[Playing] = []
    rng, port, sure = Random(9), 0, 0
    progress = Progress("kills", count)

    async def until_killed(served: Served, seconds: float) -> None:
        async def one(table: Playing) -> None:
            try:
                await table.open(served.address)
                while table.more:
                    await table.turn()
            except OSError:
                return
            finally:
                for line in table.lines:
                    line.hang_up()

        before = sum(len(table.acknowledged) for table in tables)
        playing = [asyncio.create_task(one(table)) for table in tables]
        async with asyncio.timeout(60):  # on a busy machine it takes long until a turn is played
            while sum(len(table.acknowledged) for table in tables) == before:
                await asyncio.sleep(0.01)
        await asyncio.sleep(seconds)
        served.process.kill()
        await asyncio.gather(*playing)

    for number in range(count):
        with a_server(folder, port, address_credits=ADDRESS_CREDITS) as served:
            port = served.port
            asyncio.run(until_killed(served, rng.uniform(0.05, 1.0)))
            served.wait(10)
        done += [table for table in tables if not table.more]
        tables = [table for table in tables if table.more]
        if len(tables) < games // 2:
            tables += [Playing(made) for made in furnish(folder, games - len(tables), turns=12)]
        progress.at(number + 1)
    progress.end()
    with Store.open(folder / "house.db", SCHEMA) as store:
        for table in done + tables:
            events = store.read(read_events, table.made.game)
            calls = [event.data["call"][1] for event in events if "call" in event.data]
            assert len(set(calls)) == len(calls), f"a turn was played twice: {table.made.game}"
            turns = [event for event in events if event.kind == "act" and event.data["closes"]]
            for call, seq in table.acknowledged.items():
                found = events[seq - 1].data.get("call")
                assert found and found[1] == call, f"a turn was lost: {table.made.game} {call}"
            assert len(turns) in (2 + table.played, 3 + table.played)
            sure += len(table.acknowledged)
    print(f"{count} kills, {sure} acknowledged turns: none lost, none twice")


def restart(folder: Path, games: int) -> None:
    """Print the time until a killed house answers in all its games."""
    tables = furnish(folder, games, clock="15+15")
    with a_server(folder, address_credits=ADDRESS_CREDITS) as served:
        asyncio.run(_answers(served, tables, "games before"))
        served.kill()
    began = time.perf_counter()
    with a_server(folder, address_credits=ADDRESS_CREDITS) as served:
        opened = time.perf_counter() - began
        asyncio.run(_answers(served, tables, "games"))
        took, cpu = time.perf_counter() - began, cpu_of(served.pid)
    print(
        f"restart with {games} games: open after {opened:.1f} s, all have answered after "
        f"{took:.1f} s, {cpu:.1f} s of a processor"
    )


async def _answers(served: Served, tables: Sequence[Made], words: str) -> None:
    async def one(made: Made) -> Line:
        first = asyncio.get_running_loop().create_future()

        def on_message(line: Line, content: bytes, packed: bool) -> None:
            if shows_game(content, packed) and not first.done():
                first.set_result(None)

        line = await Line.open(served.address, made.game, made.tokens[0], on_message)
        async with asyncio.timeout(TIMEOUT):
            await first
        return line

    for line in await open_lines([partial(one, made) for made in tables], words):
        line.hang_up()


# --- memory --------------------------------------------------------------------------------------


def memory(folder: Path, games: int, together: int = 50, parts: int = 20) -> None:
    """Print the memory of a house in this process while short games are played."""

    async def measure() -> None:
        rng, sizes = Random(3), list[tuple[int, int]]()
        agreed = [Agreement.make(room, clock="5+3") for room in ROOMS]
        progress = Progress("games", games)
        with Store.open(folder / "house.db", SCHEMA) as store:
            house = await House.open(store, bots=Still(), records=folder / "games")
            people = [(await house.accounts.welcome())[0] for _ in range(2)]
            rows = [SeatRow(SeatKind.PERSON, person.name, person.id) for person in people]

            async def one(number: int) -> None:
                game = await house.games.create_with(agreed[number % len(agreed)], rows)
                host = await house.games.actor(game)
                watcher = _Watcher()
                await host.enter(watcher, people[0].id)
                play = Play(host.agreement.room, host.agreement.terms().start)
                for seat in range(2):
                    await host.do(
                        turn, CommandMeta(people[seat].id, f"c.{seat}"), a_turn(play, rng)
                    )
                await host.do(resign, CommandMeta(people[number % 2].id, "c.9"))
                host.leave(watcher, closed=True)
                assert host.snapshot.stage is Stage.OVER
                house.games.evict(game)

            done = 0
            while done < games:
                some = min(together, games - done)
                await asyncio.gather(*(one(done + number) for number in range(some)))
                done += some
                progress.at(done)
                if done * parts // games > len(sizes):
                    gc.collect()
                    sizes.append((done, memory_of(os.getpid())))
                    print(f"{done:>7} games: {sizes[-1][1] / 2**20:.1f} MiB", flush=True)
            assert not house.games.actors
            await house.close()
        progress.end()
        half = sizes[len(sizes) // 2 :]
        slope = (half[-1][1] - half[0][1]) / max(1, half[-1][0] - half[0][0])
        print(f"{games} games: {slope:.1f} bytes more a game in the second half")

    asyncio.run(measure())


class _Watcher:
    def changed(self, snapshot: Any) -> None:
        """Do nothing."""

    def waited(self) -> float:
        return 0.0

    def reconnect(self) -> None:
        """Do nothing."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--games", type=int)
    what.add_argument("--watchers", type=int)
    what.add_argument("--idle", type=int)
    what.add_argument("--kills", type=int)
    what.add_argument("--restart", type=int)
    what.add_argument("--memory", type=int)
    parser.add_argument("--rate", type=float, default=30, help="turns a second of all games")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--bots", type=int, default=0, help="additional games between bots")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent.parent, prefix="house-") as name:
        folder = Path(name)
        try:
            if given.games:
                many_games(folder, given.games, given.rate, given.seconds, given.bots)
            elif given.watchers:
                many_watchers(folder, given.watchers)
            elif given.idle:
                many_idle(folder, given.idle)
            elif given.kills:
                kills(folder, given.kills)
            elif given.restart:
                restart(folder, given.restart)
            else:
                memory(folder, given.memory)
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
