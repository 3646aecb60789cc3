"""Alpha-beta search of a play by iterative deepening, until a limit or a stop."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from dataclasses import replace
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.clock import Limits
from trine.core.contract.position import Action, Position
from trine.core.contract.score import Score
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.search.info import Info, OnInfo
from trine.engine.search.kernel.constants import DEFAULT_CONSTANTS, SearchConstants, with_constants
from trine.engine.search.kernel.node import INFINITE, NO_LIMIT
from trine.engine.search.kernel.ordering import set_overlook_rate
from trine.engine.search.kernel.pvs import deepen, shift_killers
from trine.engine.search.kernel.stack import MAX_DEPTH
from trine.engine.search.kernel.table import AGES
from trine.engine.search.kernel.worker import Worker
from trine.engine.search.nets import SearchNet, default_net
from trine.engine.search.worker_factory import WorkerFactory, functions_of, new_lines, new_table
from trine.games import open_heuristics, open_kernel

GLANCE_NODES: Final = 2_000
"""Units: nodes; the effort to complete a line that ends within a turn or before a proven end."""
MAX_INLINE_NODES: Final = 10_000
"""Units: nodes; larger searches run in another thread, so that Ctrl-C need not wait for them."""
SIGNAL_INTERVAL: Final = 0.2
"""Units: seconds; the longest delay of a signal that comes just before a wait, which it does not
interrupt."""


class AlphaBeta:
    """Searches plays of one game; the transposition table is kept from search to search.

    >>> from trine.games import new_play
    >>> best = AlphaBeta("tzaar", hash_mb=1).search(new_play("tzaar"), Limits(depth=2))[0]
    >>> best.depth, len(best.pv) >= 1
    (2, True)
    """

    def __init__(
        self,
        game: str,
        *,
        hash_mb: float = 64,
        weights: NDArray[np.float32] | None = None,
        constants: SearchConstants = DEFAULT_CONSTANTS,
        in_kernel_order: bool = False,
        net: SearchNet | None = None,
    ) -> None:
        """Make a search; for omitted arguments the game's values are used."""
        kernel, heuristics = open_kernel(game), open_heuristics(game)
        heuristics = with_constants(heuristics, constants)
        self.worker_factory = WorkerFactory(kernel, heuristics, in_kernel_order=in_kernel_order)
        self.functions = functions_of(kernel, heuristics)
        self.weights = heuristics.weights if weights is None else weights
        self.net = net
        self.table = new_table(hash_mb)
        self.searched = 0  # number of positions that the last search visited
        self.excluded: Sequence[int] = ()  # the keys of positions that no first turn may lead to
        self._age = 0
        self._turn: tuple[int, Position, tuple[Action, ...]] | None = None
        """The turn of the last search: its number in the play, its start, its actions so far."""
        self._learned: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]] | None = None
        """The killers, the history and the corrections of the last search."""

    def clear(self) -> None:
        self.table.fill(0)
        self._learned = None

    def search(
        self,
        play: Play,
        limits: Limits,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: int = 1,
        overlook_rate: int = 0,
        seed: int = 0,
    ) -> list[Info]:
        """Return the best lines of an unfinished play, best first; each has at least one action.

        The limits have no clock, and times begin with the call; ``lines`` is the number of lines
        (their first turns lead to different positions); all players overlook ``overlook_rate`` of
        1024 actions, chosen by the seed.

        Guarantee: equal searches in equal order give equal results and node counts, unless a time
            limit stops them.
        """
        self._age = (self._age + 1) % AGES
        with (stop or Stop()).child() as own:
            return _Thinking(
                self, play, limits, on_info, own, lines, (overlook_rate, seed)
            ).search()

    def reuse_ordering(self, play: Play, worker: Worker) -> None:
        """Give a worker what the last search learned, if it was of the same turn."""
        further = self._actions_further(play)
        if further and self._learned:
            worker.killers[:], worker.history[:], worker.corrections[:] = self._learned
            shift_killers(worker.killers, further)
        self._turn = len(play.turns), play.turn_start, play.open_actions
        self._learned = worker.killers, worker.history, worker.corrections

    def _actions_further(self, play: Play) -> int:
        """Return the number of actions since the last search of this turn; 0 if there was none."""
        if self._turn is None:
            return 0
        number, start, actions = self._turn
        now = play.open_actions
        if (len(play.turns), play.turn_start, now[: len(actions)]) != (number, start, actions):
            return 0
        return len(now) - len(actions)

    def extend_proof(self, play: Play, info: Info) -> Info:
        """Extend a proven line to the end, past a detected win or a table hit."""
        if info.score.decided_in is None:
            return info
        aside, ahead, line = self._aside(), play.after(info.pv), list(info.pv)
        while not ahead.outcome:
            found = aside.search(ahead, Limits(nodes=GLANCE_NODES))[0]
            if found.score.decided_in is None or len(line) > MAX_DEPTH:
                return info  # the proof takes more nodes than this
            ahead.act_unchecked(*found.pv)
            line += found.pv
        return replace(info, pv=tuple(line))

    def complete_turn(
        self, play: Play, line: tuple[Action, ...], overlook_rate: int = 0, seed: int = 0
    ) -> tuple[Action, ...]:
        """Complete the first turn of a line, if the line ends within it."""
        aside, ahead, player = self._aside(), play.after(line), play.mover
        while not ahead.outcome and ahead.mover == player:
            glance = aside.search(
                ahead, Limits(nodes=GLANCE_NODES), overlook_rate=overlook_rate, seed=seed
            )
            ahead.act_unchecked(*glance[0].pv)
            line = (*line, *glance[0].pv)
        return line

    def _aside(self) -> AlphaBeta:
        """Return a copy that shares the table, and can search between two depths of this search."""
        aside = copy(self)
        aside._turn = aside._learned = None
        return aside


class _Thinking:
    """One search; all lines are searched to a depth before any is searched deeper."""

    def __init__(
        self,
        owner: AlphaBeta,
        play: Play,
        limits: Limits,
        on_info: OnInfo | None,
        stop: Stop,
        lines: int,
        overlook_rate: tuple[int, int],
    ) -> None:
        self.owner, self.play, self.limits, self.on_info = owner, play, limits, on_info
        self.stop, self.lines, self.overlook_rate = stop, lines, overlook_rate
        self.began = time.monotonic()
        self.found: list[Info] = []  # the lines by rank, all of one depth
        flag = np.frombuffer(stop.flag, np.int64)  # the compiled search sets it at its last node
        net = owner.net or default_net(play.room.name, play.position)
        self.worker = owner.worker_factory.worker(play, owner.table, flag, owner.weights, net)
        self.worker.state[0].age = owner._age
        set_overlook_rate(self.worker.state, *overlook_rate)
        owner.reuse_ordering(play, self.worker)

    def search(self) -> list[Info]:
        nodes = self.limits.nodes
        if nodes is not None and nodes <= MAX_INLINE_NODES and self.limits.hard is None:
            self._deepen()  # starting a thread takes longer than searching a thousand nodes
        else:
            self._deepen_in_thread()
        self.owner.searched = self._nodes()
        return self.found or [self._first_at_hand()]

    def _deepen_in_thread(self) -> None:
        """Search in another thread until the time is up, so that this one receives Ctrl-C."""
        hard = inf if self.limits.hard is None else self.limits.hard
        with ThreadPoolExecutor(1) as pool:
            try:
                future = pool.submit(self._deepen)
                while not future.done() and (left := hard - self._elapsed()) > 0:
                    wait([future], min(left, SIGNAL_INTERVAL))
            finally:
                self.stop.set()
        future.result()

    def _deepen(self) -> None:
        """Search ever deeper, and keep the results.

        If no caller watches each depth, one compiled call searches all depths. The best line is
        searched to depth 1 despite all limits and stops, so that there is always a result.
        """
        worker, limits = self.worker, self.limits
        flag = worker.stop
        nodes = NO_LIMIT if limits.nodes is None else limits.nodes
        functions, scores, lines = self.owner.functions, [0] * self.lines, new_lines()
        most = MAX_DEPTH if limits.depth is None else min(limits.depth, MAX_DEPTH)
        depth = 1
        watched = self.on_info or limits.soft is not None or limits.hard is not None
        at_once = self.lines == 1 and not watched
        while depth <= most:
            glance = depth == 1
            last = most if at_once and not glance else depth
            found: list[Info] = []
            excluded = list(self.owner.excluded)
            for rank, expected in enumerate(scores, 1):
                avoiding = worker._replace(excluded=np.array(excluded, np.uint64))
                if glance and rank == 1:
                    avoiding = avoiding._replace(stop=np.zeros(1, np.int64))
                count = deepen(functions, avoiding, lines, depth, last, expected, nodes)
                reached, score, visited, length, *actions = lines[max(count - 1, 0)].tolist()
                scores[rank - 1] = score
                if score <= -INFINITE:  # every other turn is excluded
                    del scores[rank - 1 :]
                    break
                line = self._actions(actions[: length if count else 0])
                if self.lines > 1 and not flag[0]:
                    line = self.owner.complete_turn(self.play, line, *self.overlook_rate)
                    excluded.append(self._key_after_turn(line))
                if line and not (flag[0] and rank > 1):
                    found.append(self._report(reached, score, line, rank, visited))
                if flag[0]:
                    break
            if found and (self.lines == 1 or not flag[0] or not self.found):
                found.sort(key=lambda info: -info.score.points)
                self.found = [replace(info, rank=rank) for rank, info in enumerate(found, 1)]
            if self._nodes() >= nodes or flag[0] or self._is_done(depth, scores):
                return
            depth = last + 1

    def _is_done(self, depth: int, scores: Sequence[int]) -> bool:
        """Return whether the next depth would change nothing, or exceed the time limit."""
        soft = self.limits.hard if self.limits.soft is None else self.limits.soft
        forced = self.limits.play_forced_instantly and self.worker.state[0].root_actions == 1
        if soft is not None and (forced or self._elapsed() >= soft):
            return True
        ends = [Score(score).decided_in for score in scores]
        return all(end is not None and end <= depth for end in ends)

    def _report(
        self, depth: int, score: int, line: tuple[Action, ...], rank: int, visited: int
    ) -> Info:
        """Return a line that was found after ``visited`` positions, and report it."""
        info = Info(depth, Score(score), line, visited, self._elapsed(), rank)
        if self.on_info:
            self.on_info(info)
        return info

    def _nodes(self) -> int:
        return int(self.worker.state[0].nodes)

    def _first_at_hand(self) -> Info:
        """Return the action with the best ordering score, if the search found nothing."""
        worker_factory, worker = self.owner.worker_factory, self.worker
        kernel, heuristics = worker_factory.kernel, worker_factory.heuristics
        total = int(worker.state[0].root_actions)
        kernel.to_row(self.play.position, worker.rows[0])
        heuristics.score_moves(worker.rows[0], worker.actions[0], total, worker.scores[0])
        number = int(worker.actions[0, int(worker.scores[0, :total].argmax())])
        return Info(0, Score(0), self._actions([number]), 0, self._elapsed())

    def _actions(self, numbers: Sequence[int]) -> tuple[Action, ...]:
        """Return the actions with numbers, up to an illegal one: keys can, very rarely, collide."""
        ahead, actions = self.play.copy(), []
        for number in numbers:
            action = self.owner.worker_factory.kernel.action_of(ahead.position, number)
            if ahead.outcome or ahead.why_not(action):
                break
            ahead.act_unchecked(action)
            actions.append(action)
        return tuple(actions)

    def _key_after_turn(self, line: Sequence[Action]) -> int:
        """Return the key of the position that the first turn of a line leads to."""
        ahead = self.play.copy()
        mover = ahead.mover
        for action in line:
            ahead.act_unchecked(action)
            if ahead.mover != mover or ahead.outcome:
                break
        return self.owner.worker_factory.key_of(ahead.position)

    def _elapsed(self) -> float:
        return time.monotonic() - self.began
