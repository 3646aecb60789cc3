"""Monte Carlo tree search of a play, for three and four players, with a score for each."""

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.contract.score import Score
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.search.info import Info, OnInfo
from trine.engine.search.kernel.mcts import MAX_CHILDREN, NODE_BYTES, Tree, grow
from trine.engine.search.kernel.ordering import set_overlook_rate
from trine.engine.search.kernel.stack import MAX_SEATS
from trine.engine.search.kernel.worker import Worker
from trine.engine.search.worker_factory import MEGABYTE, WorkerFactory, functions_of
from trine.games import open_heuristics, open_kernel

VISITS_PER_CHECK: Final = 64  # number of visits between two checks of the time: a few milliseconds
REPORT_INTERVAL: Final = 0.25  # seconds
MAX_POINTS: Final = 2_000  # points; the maximum of reported scores, for chances near 0 or 1


class TreeSearch:
    """Searches plays of one game with a new tree for each turn.

    A depth limit applies to the length of the best line.

    >>> from trine.games import new_play
    >>> play = new_play("corridor", players=4)
    >>> TreeSearch("corridor", hash_mb=4).search(play, Limits(nodes=50))[0].nodes
    50
    """

    def __init__(
        self, game: str, *, hash_mb: float = 64, weights: NDArray[np.float32] | None = None
    ) -> None:
        kernel, heuristics = open_kernel(game), open_heuristics(game)
        self.worker_factory = WorkerFactory(kernel, heuristics)
        self.functions = functions_of(kernel, heuristics)
        self.weights = heuristics.weights if weights is None else weights
        self._nothing = np.zeros((1, 8), np.uint64)
        nodes = max(1024, int(hash_mb * MEGABYTE) // NODE_BYTES)
        action, first, children, mover, visits = (np.zeros(nodes, np.int32) for _ in range(5))
        self.tree = Tree(
            action,
            first,
            children,
            mover,
            visits,
            prior=np.zeros(nodes, np.float32),
            means=np.zeros((nodes, MAX_SEATS), np.float32),
            used=np.zeros(1, np.int64),
            weights=np.zeros(self.worker_factory.kernel.max_actions, np.float32),
        )

        self.searched = 0  # number of positions that the last search evaluated

    @property
    def size(self) -> int:
        return int(self.tree.used[0])

    def clear(self) -> None:
        """Do nothing: results are not kept from turn to turn."""

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
        """Return the best lines, most visited first; arguments as in `AlphaBeta.search`."""
        stop = stop or Stop()
        self.tree.used[0] = self.tree.visits[0] = 0
        flag = np.frombuffer(stop.flag, np.int64)
        worker = self.worker_factory.worker(play, self._nothing, flag, self.weights)
        set_overlook_rate(worker.state, overlook_rate, seed)
        began = reported = time.monotonic()
        ends = [end for end in (limits.soft, limits.hard) if end is not None]
        most = min(ends, default=math.inf)
        nodes = math.inf if limits.nodes is None else limits.nodes
        with ThreadPoolExecutor(1) as pool:
            while True:
                visits = max(1, int(min(VISITS_PER_CHECK, nodes - int(self.tree.visits[0]))))
                # Search in another thread, so that this one receives Ctrl-C.
                pool.submit(grow, self.functions, worker, self.tree, visits).result()
                now = time.monotonic()
                if on_info and now - reported > REPORT_INTERVAL:
                    on_info(self._infos(play, worker, now - began, 1)[0])
                    reported = now
                if stop.is_set or now - began >= most or self.tree.visits[0] >= nodes:
                    break
                if limits.depth is not None and self._is_as_deep_as(limits.depth, play):
                    break
        self.searched = int(worker.state[0].nodes)
        found = self._infos(play, worker, time.monotonic() - began, lines)
        if on_info:
            on_info(found[0])
        return found

    def _is_as_deep_as(self, depth: int, play: Play) -> bool:
        """Return whether the best line has the wanted length, or the tree cannot grow."""
        if self.size + MAX_CHILDREN > len(self.tree.action):
            return True
        first, total = int(self.tree.first[0]), int(self.tree.children[0])
        best = first + int(self.tree.visits[first : first + total].argmax())
        line = self._line(play, best)
        return len(line) >= depth or play.after(line).outcome is not None

    def _infos(self, play: Play, worker: Worker, seconds: float, lines: int) -> list[Info]:
        tree = self.tree
        first, total = int(tree.first[0]), int(tree.children[0])
        seats = len(play.position.seats)
        by_visits = np.argsort(-tree.visits[first : first + total], kind="stable")[:lines]
        return [
            Info(
                len(line := self._line(play, first + int(child))),
                self._score(tree.means[first + int(child)], play),
                line,
                int(worker.state[0].nodes),
                seconds,
                rank,
                tuple(map(float, tree.means[first + int(child), :seats])),
            )
            for rank, child in enumerate(by_visits, start=1)
        ]

    def _score(self, chances: NDArray[np.float32], play: Play) -> Score:
        """Return the chances of all players as points, against the best opponent."""
        own = float(chances[play.mover])
        other = max(float(chances[seat]) for seat in play.position.playing if seat != play.mover)
        odds = (own + 1e-6) / (other + 1e-6)
        return Score(round(max(-MAX_POINTS, min(MAX_POINTS, 400 * math.log10(odds)))))

    def _line(self, play: Play, node: int) -> tuple[Action, ...]:
        tree, ahead = self.tree, play.copy()
        actions: list[Action] = []
        while not ahead.outcome:
            action = self.worker_factory.kernel.action_of(ahead.position, int(tree.action[node]))
            if ahead.why_not(action):
                break
            ahead.act_unchecked(action)
            actions.append(action)
            if not tree.children[node]:
                break
            first = int(tree.first[node])
            visits = tree.visits[first : first + int(tree.children[node])]
            if not visits.any():
                break
            node = first + int(visits.argmax())
        return tuple(actions)
