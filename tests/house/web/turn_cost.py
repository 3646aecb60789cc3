"""The cost of a turn of a game of two, in one process with its house, without a network.

Processor time depends on the machine and on what else runs there. So a turn is also measured in
loops, the time of a fixed loop of Python that alternates with the turns, and in function calls,
which are the same everywhere.
"""

import asyncio
import gc
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from types import FrameType

from house.houses import a_house, seated
from house.web.fixed_loop import loop
from house.web.test_game_socket import a_page
from house.web.test_page_socket import Wire
from trine.core.play import Play
from trine.house.games.live.agreement import Agreement
from trine.house.server import GC_THRESHOLDS

ROOMS = ("corridor", "arimaa", "tzaar")
COUNTED = 4  # turns of each game whose function calls are counted; they are not timed


class Page(Wire):
    """The other end of the socket of a player, who plays by a script."""

    cookies: dict[str, str] = {}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.answered = asyncio.Event()
        self.seq = 0

    async def send_text(self, told: str) -> None:
        if told.startswith('{"t":"ok"'):
            self.seq = int(told.partition('"seq":')[2].partition("}")[0].partition(",")[0])
            self.answered.set()
        assert not told.startswith('{"t":"no"'), told

    async def send_bytes(self, told: bytes) -> None: ...


@dataclass(frozen=True)
class Cost:
    turns: int
    seconds: float
    """Units: seconds of a processor for one turn: the median of some rounds."""
    loops: float
    """The same in loops."""
    calls: float
    """Function calls of one turn in the thread of the event loop."""


def random_games(room: str, turns: int) -> Iterator[tuple[Agreement, list[tuple[str, ...]]]]:
    """Yield games with a script for each, the ids of their turns."""
    for seed in itertools.count():
        agreed, rng = Agreement.make(room, clock="15+15"), Random(f"{room} {seed}")
        play = Play(agreed.room, agreed.terms().start)
        played: list[tuple[str, ...]] = []
        while len(played) < turns and not play.outcome:
            mover, ids, end = play.mover, list[str](), play.room.rules.end
            while not play.outcome and play.mover == mover and (not ids or play.position.turn_open):
                ends = bool(ids) and end is not None and play.why_not(end) is None
                action = end if ends else rng.choice(play.legal_actions())
                ids.append(str(action))
                play.act(action)
            played.append(tuple(ids))
        if len(played) == turns:
            yield agreed, played


@dataclass
class _Table:
    pages: Sequence[Page]
    script: Sequence[tuple[str, ...]]
    seq: int
    played: int = 0

    async def turn(self) -> None:
        page = self.pages[self.played % 2]
        page.answered.clear()
        page.say(t="turn", id=f"c.{self.played}", at=self.seq, a=self.script[self.played])
        await page.answered.wait()
        self.seq, self.played = page.seq, self.played + 1


async def cost_of_turns(folder: Path, games: int, turns: int) -> Cost:
    """Play some games of each room, a turn in each after the other, and return what a turn costs.

    Args: ``turns`` of each game are timed; two more begin it.
    """
    thresholds = gc.get_threshold()
    async with a_house(folder) as house, AsyncExitStack() as stack:
        tables = []
        for room in ROOMS:
            for agreed, script in itertools.islice(random_games(room, turns + 2 + COUNTED), games):
                people = [(await house.accounts.welcome())[0] for _ in range(2)]
                host = await seated(house, agreed, *people)
                pages = [Page(), Page()]
                for person, page in zip(people, pages, strict=True):
                    running = asyncio.create_task(
                        a_page(house, host, person, page, merges=True).run()
                    )
                    stack.push_async_callback(_left, page, running)
                tables.append(_Table(pages, script, host.snapshot.seq))
        for _ in range(2):
            for table in tables:
                await table.turn()
        seconds, loops = [], []
        gc.freeze()  # as a house that serves does it
        gc.set_threshold(*GC_THRESHOLDS)
        stack.callback(_collect_as_before, thresholds)
        for _ in range(turns):
            spent = looped = 0.0
            for table in tables:
                begun = time.process_time()
                await table.turn()
                between = time.process_time()
                loop()
                spent += between - begun
                looped += time.process_time() - between
            seconds.append(spent / len(tables))
            loops.append(spent / looped)
        calls = await _calls_of_turn(tables)
        return Cost(turns * len(tables), median(seconds), median(loops), calls)


async def _calls_of_turn(tables: Sequence[_Table]) -> float:
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        for table in [*tables] * COUNTED:
            await table.turn()
    finally:
        sys.setprofile(None)
    return calls / (COUNTED * len(tables))


def _collect_as_before(thresholds: tuple[int, int, int]) -> None:
    gc.unfreeze()
    gc.set_threshold(*thresholds)


async def _left(page: Page, running: asyncio.Task[None]) -> None:
    page.leave()
    await running
