"""A week of ten thousand games by correspondence, in a house that is closed and killed meanwhile.

    .venv/bin/python benchmarks/correspondence.py [--games 10000] [--days 7] [--restarts 20]
    .venv/bin/python benchmarks/correspondence.py --postgres

All games are real: each has two people, who answer after days, or never. The house goes by a
simulated time, and is a process of its own, which is ended some twenty times, every other time by
``kill -9``; up to six hours later it is opened again. Each quarter of an hour of that time what is
due is seen to. In the end the journal of each game is replayed: who has lost on time had none left,
without the times in which the house was closed; whose time was up has lost; and nothing that is due
was left. Ctrl-C ends it early, with the same checks.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import math
import multiprocessing
import os
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Connection, func, select

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

import postgres
from crowd import ROOMS, Progress, Still, a_turn
from databases import steps_to_what_is_due
from trine.core.clock import DAY, HOUR, MINUTE
from trine.core.errors import IllegalError
from trine.core.outcome import Reason
from trine.house.agreement import Agreement
from trine.house.asked import Asked
from trine.house.correspondence import DEADLINE, LATER, MOST_EXTENDED
from trine.house.export import ABORT, entries_of
from trine.house.house import House, home_name
from trine.session.changes import rebuilt
from trine.store.downtimes import Downtime
from trine.store.game_rows import GameRow, Stage
from trine.store.homes import LEASE
from trine.store.schema import EVENT, GAME
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.store import Store

CLOCK = "2d/1d/0"
"""Two days for a turn, and one of vacation."""
ALLOWED = 3 * DAY
"""Units: seconds; so long the first turns may take."""
MEAN = 4 * DAY
"""Units: seconds; after so long people answer in the mean, or would."""
BEGAN = 1_800_000_000.0
STEP = 15 * MINUTE
"""Units: seconds of the simulated time between two looks at what is due."""
LONGEST_CLOSED = 6 * HOUR
TOGETHER = 32
"""Games that are created, or played, at once."""
PEOPLE = 500


class Wall:
    """The simulated time."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


# --- the house, in a process of its own ----------------------------------------------------------


@dataclass
class Seen:
    """What a process of the house has seen and done."""

    now: float
    turns: int = 0
    refused: int = 0
    steps: list[float] = field(default_factory=list)
    """Units: seconds; how long it took to see to what was due."""
    loaded: int = 0
    """The most games that were in memory after such a look."""
    memory: int = 0
    """Units: KiB."""


def run_house(place: str, since: float, until: float, pipe: Pipe) -> None:
    """Open the house, and have people play and deadlines pass until a moment."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_run_house(place, since, until, pipe))


async def _run_house(place: str, since: float, until: float, pipe: Pipe) -> None:
    wall, seen = Wall(since), Seen(since)
    with Store.open(place) as store:
        plans = planned(store)
        house = await House.open(store, now=wall, bots=Still(), home=home_name(), report=_report)
        while wall.now < until:
            wall.now = min(wall.now + STEP, until)
            due = [game for at, game in plans if at <= wall.now]
            plans = [plan for plan in plans if plan[0] > wall.now]
            for begin in range(0, len(due), TOGETHER):
                playing = (play(house, game, seen) for game in due[begin : begin + TOGETHER])
                plans += [plan for plan in await asyncio.gather(*playing) if plan]
            began = time.perf_counter()
            await house.correspondence.tick()
            seen.steps.append(time.perf_counter() - began)
            await house.lease._renew()  # by the simulated time it is long since it was
            seen.now, seen.loaded = wall.now, max(seen.loaded, len(house.hosts))
            seen.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            pipe.send(seen)
        await house.close()


def _report(words: str, error: BaseException | None = None, **about: Any) -> None:
    print(f"{words}: {error!r} {about}", file=sys.stderr, flush=True)


def planned(store: Store) -> list[tuple[float, str]]:
    """When each of the running games goes on, as their events say."""

    def read(connection: Connection) -> list[tuple[float, str]]:
        rows = connection.execute(
            select(EVENT.c.game, func.count(), func.max(EVENT.c.at))
            .join(GAME, GAME.c.id == EVENT.c.game)
            .where(GAME.c.stage == Stage.PLAYING, EVENT.c.kind.in_(("begin", "act")))
            .group_by(EVENT.c.game)
        )
        return [(answer_at(game, count, at), game) for game, count, at in rows]

    return store.read(read)


def answer_at(game: str, count: int, at: float) -> float:
    """When somebody answers the last turn, or would."""
    return at - MEAN * math.log(1 - Random(f"{game} {count}").random())


async def play(house: House, game: str, seen: Seen) -> tuple[float, str] | None:
    """Play a turn, and say when the next one is."""
    host = await house.host(game)
    state = host.snapshot.state
    if not state or state.outcome or host.snapshot.over:
        return None  # it was too late
    mover = host.seats[state.play.mover].person
    ids = a_turn(state.play.copy(), Random(f"{game} {len(state.play.turns)}"))
    try:
        await host.turn(Asked(mover), ids)
    except IllegalError:
        seen.refused += 1  # it was too late
        return None
    seen.turns += 1
    count = 1 + len(state.play.turns) + 1
    host.time.rest()
    return answer_at(game, count, house.now()), game


# --- the week ------------------------------------------------------------------------------------


async def furnish(store: Store, games: int) -> None:
    """Create the games, a third of each room, in the course of the day before."""
    progress, wall = Progress("games", games), Wall(BEGAN - DAY)
    house = await House.open(store, now=wall, bots=Still(), home=home_name())
    people = [(await house.welcome())[0] for _ in range(PEOPLE)]
    agreed = [Agreement.make(room, clock=CLOCK) for room in ROOMS]

    async def one(number: int) -> None:
        two = (people[number % PEOPLE], people[(number // PEOPLE + number + 1) % PEOPLE])
        rows = [SeatRow(SeatKind.PERSON, person.name, person.id) for person in two]
        house.forget(await house.create_with(agreed[number % len(agreed)], rows))

    for begin in range(0, games, TOGETHER):
        wall.now = BEGAN - DAY * (1 - begin / games)
        await asyncio.gather(*(one(n) for n in range(begin, min(games, begin + TOGETHER))))
        progress.at(begin)
    progress.end()
    wall.now = BEGAN
    await house.close()


def pass_time(place: str, given: argparse.Namespace) -> tuple[float, list[Seen], int, list[Any]]:
    """Let the days pass: until when, what was seen, the kills, and when the house was closed."""
    rng, end = Random(given.seed), BEGAN + given.days * DAY
    context = multiprocessing.get_context("spawn")
    now, told, kills, closed = BEGAN, list[Seen](), 0, list[Downtime]()
    progress = Progress("hours", round(given.days * 24))
    restarts = sorted(rng.uniform(BEGAN, end) for _ in range(given.restarts))
    with contextlib.suppress(KeyboardInterrupt):
        for number, until in enumerate([*restarts, end]):
            if until <= now:
                continue
            killed = number % 2 == 0 and until < end
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(
                target=run_house, args=(place, now, until + killed * DAY, theirs)
            )
            process.start()
            theirs.close()
            last = Seen(now)
            try:
                with contextlib.suppress(EOFError):
                    while last.now < until:
                        last = ours.recv()
                        progress.at(round((last.now - BEGAN) / HOUR))
                if killed:
                    process.kill()
                    kills += 1
            except KeyboardInterrupt:
                process.kill()
                raise
            finally:
                process.join()
                told.append(last)
            if last.now < until:
                raise ChildProcessError(f"the house has ended with code {process.exitcode}")
            if killed and given.postgres:
                time.sleep(LEASE)  # its games are free then
            # One that was killed may have gone on for a moment.
            now = last.now + (STEP if killed else 0) + rng.uniform(0, LONGEST_CLOSED)
            if until < end:
                closed.append(Downtime(last.now, now))
    progress.end()
    return last.now, told, kills, closed


# --- the checks ----------------------------------------------------------------------------------


def overlap(downtimes: Sequence[Downtime], since: float, until: float) -> float:
    """For how many seconds between two moments the house was closed."""
    both = (min(one.ended, until) - max(one.began, since) for one in downtimes)
    return sum(max(0.0, one) for one in both)


def check(store: Store, game: GameRow, downtimes: Sequence[Downtime], now: float) -> str:
    """Replay a game, and compare its end with the time that there was: how it stands."""
    events = store.events(game.id)
    entries = entries_of(events)
    state = rebuilt(entries)
    assert state.clock
    acts = [one.at for one in entries if one.kind == "act"]
    since = max(acts, default=entries[0].at)
    allowed = state.clock.control.move + state.clock.reserve(state.play.mover)
    aborted = any(event.kind == ABORT for event in events)
    ended = events[-1].at if game.stage is Stage.OVER else now
    spent = ended - since - overlap(downtimes, since, ended)
    late = MOST_EXTENDED + 2 * STEP + LATER
    assert (game.stage is Stage.OVER) == bool(state.outcome or aborted), game.id
    if game.stage is Stage.PLAYING:
        assert spent < allowed + late, f"{game.id}: a deadline was overlooked"
        return "are played"
    if aborted:
        assert not acts and spent > ALLOWED - 1, f"{game.id}: it was broken off too soon"
        return "were broken off, since nobody began"
    assert state.outcome
    if state.outcome.reason is Reason.TIME:
        # The reserve that is left after it is none: what there was is in the turns before.
        before = rebuilt(entries[:-1])
        assert before.clock
        allowed = before.clock.control.move + before.clock.reserve(before.play.mover)
        assert spent > allowed - 1, f"{game.id}: somebody lost before the time was up"
        assert spent < allowed + late, f"{game.id}: it was seen late"
        return "were lost on time"
    return "came to their end"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="correspondence-") as name, ExitStack() as stack:
        place = str(Path(name) / "house.db")
        if given.postgres:
            if reason := postgres.why_missing():
                sys.exit(f"correspondence: {reason}")
            place = stack.enter_context(stack.enter_context(postgres.a_postgres()).database())
        began = time.perf_counter()
        with Store.open(place) as store:
            asyncio.run(furnish(store, given.games))
        print(f"{given.games} games, created in {time.perf_counter() - began:.0f} s", flush=True)
        began = time.perf_counter()
        now, told, kills, closed = pass_time(place, given)
        took = time.perf_counter() - began
        cpu = sum(os.times()[2:4])
        steps = [step for seen in told for step in seen.steps]
        print(
            f"{(now - BEGAN) / DAY:.1f} days in {took:.0f} s, {cpu:.0f} s of a processor; "
            f"{len(told) - 1} restarts, {kills} of them killed, "
            f"{sum(one.ended - one.began for one in closed) / HOUR:.0f} hours closed"
        )
        print(
            f"  {sum(seen.turns for seen in told)} turns, and "
            f"{sum(seen.refused for seen in told)} too late; what was due was seen to in "
            f"{statistics.median(steps) * 1000:.0f} ms (median), {max(steps):.1f} s (longest)"
        )
        print(
            f"  at most {max(seen.loaded for seen in told)} games in memory behind it, "
            f"{max(seen.memory for seen in told) / 1024:.0f} MiB"
        )
        with Store.open(place) as store:
            tell(store, now)


def tell(store: Store, now: float) -> None:
    """Check all games, and print how they stand."""
    downtimes = store.downtimes_after(0.0)
    stands = collections.Counter(check(store, game, downtimes, now) for game in store.all_games())
    print("  " + ", ".join(f"{count} {what}" for what, count in stands.most_common()))
    left = store.due_of(DEADLINE, now - STEP, 10**6)
    assert not left, f"{len(left)} things that are due stay"
    waiting = len(store.due_of(DEADLINE, now + 30 * DAY, 10**6))
    waits = []
    for _ in range(200):
        began = time.perf_counter()
        store.due_of(DEADLINE, now - STEP, 16)
        waits.append(time.perf_counter() - began)
    plan = steps_to_what_is_due(store)
    assert any("ix_due_" in step for step in plan), plan
    way = plan[1 if store.homes.shared else -1].strip()
    print(
        f"  {waiting} deadlines to come; what is due is looked up in "
        f"{statistics.median(waits) * 1e6:.0f} µs: {way}"
    )


if __name__ == "__main__":
    main()
