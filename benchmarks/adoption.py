"""Measures how soon another process takes over the games of a killed one (`kill -9`).

    .venv/bin/python benchmarks/adoption.py [--games 300] [--times 3]

Two processes serve a house on one PostgreSQL database. One has games with running clocks, and is
killed; the report is when the other holds half and all of them in the database, and all in memory.
"""

import argparse
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, func, select

from trine.house.games.storage.tables import GAME
from trine.house.processes.tables import HOME
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from crowd import furnish
from house.web.served import TOKEN, Served, a_server
from postgres import a_postgres

TIMEOUT: Final = 300.0
POLL_INTERVAL: Final = 0.02
"""Units: seconds; the interval between queries of the database."""


def held_by(connection: Connection, address: str) -> int:
    """Return the number of games that the process at an address holds."""
    count = select(func.count()).select_from(GAME.join(HOME, GAME.c.home == HOME.c.name))
    return int(connection.execute(count.where(HOME.c.address == address)).scalar_one())


def in_memory(served: Served) -> int:
    """Return the number of games in the memory of a process."""
    asked = urllib.request.Request(
        f"{served.address}metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(asked, timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return int(float(next(one.split()[1] for one in lines if one.startswith("trine_games "))))


def until(condition: Callable[[], bool]) -> float:
    """Wait until a condition holds; return the time of the monotonic clock."""
    late = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < late
        time.sleep(POLL_INTERVAL)
    return time.monotonic()


def adoption(folder: Path, database: str, games: int) -> tuple[float, float, float]:
    """Return the seconds from a kill until half and all games are held, and all are in memory."""
    furnish(database, games, clock="30+30")
    with (
        Store.open(database, SCHEMA) as store,
        a_server(folder / "one", free=True, database=database) as one,
    ):
        until(lambda: in_memory(one) == games)
        with a_server(folder / "two", free=True, database=database) as two:
            address = f"127.0.0.1:{two.port}"
            time.sleep(3)  # it has looked twice for other processes
            one.kill()
            killed = time.monotonic()
            half = until(lambda: store.read(held_by, address) >= games / 2)
            every = until(lambda: store.read(held_by, address) == games)
            loaded = until(lambda: in_memory(two) == games)
    return half - killed, every - killed, loaded - killed


def times_text(times: Sequence[float]) -> str:
    """Return the times of a kill as text."""
    return "half {:.2f} s, all {:.2f} s, in memory {:.2f} s".format(*times)


def main() -> None:
    """Kill some processes, one after the other, each in a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    took = []
    with a_postgres("fsync=on") as server, tempfile.TemporaryDirectory() as folder:
        for number in range(given.times):
            with server.database() as database:
                took.append(adoption(Path(folder) / str(number), database, given.games))
                print(times_text(took[-1]), flush=True)
    print("median:", times_text([statistics.median(one) for one in zip(*took, strict=True)]))


if __name__ == "__main__":
    main()
