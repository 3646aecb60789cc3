"""Labels out of the trees of searches: positions at random, each scored by a search of its own.

A search asks its evaluation about positions that no good player lets happen, and a net that knows
only those of games misleads it. Nothing is played for these but the games in which the trees begin.
"""

from __future__ import annotations

import time
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.games import open_heuristics, open_kernel
from trine.learn.dataset import Dataset
from trine.learn.sides import Side
from trine.learn.sources.selfplay import DEEP_HASH_MB
from trine.search.kernel.worker import Worker
from trine.search.layout import Layout, functions_of, new_lines, new_table
from trine.selfplay.game import SelfPlay
from trine.selfplay.kernel.walks import label_trees
from trine.selfplay.plan import LONGEST, Plan

TREES: Final = 20
"""The number of positions of a game from which searches begin whose trees are looked at. Guess."""
WALKS: Final = 5
"""The number of positions taken out of a tree. Guess."""
LABELS: Final = TREES * WALKS
"""The most labels of a game."""
GAMES: Final = 5
"""Units: games; of a job, which takes seconds. Guess."""
QUICKER: Final = 8
"""A turn of the games in which trees begin has a part of the nodes of a label: one of so many.
Guess."""


def label_games(plan: Plan, side: Side, job: int, size: int = GAMES) -> tuple[int, Dataset]:
    """Make the labels of a job: out of trees in so many games, by a side's evaluation.

    Returns: the number of the job, and the labels.
    """
    began, maker = time.process_time(), _Maker(plan, side)
    rows, scores, games = [], [], []
    for number in range(job * size, (job + 1) * size):
        found, points = maker.labels(number)
        rows.append(found)
        scores.append(points)
        games.append(np.full(len(points), number, np.int64))
    kept = [part for part in rows if len(part)]
    batch = Dataset.of(
        np.concatenate(kept) if kept else np.zeros((0, 1), np.uint64),
        np.concatenate(games),
        scores=np.concatenate(scores),
        seconds=time.process_time() - began,
    )
    return job, batch


class _Maker:
    """The memory of searches of a plan."""

    def __init__(self, plan: Plan, side: Side) -> None:
        self._plan, self._side, self._kernel = plan, side, open_kernel(plan.game)
        self._quick = side.settings(plan.game, max(1, plan.nodes // QUICKER), by_turns=True)
        self._games: SelfPlay | None = None

    def labels(self, number: int) -> tuple[NDArray[np.uint64], NDArray[np.int16]]:
        """Return positions with scores out of trees that begin in a game of the plan."""
        rng = self._plan.rng(number, "trees")
        play = self._plan.begin(rng)
        if play.outcome or len(play.turns) >= LONGEST:
            return np.zeros((0, 0), np.uint64), np.zeros(0, np.int16)
        roots = self._roots(play, number, rng)
        found = np.zeros((len(roots) * WALKS, roots.shape[1]), np.uint64)
        scores = np.zeros(len(found), np.int16)
        count = label_trees(
            functions_of(self._kernel, open_heuristics(self._plan.game)),
            self._worker(play),
            new_lines(),
            roots,
            np.array([rng.getrandbits(63) + 1], np.uint64),
            self._plan.nodes,
            WALKS,
            found,
            scores,
        )
        rows = found[:count]
        for row in rows:  # without what the kernel has remembered on the way
            self._kernel.to_row(self._kernel.to_position(row), row)
        return rows, scores[:count]

    def _roots(self, play: Play, number: int, rng: Random) -> NDArray[np.uint64]:
        """Return the positions of a game from which searches begin."""
        kernel = self._kernel
        self._games = self._games or SelfPlay(play, hash_mb=[DEEP_HASH_MB])
        played = self._games.play(play, (self._quick, self._quick), turn_limit=LONGEST)
        actions = played.moves["action"].tolist()
        chosen = set(rng.sample(range(len(actions)), min(TREES, len(actions))))
        rows = np.zeros((2, kernel.words(play.position)), np.uint64)
        kernel.to_row(play.position, rows[0])
        roots = []
        for place, action in enumerate(actions):
            if place in chosen:
                roots.append(rows[0].copy())
            kernel.play(rows, 0, action)
            rows[0] = rows[1]
        assert all(kernel.result(row) == ONGOING for row in roots)
        return np.array(roots).reshape(len(roots), rows.shape[1])

    def _worker(self, play: Play) -> Worker:
        """Return a worker that thinks as the side does, with no past."""
        heuristics = open_heuristics(self._plan.game)
        thinks = self._side.settings(self._plan.game, self._plan.nodes, by_turns=False)
        weights = heuristics.weights if thinks.weights is None else thinks.weights
        layout = Layout(self._kernel, heuristics)
        start = Play(play.room, play.position)
        assert thinks.net is not None
        return layout.worker(
            start, new_table(DEEP_HASH_MB), np.zeros(1, np.int64), weights, thinks.net
        )
