"""Searching a play with alpha-beta: deeper and deeper, on several threads, until told to stop.

The threads search the same tree and share what they find through the table, each a little ahead of
or behind the others (lazy SMP). The first one reports.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.doors import Action
from trine.core.play import Play
from trine.core.score import SURE, Score
from trine.games import open_kernel, open_mind
from trine.search.desk import Layout, doors_of, new_table
from trine.search.effort import Effort
from trine.search.info import Info, Told
from trine.search.kernel_alphabeta import INFINITE, search_root
from trine.search.kernel_doors import AGE, BLIND, CHOICES, MOST_NODES, NODES, SEED, Desk
from trine.search.kernel_table import AGES

WINDOW: Final = 40
"""Units: points; how much the score may change from depth to depth before it is searched again.
Guess."""
MOST_MARGIN: Final = 1000
"""A change greater than that is searched with an open window."""
WINDOW_FROM: Final = 4
"""The first depth with a window."""
NO_LIMIT: Final = 1 << 62
QUICK: Final = 10_000
"""Units: nodes; no more than that are searched without looking out for Ctrl-C."""


class AlphaBeta:
    """Searches plays of one game; the table stays from search to search.

    >>> from trine.games import new_play
    >>> best = AlphaBeta("tzaar", hash_mb=1).search(new_play("tzaar"), Effort(depth=2))[0]
    >>> best.depth, len(best.line) >= 1
    (2, True)
    """

    def __init__(
        self,
        game: str,
        *,
        hash_mb: float = 64,
        threads: int = 1,
        memory: NDArray[np.float32] | None = None,
    ) -> None:
        kernel, mind = open_kernel(game), open_mind(game)
        self.layout = Layout(kernel, mind)
        self.doors = doors_of(kernel, mind)
        self.threads = threads
        self.memory = mind.memory if memory is None else memory
        self.table = new_table(hash_mb)
        self.flag = np.zeros(1, np.int64)
        """Not 0 while the threads must return."""
        self._asked = False
        self._age = 0

    def resize(self, hash_mb: float) -> None:
        """Take another table, empty, of a size."""
        self.table = new_table(hash_mb)

    def forget(self) -> None:
        """Forget all that earlier searches have found."""
        self.table.fill(0)

    def stop(self) -> None:
        """Let the search that is running return with what it has; any thread may ask for it."""
        self._asked = True
        self.flag[0] = 1

    def search(self, play: Play, effort: Effort, told: Told | None = None) -> list[Info]:
        """The best lines of a play that is not over, the best first; each has an action at least.

        Guarantee: on one thread, the same searches in the same order find the same with the same
            nodes, but where time ends them.
        """
        self._asked = False
        self._age = (self._age + 1) % AGES
        began = time.monotonic()
        barred: list[int] = []
        found: list[Info] = []
        for rank in range(1, effort.lines + 1):
            line = _Line(self, play, effort, told, barred, rank, began)
            if (best := line.search()) is None:
                break
            found.append(best)
            barred.append(line.key_after_turn(best))
            if self._asked:
                break
        return found

    def run(self, jobs: Sequence[Callable[[], object]], most: float | None, quick: bool) -> None:
        """Run jobs at once until the first has ended, or for so many seconds.

        A quick one runs here: to begin a thread takes longer than to search a thousand nodes.
        """
        self.flag[0] = self._asked
        if quick:
            for job in jobs:
                job()
            return
        first_done = threading.Event()
        with ThreadPoolExecutor(len(jobs)) as pool:
            futures = [pool.submit(job) for job in jobs]
            futures[0].add_done_callback(lambda future: first_done.set())
            try:
                if not first_done.wait(most):
                    self.flag[0] = 1
                first_done.wait()
            finally:  # also when Ctrl-C arrives while waiting
                self.flag[0] = 1
                wait(futures)
        for future in futures:
            future.result()


class _Line:
    """The search for one line; its first turn must end in none of the barred positions."""

    def __init__(
        self,
        owner: AlphaBeta,
        play: Play,
        effort: Effort,
        told: Told | None,
        barred: Sequence[int],
        rank: int,
        began: float,
    ) -> None:
        self.owner, self.play, self.effort, self.told = owner, play, effort, told
        self.rank, self.began = rank, began
        self.best: Info | None = None
        share = rank / effort.lines  # of the time, that all lines until here may take
        self.enough = None if effort.enough is None else effort.enough * share
        self.most = None if effort.most is None else effort.most * share
        self.desks = [self._desk(barred) for _ in range(owner.threads)]

    def _desk(self, barred: Sequence[int]) -> Desk:
        owner, effort = self.owner, self.effort
        avoided = np.array(barred, np.uint64)
        desk = owner.layout.desk(self.play, owner.table, owner.flag, owner.memory, avoided)
        desk.state[MOST_NODES] = effort.nodes // owner.threads if effort.nodes else NO_LIMIT
        desk.state[AGE] = owner._age
        desk.state[BLIND], desk.state[SEED] = effort.blind, effort.seed
        return desk

    def search(self) -> Info | None:
        """The best line; None if every turn is barred."""
        jobs = [partial(self._deepen, number) for number in range(len(self.desks))]
        left = None if self.most is None else max(0.0, self.most - self._elapsed())
        quick = len(jobs) == 1 and left is None and (self.effort.nodes or NO_LIMIT) <= QUICK
        self.owner.run(jobs, left, quick)
        if self.best is None and self.rank == 1:
            return self._first_at_hand()
        return self.best

    def _deepen(self, number: int) -> None:
        """Search deeper and deeper, in the thread of a number; the first keeps what it finds."""
        desk, flag, effort = self.desks[number], self.owner.flag, self.effort
        score = 0
        for depth in range(1 + number % 2, effort.depth + 1):
            score = self._search_to(desk, depth, score)
            if score <= -INFINITE:
                return  # all is barred
            if number == 0:
                if desk.lines[0, 0]:
                    self._report(desk, depth, score)
                if self._suffices(depth, score):
                    return
            if flag[0]:
                return

    def _search_to(self, desk: Desk, depth: int, expected: int) -> int:
        """Search to a depth, at first with a narrow window around the expected score."""
        margin = WINDOW if depth >= WINDOW_FROM and abs(expected) < SURE else INFINITE
        low, high = max(-INFINITE, expected - margin), min(INFINITE, expected + margin)
        doors = tuple(self.owner.doors)
        while True:
            score: int = search_root(doors, desk, depth, low, high)
            if self.owner.flag[0] or low < score < high or margin == INFINITE:
                return score
            margin = 3 * margin if margin < MOST_MARGIN else INFINITE
            if score <= low:
                low = max(-INFINITE, score - margin)
            else:
                high = min(INFINITE, score + margin)

    def _suffices(self, depth: int, score: int) -> bool:
        """Whether to go deeper would be of no use, or take too long."""
        decided = Score(score).decided_in
        if self.enough is not None and (
            self.desks[0].state[CHOICES] == 1 or self._elapsed() >= self.enough
        ):
            return True
        return decided is not None and decided <= depth

    def _report(self, desk: Desk, depth: int, score: int) -> None:
        numbers = desk.lines[0, 1 : 1 + desk.lines[0, 0]]
        self.best = Info(
            depth,
            Score(score),
            self._actions(numbers.tolist()),
            sum(int(other.state[NODES]) for other in self.desks),
            self._elapsed(),
            self.rank,
        )
        if self.told:
            self.told(self.best)

    def _first_at_hand(self) -> Info:
        """Where there was no time to search: what looks best at once."""
        kernel, mind, desk = self.owner.layout.kernel, self.owner.layout.mind, self.desks[0]
        total = int(desk.state[CHOICES])
        kernel.to_row(self.play.position, desk.rows[0])
        mind.prefer(desk.rows[0], desk.actions[0], total, desk.scores[0])
        number = int(desk.actions[0, int(desk.scores[0, :total].argmax())])
        return Info(0, Score(0), self._actions([number]), 0, self._elapsed())

    def _actions(self, numbers: Sequence[int]) -> tuple[Action, ...]:
        """A line of numbers as actions, as far as they are legal: keys can, very rarely, lie."""
        ahead, actions = self.play.copy(), []
        for number in numbers:
            action = self.owner.layout.kernel.action_of(ahead.position, number)
            if ahead.outcome or ahead.why_not(action):
                break
            ahead.act_unchecked(action)
            actions.append(action)
        return tuple(actions)

    def key_after_turn(self, info: Info) -> int:
        """The key of the position that the first turn of a line leads to."""
        ahead = self.play.copy()
        mover = ahead.mover
        for action in info.line:
            ahead.act_unchecked(action)
            if ahead.mover != mover or ahead.outcome:
                break
        return self.owner.layout.key_of(ahead.position)

    def _elapsed(self) -> float:
        return time.monotonic() - self.began
