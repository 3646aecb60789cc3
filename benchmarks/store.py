"""Measures the turns a second that the store acknowledges, and their latency.

    .venv/bin/python benchmarks/store.py [--seconds S] [--postgres] [FOLDER]

Each game has a client that appends a turn, and waits for the acknowledgement before the next; in
the last line 1,000 games have 300 turns a second together. The database is in FOLDER, by default in
this checkout: a folder in memory would measure no disk. With ``--postgres`` a PostgreSQL server is
started in that folder, with fsync.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from trine.house.games.live.agreement import Agreement
from trine.house.games.storage.events import Append, Event, append_events
from trine.house.games.storage.tables import SeatRow, create_game
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import postgres

TURN = {"words": "Ee2n Ee3n Ee4n hd7s", "closes": True, "used": 12.3, "left": 245.1, "turn": "17g"}


class Run:
    """Play games for some seconds, each with a pause between its turns."""

    def __init__(self, store: Store, games: int, seconds: float, pause: float) -> None:
        self.store, self.pause = store, pause
        created = [
            store.write(create_game, Agreement.make("arimaa"), [SeatRow()] * 2, "here", store.now())
            for _ in range(games)
        ]
        self.games = [game.result() for game in created]
        # Turns count once all games have begun.
        self.begin = time.perf_counter() + pause
        self.end = self.begin + seconds
        self.written = 0
        self.waits: list[float] = []

    async def play(self) -> None:
        async with asyncio.TaskGroup() as group:
            for number, game in enumerate(self.games):
                group.create_task(self.play_one(game.id, number / len(self.games) * self.pause))

    async def play_one(self, game: str, delay: float) -> None:
        await asyncio.sleep(delay)
        seq = 1
        while (began := time.perf_counter()) < self.end:
            event = Event("act", seq % 2, time.time(), TURN)
            await self.store.commit(append_events, Append(game, 1, seq, [event]))
            waited = time.perf_counter() - began
            self.written += 1
            if began >= self.begin:
                self.waits.append(waited)
            seq += 1
            if self.pause:
                await asyncio.sleep(max(0.0, self.pause - waited))


def measure(place: str | Path, games: int, seconds: float, pause: float = 0.0) -> None:
    """Print the figures of a number of games."""
    with Store.open(place, SCHEMA) as store:
        run = Run(store, games, seconds, pause)
        commits = store.writer.commits
        asyncio.run(run.play())
        commits = store.writer.commits - commits
    hundredths = statistics.quantiles(run.waits, n=100)
    print(
        f"{games:>5} games {f'at {games / pause:.0f} turns/s' if pause else '':<16}"
        f"{len(run.waits) / seconds:>7.0f} turns/s {run.written / commits:>6.1f} a commit  "
        f"p50 {hundredths[49] * 1e3:>6.1f} ms  p99 {hundredths[98] * 1e3:>6.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    rates = [(games, 0.0) for games in (1, 10, 50, 200, 1000)] + [(1000, 1000 / 300)]
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, ExitStack() as stack:
        server = None
        if given.postgres:
            synced = ("fsync=on", "full_page_writes=on", "shared_buffers=128MB")
            server = stack.enter_context(postgres.a_postgres(*synced, within=given.folder))
        for games, pause in rates:
            if server:
                with server.database() as url:
                    measure(url, games, given.seconds, pause)
            else:
                measure(Path(folder) / f"{games}-{pause}.db", games, given.seconds, pause)


if __name__ == "__main__":
    main()
