"""Programs of another protocol play rated games at a house, for an hour or as long as is wanted.

    .venv/bin/python benchmarks/programs.py [--minutes 60] [--guests 4] [--kills 2] [--engine CMD]

Each account of a program is a ``trine bot`` of its own with ENGINE, by default pyrimaa's simple
engine, which speaks AEI. As many as there are guests accept challenges; the guests challenge each
of them in turn to as many games as count in a day. Meanwhile the house is killed so many times
(``kill -9``) and opened again. In the end ``trine house check`` replays all games, and ``trine
house ratings`` reckons all ratings anew. Ctrl-C ends it earlier, with the same checks.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import os
import signal
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from crowd import Progress
from trine.house.export import entries_of
from trine.house.ratings import MOST_A_DAY
from trine.session.changes import rebuilt
from trine.store.game_rows import Stage
from trine.store.store import Store
from web.served import Served, a_server, start
from web.test_api import a_bot

TRINE = (sys.executable, "-m", "trine")
SIMPLE = f"{sys.executable} -m pyrimaa.simple_engine"
CLOCK = "60s/5m/100/5m"
"""A minute for a turn: on a busy machine, too, nobody loses on time for want of a processor."""
MANY = 10**6
"""All programs come from one address here."""
ENDS = 60.0
"""Units: seconds; so long a program may take to give its games up."""


class Program:
    """A program at a house, in a process of its own."""

    def __init__(self, folder: Path, served: Served, name: str, engine: str) -> None:
        self.name, self._folder = name, folder
        (folder / f"{name}.token").write_text(a_bot(served, name)[1].token)
        self._words: tuple[str, ...] = (
            "--server",
            served.address,
            "--token-file",
            str(folder / f"{name}.token"),
        )
        self._words += ("--engine", engine, "--at-end", "resign")
        self.process: subprocess.Popen[bytes] | None = None

    def begin(self, *words: str) -> None:
        """Begin a visit."""
        with (self._folder / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*TRINE, "bot", *self._words, *words], stdout=log, stderr=log
            )

    @property
    def is_away(self) -> bool:
        """Whether its visit is over, or has not begun."""
        return self.process is None or self.process.poll() is not None

    def check(self) -> None:
        """Raise if its visit has failed."""
        code = self.process.poll() if self.process else None
        if code not in (None, 0, 130):
            told = (self._folder / f"{self.name}.log").read_text()[-2000:]
            raise ChildProcessError(f"{self.name} has ended with code {code}:\n{told}")

    def end(self) -> None:
        """Have it give its games up, and wait until it has gone."""
        if not self.process:
            return
        for _ in range(2):
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(ENDS / 2)
        if self.process.poll() is None:
            self.process.kill()


@contextmanager
def programs(
    folder: Path, served: Served, names: list[str], engine: str
) -> Iterator[list[Program]]:
    """Accounts of programs, whose visits end in the end."""
    made = [Program(folder, served, name, engine) for name in names]
    try:
        yield made
    finally:
        for program in made:
            program.end()


def run(folder: Path, given: argparse.Namespace) -> None:
    """Have programs play, and kill the house now and then."""
    letters = string.ascii_uppercase[: given.guests]  # numerals would look alike
    names = [f"{kind} {letter}" for kind in ("Rabbit", "Camel") for letter in letters]
    with (
        a_server(folder, address_credits=MANY) as served,
        programs(folder, served, names, given.engine) as made,
    ):
        hosts, guests = made[: given.guests], made[given.guests :]
        for host in hosts:
            host.begin("--only", "rated", "--games", str(given.guests))
        time.sleep(5)
        met = dict.fromkeys((guest.name for guest in guests), 0)
        began, kills = time.monotonic(), 0
        end, seconds = began + 60 * given.minutes, 60 * given.minutes
        progress = Progress("seconds", round(seconds))
        try:
            while (now := time.monotonic()) < end:
                progress.at(round(now - began))
                if kills < given.kills and now > began + seconds * (kills + 1) / (given.kills + 1):
                    kills += 1
                    served.kill()
                    served.process = start(folder, served.port, MANY).process
                for number, guest in enumerate(guests):
                    guest.check()
                    if guest.is_away and met[guest.name] < len(hosts):
                        host = hosts[(number + met[guest.name]) % len(hosts)]
                        met[guest.name] += 1
                        words = ("--challenge", host.name, "--clock", CLOCK, "--rated")
                        guest.begin(*words, "--rounds", str(MOST_A_DAY))
                for host in hosts:
                    host.check()
                if all(guest.is_away for guest in guests):
                    break
                time.sleep(1)
        except KeyboardInterrupt:
            pass
        progress.end()
        print(f"{(time.monotonic() - began) / 60:.1f} minutes, the house killed {kills} times")
        for guest in guests:
            guest.end()  # first: its games are over then


def tell(folder: Path) -> None:
    """Print what was played."""
    reasons, turns, waits = collections.Counter[str](), list[int](), list[float]()
    with Store.open(folder / "house.db") as store:
        for game in store.all_games():
            entries = entries_of(store.events(game.id))
            if game.stage is not Stage.OVER or not entries:
                reasons["not over"] += 1
                continue
            state = rebuilt(entries)
            reasons[state.outcome.reason if state.outcome else "broken off"] += 1
            turns.append(len(state.play.turns))
            waits += [one.data["used"] for one in entries if "used" in one.data]
    print(f"{sum(reasons.values())} games, {sum(turns)} turns: {dict(reasons)}")
    if turns:
        print(f"  a game has {statistics.median(turns)} turns (median), {max(turns)} at the most")
        print(f"  by the clocks a turn took {statistics.median(waits):.2f} s (median)")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--guests", type=int, default=4)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--engine", default=SIMPLE, metavar="CMD")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="programs-") as name:
        run(Path(name), given)
        tell(Path(name))
        for words in ("check", "ratings"):
            done = subprocess.run([*TRINE, "house", words, "--data", name], env=dict(os.environ))
            if done.returncode:
                sys.exit(done.returncode)


if __name__ == "__main__":
    main()
