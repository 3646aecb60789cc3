"""Simulates a day of visitors in minutes, and measures the memory of the house.

    .venv/bin/python benchmarks/soak.py [--hours 24] [--visits 120] [--bots] [--types 20]

The house runs in its usual server, over loopback; its time is simulated (`simulated.py`), so a day
takes as long as its work. Guests and account holders arrive at random, ``--visits`` an hour; they
read pages, open and take seats in the lobby, play all games on clocks and by correspondence, chat,
watch, play tournaments, meet bots, analyse, log out and in. One in five closes a page without a
close frame, many let the clocks of their games run out. With ``--bots`` real bots think, in a
process of their own; otherwise bots play the first action at once.

Before the day many positions are drawn, since caches of pictures would grow for half a day
otherwise. The visitors run in the same process, so their memory counts, too; it is small and
constant. Memory is measured each quarter of an hour; ``--types`` lists the types with more objects
at the end than after a third. A house that grows is an error. Ctrl-C ends the day early, with the
figures so far.
"""

import argparse
import asyncio
import collections
import gc
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from trine.house.tables import SCHEMA

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from crowd import Progress, memory_of
from simulated import simulated
from trine.core.clock import HOUR, MINUTE
from trine.core.play import Play
from trine.core.scene.composing import FIRST_KEYS, carry_keys
from trine.core.scene.scene import plain
from trine.core.text.language import open_language
from trine.games import open_room
from trine.house import server
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.app import House
from trine.house.background import log_plainly
from trine.house.server import ServeSettings
from trine.house.store.store import Store
from visitors import ROOMS, Day, Visitor

MEASURE_INTERVAL = 15 * MINUTE
"""Units: seconds between two measurements of memory."""
SETTLED = 1 / 4
"""All caches are full after this share of the time."""
MAX_GROWTH = 0.05
"""The check fails if memory grows by more than this share from the first half of the settled time
to the second."""
WARM_UP_PLAYS = 150
"""The plays of each game that are drawn before the day, so that caches are full when it begins."""
MAX_VISITORS = 60
"""The most concurrent visitors; further ones stay away."""


class Kept(House):
    """The house that the server opens."""

    last: House

    @classmethod
    async def open(cls, store: Store, **options: Any) -> Any:
        """Open the house, and keep it in ``last``."""
        cls.last = await super().open(store, **options)
        return cls.last


def fill_caches(rng: Random) -> None:
    """Draw enough positions to fill the caches of pictures."""
    say = open_language("en").say
    for name in ROOMS:
        room = open_room(name)
        for _ in range(WARM_UP_PLAYS):
            rules = rng.choice(sorted(room.rule_sets))
            play, keys = (
                Play(room, room.rules.start(rules, room.rules.settle(rules, {}))),
                FIRST_KEYS,
            )
            for _ in range(60):
                if play.outcome:
                    break
                action = rng.choice(play.legal_actions())
                keys = carry_keys(room, play.position, action, keys)
                play.act(action)
                for seat in range(2):
                    plain(room.view.scene(play.position, seat=seat, keys=keys).view, say)


# --- the day -------------------------------------------------------------------------------------


class Soak:
    """A simulated day, and its figures."""

    def __init__(self, folder: Path, given: argparse.Namespace) -> None:
        self._folder, self._given = folder, given
        self._visiting: set[asyncio.Task[None]] = set()
        self.sizes: list[tuple[float, int]] = []
        self.day: Day | None = None
        self._types = [collections.Counter[str]()] * 2
        """Objects by type, after a third of the time and at the last measurement."""
        self._failed: BaseException | None = None
        self._faults = 0

    def opened(self, address: str) -> None:
        """Start the visitors of the open house."""
        self._coming = asyncio.get_running_loop().create_task(self._come(address))

    async def _come(self, address: str) -> None:
        try:
            await self._run_day(address)
        except Exception as error:
            self._failed = error
        finally:
            signal.raise_signal(signal.SIGINT)

    async def _run_day(self, address: str) -> None:
        given = self._given
        day = self.day = Day(address, Kept.last, Random(given.seed))
        progress = Progress("minutes of the day", round(given.hours * 60))
        began, measured = time.monotonic(), 0.0
        end = began + given.hours * HOUR
        while (now := time.monotonic()) < end:
            if now - began >= measured:
                self._measure((now - began) / HOUR)
                measured += MEASURE_INTERVAL
            if len(self._visiting) < MAX_VISITORS:
                task = asyncio.create_task(self._visit(day))
                self._visiting.add(task)
                task.add_done_callback(self._visiting.discard)
            if self._failed:
                raise self._failed
            progress.at(round((now - began) / 60))
            until_next = day.rng.expovariate(given.visits / HOUR)
            await asyncio.sleep(min(until_next, end - now))
            if now + until_next >= end:
                break
        self._measure(given.hours)
        progress.end()

    async def _visit(self, day: Day) -> None:
        name, cookie = "", ""
        absent = sorted(day.accounts.keys() - day.here)
        if absent and day.chance(0.5):
            name = day.rng.choice(absent)
            cookie = day.accounts[name]
        visitor = Visitor(day, name, cookie)
        day.here.add(name)
        day.counts["visits"] += 1
        try:
            await visitor.visit()
        except (OSError, asyncio.IncompleteReadError):
            day.counts["visits broken off"] += 1
        except Exception as error:
            self._failed = error
        finally:
            await visitor.leave()
            day.here.discard(name)
            if name and not visitor.name:
                del day.accounts[name]
            elif visitor.name and len(day.accounts) < 400:
                day.accounts[visitor.name] = visitor.cookie

    def _measure(self, hours: float) -> None:
        gc.collect()
        self.sizes.append((hours, memory_of(os.getpid())))
        counts = self.day.counts if self.day else collections.Counter[str]()
        house = Kept.last
        print(
            f"{hours:5.2f} h  {self.sizes[-1][1] / 2**20:6.1f} MiB  {counts['visits']:>5} visits"
            f"  {counts['turns sent']:>6} turns  {len(house.games.actors):>3} games in memory"
            f"  {len(self._visiting):>3} here  {time.process_time():6.0f} s",
            flush=True,
        )
        if self._given.types:
            first, _ = self._types
            settled = bool(first) or hours < self._given.hours / 3
            now = types()
            self._types = [first if settled else now, now]

    def run(self) -> None:
        """Serve until the day is over."""
        import caissify_pairings  # noqa: F401, otherwise the first Swiss round brings it, and 10 MiB

        from house.houses import FirstActions, quick_passwords

        fill_caches(Random(self._given.seed))
        bots = AnalysisBots(1) if self._given.bots else FirstActions()
        serving = ServeSettings(self._folder, port=0)
        log_plainly()
        kept = mock.patch.object(server, "House", Kept)
        with kept, simulated() as loop, Store.open(self._folder / server.DATABASE, SCHEMA) as store:
            served = server.serve_store(
                serving, store, self.opened, bots, passwords=quick_passwords()
            )
            try:
                with asyncio.Runner(loop_factory=loop) as runner:
                    runner.run(served)
            except KeyboardInterrupt:
                pass
        if self._failed:
            raise self._failed

    def tell(self) -> None:
        """Print the figures."""
        if not self.day or len(self.sizes) < 3:
            return
        print(", ".join(f"{count} {what}" for what, count in sorted(self.day.counts.items())))
        whole = self.sizes[-1][0]
        settled = [size for at, size in self.sizes if at >= whole * SETTLED]
        middle = len(settled) // 2
        halves = [sum(half) / len(half) for half in (settled[:middle], settled[middle:])]
        growth = halves[1] / halves[0] - 1
        mean = sum(settled) / len(settled)
        print(
            f"memory from hour {whole * SETTLED:.1f} on: {mean / 2**20:.1f} MiB in the mean, from "
            f"{min(settled) / mean - 1:+.1%} to {max(settled) / mean - 1:+.1%} of it; the second "
            f"half {growth:+.1%} beside the first"
        )
        first, last = self._types
        for name, more in (last - first).most_common(self._given.types):
            print(f"  {more:+} {name}")
        if growth > MAX_GROWTH:
            sys.exit("soak: the house grows")


def types() -> collections.Counter[str]:
    """Return the numbers of objects in memory, by type."""
    gc.collect()
    return collections.Counter(
        f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects()
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--visits", type=float, default=120, help="visits an hour")
    parser.add_argument("--bots", action="store_true", help="true bots, of levels 1 and 2")
    parser.add_argument("--types", type=int, default=0, help="list as many growing types")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        soak = Soak(Path(name), given)
        try:
            soak.run()
        except KeyboardInterrupt:
            pass
        soak.tell()


if __name__ == "__main__":
    main()
