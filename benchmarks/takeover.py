"""The time until the games of a process that is killed go on in the others, and what is lost by it.

    .venv/bin/python benchmarks/takeover.py [--games 500] [--nodes 3] [--rate 50]
    .venv/bin/python benchmarks/takeover.py --stop

The processes of a house share a PostgreSQL, which is started here with its disk synced, behind the
proxy of the tests. Each game has two players, whose turns are spread evenly; who loses the
connection comes back, and sends again what was not acknowledged. ``--stop`` has one stopped
(SIGSTOP) instead, and woken up when its games are played elsewhere. In the end each journal is
read: a turn that was acknowledged and is not there, or is there twice, is an error.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

import postgres
from crowd import Line, Made, Progress, furnish, open_lines, read
from trine.house.export import entries_of
from trine.session.changes import rebuilt
from trine.store.store import Store
from web.proxy import a_proxy
from web.served import Served, a_server

MANY = 10**9
AGAIN = 0.5
"""Units: seconds; who was sent away asks again after so long."""
SILENCE = 10.0
"""Units: seconds; a page that hears nothing for so long comes back, too."""


@dataclass
class Playing:
    """A game whose players come back."""

    made: Made
    address: str
    seq: int = 3
    played: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    lost: int = 0
    _lines: list[Line] = field(default_factory=list)
    _answer: asyncio.Future[str] | None = None

    async def open(self) -> None:
        """Sit down at both seats; whoever is sent away comes again."""
        while True:
            try:
                self._lines = [
                    await Line.open(self.address, self.made.game, token, self._told)
                    for token in self.made.tokens
                ]
            except OSError:
                self.lost += 1
                await asyncio.sleep(AGAIN)
            else:
                return

    def _told(self, line: Line, content: bytes, packed: bool) -> None:
        if b'"game"' in content[:20] or packed:
            told = read(content, packed=packed)
            self.seq = max(self.seq, told.seq)
        elif b'"id"' in content[:40]:
            told = read(content, packed=False)
            if told.id == f"c.{self.played}" and self._answer and not self._answer.done():
                self.seq = max(self.seq, told.seq)
                self._answer.set_result(told.t if told.t == "ok" else told.why)
                if told.t == "ok":
                    self.acknowledged[told.id] = told.seq

    async def play(self, pause: float, delay: float, over: asyncio.Event) -> None:
        """Play the script at an even rate."""
        await asyncio.sleep(delay)
        while not over.is_set() and self.played < len(self.made.script):
            if await self._turn():
                self.played += 1
                self.times.append(time.perf_counter())
                await asyncio.sleep(pause)

    async def _turn(self) -> bool:
        ids = '","'.join(self.made.script[self.played])
        self._answer = asyncio.get_running_loop().create_future()
        line = self._lines[self.played % 2]
        line.say(f'{{"t":"turn","id":"c.{self.played}","at":{self.seq},"a":["{ids}"]}}'.encode())
        either: set[asyncio.Future[Any]] = {self._answer, *(each.lost for each in self._lines)}
        await asyncio.wait(
            either,
            timeout=SILENCE,
            return_when=asyncio.FIRST_COMPLETED,
        )
        if not self._answer.done():
            self.hang_up()
            await asyncio.sleep(AGAIN * Random(self.made.game).random())
            await self.open()
            return False
        if self._answer.result() != "ok":
            await asyncio.sleep(AGAIN)
            return False
        return True

    def hang_up(self) -> None:
        """Close what is open."""
        for line in self._lines:
            line.hang_up()


def check(database: str, tables: list[Playing]) -> tuple[int, int]:
    """The acknowledged turns, and the times that games have changed their homes."""
    sure = moved = 0
    with Store.open(database) as store:
        for table in tables:
            events = store.events(table.made.game)
            calls = [event.data["call"][1] for event in events if "call" in event.data]
            assert len(set(calls)) == len(calls), f"a turn was played twice: {table.made.game}"
            for call, seq in table.acknowledged.items():
                found = events[seq - 1].data.get("call")
                assert found and found[1] == call, f"a turn was lost: {table.made.game} {call}"
            rebuilt(entries_of(events))
            row = store.game(table.made.game)
            assert row
            sure, moved = sure + len(table.acknowledged), moved + row.epoch - 1
    return sure, moved


async def run(nodes: list[Served], tables: list[Playing], given: argparse.Namespace) -> None:
    """Play, have one process fail, and see when its games go on."""
    pause, over = given.games / given.rate, asyncio.Event()
    await open_lines([table.open for table in tables], "tables")
    playing = [
        asyncio.create_task(table.play(pause, number / given.games * pause, over))
        for number, table in enumerate(tables)
    ]
    await asyncio.sleep(2 * pause)
    with Store.open(given.database) as store:
        address = f"127.0.0.1:{nodes[0].port}"
        (home,) = (home.name for home in store.homes.at_work() if home.address == address)
        names = [table.made.game for table in tables]
        hit = set(await asyncio.to_thread(store.homes.epochs_of, names, home))
        failed, taken = time.perf_counter(), 0.0
        nodes[0].process.send_signal(signal.SIGSTOP if given.stop else signal.SIGKILL)
        progress = Progress("games that have gone on", len(tables))
        while True:
            if not taken and not await asyncio.to_thread(store.homes.epochs_of, names, home):
                taken = time.perf_counter() - failed
            waits = [
                min((at for at in table.times if at > failed + 0.1), default=0.0)
                for table in tables
            ]
            progress.at(sum(map(bool, waits)))
            if (all(waits) and taken) or time.perf_counter() > failed + 90:
                break
            await asyncio.sleep(0.1)
        progress.end()
    if given.stop:
        nodes[0].process.send_signal(signal.SIGCONT)
    await asyncio.sleep(2 * pause)
    over.set()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    print(f"{len(tables)} games in {len(nodes)} processes at {given.rate:.0f} turns/s:")
    print(f"  the {len(hit)} games of one that failed were all taken after {taken:.1f} s")
    found = zip(tables, waits, strict=True)
    late = sorted(wait - failed for table, wait in found if table.made.game in hit)
    print(
        f"  their next turns were acknowledged after {statistics.median(late):.1f} s (median),"
        f" {late[-1]:.1f} s (longest)"
    )
    print(f"  {sum(not wait for wait in waits)} games did not go on")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--rate", type=float, default=50, help="turns a second of all games")
    parser.add_argument("--stop", action="store_true", help="stop a process, and wake it up")
    given = parser.parse_args()
    if reason := postgres.why_missing():
        sys.exit(f"takeover: {reason}")
    with tempfile.TemporaryDirectory(prefix="takeover-") as name, ExitStack() as stack:
        server = stack.enter_context(postgres.a_postgres("fsync=on", "full_page_writes=on"))
        database = stack.enter_context(server.database())
        nodes = [
            stack.enter_context(
                a_server(Path(name) / str(number), address_credits=MANY, database=database)
            )
            for number in range(given.nodes)
        ]
        # They share the games of the process that has made them.
        made = furnish(database, given.games, clock="15+15", turns=40)
        proxy = stack.enter_context(a_proxy([f"127.0.0.1:{node.port}" for node in nodes]))
        tables = [Playing(one, proxy.address) for one in made]
        given.database = database
        try:
            asyncio.run(run(nodes, tables, given))
        except KeyboardInterrupt:
            sys.exit(130)
        finally:
            nodes[0].process.send_signal(signal.SIGCONT)
        sure, moved = check(database, tables)
        print(f"  {sure} acknowledged turns: none lost, none twice; {moved} changes of home")


if __name__ == "__main__":
    main()
