"""Quiet positions of games with their results: some of each game, of self-play or of records."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fitting.plan import FittingPlan, check_rows
from trine.core.compiled.arrays import Row
from trine.core.contract import Kernel
from trine.core.contract.score import DRAW
from trine.core.errors import FileError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.work.backend import IN_PROCESS, Backend
from trine.core.work.limits import Limits
from trine.engine.learn.campaign import PLAN, Folder
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.jobs import GameJobs
from trine.engine.learn.sources.recorded_games import FinishedGame, QuietPositions, RecordedGames
from trine.engine.learn.sources.selfplay import finished_games
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.games import open_kernel, open_room

NODES_PER_MB: Final = 10_000
"""The nodes of a scoring search for each megabyte of its table. Guess."""
HASH_MB: Final = 0.25
"""Units: MiB; enough for searches of some hundred nodes, and quickly cleared."""
GAMES_PER_JOB: Final = 20
"""The number of games in a job, lost if its process is killed: some seconds. Guess."""


MAX_PER_GAME: Final = 32
"""The maximum of positions from one game; they share its result, so more add little. Guess."""


def choose_rows(kernel: Kernel, candidates: Iterable[Row], game: FinishedGame) -> Dataset:
    """Return the first distinct positions of a game, at most `MAX_PER_GAME`.

    Rows can contain the kernel's caches; those of a dataset do not.
    """
    chosen: dict[int, Row] = {}
    for row in candidates:
        chosen.setdefault(int(kernel.key(row)), row)
        if len(chosen) == MAX_PER_GAME:
            break
    if not chosen:
        return Dataset.none()
    rows = np.array([kernel.row_of(kernel.to_position(row)) for row in chosen.values()])
    won = [0.5 if game.winner is None else game.winner == kernel.mover(row) for row in rows]
    return Dataset.of(
        rows,
        np.full(len(rows), game.number, np.int64),
        results=np.array(won, np.float32),
        openings=np.full(len(rows), game.opening, np.uint64),
    )


class ResultGames(RecordedGames):
    """A source of some positions of each record, with its result."""

    def __init__(self, plan: FittingPlan) -> None:
        super().__init__(plan, NO_NET, td_lambda=1.0)

    def chosen(self, game: FinishedGame, moves: NDArray[np.void]) -> Dataset:
        return choose(self.quiet, game, self.plan.rng(game.number))


def choose(quiet: QuietPositions, game: FinishedGame, rng: Random) -> Dataset:
    """Return positions of a finished play, and clear the collector."""
    searches, quiet.searches = quiet.searches, []
    rng.shuffle(searches)
    rows = (quiet.end_of_line(position, infos) for position, infos in searches)
    return choose_rows(quiet.kernel, (row for row in rows if row is not None), game)


def play_games(plan: FittingPlan, numbers: Sequence[int]) -> Dataset:
    """Play games of a plan, and return some of their quiet positions."""
    kernel = open_kernel(plan.game)
    # Without a net, because the weights of the terms are fitted.
    settings = PlayerSettings(nodes=plan.nodes, net=NO_NET)
    scorer = Scorer(plan) if plan.label_nodes else None
    parts = []
    for number, start, played, rng in finished_games(
        plan, settings, numbers, hash_mb=HASH_MB, keep_ends=True
    ):
        order = list(range(len(played.moves)))
        rng.shuffle(order)
        quiet = frozenset(played.quiet.tolist())
        rows = (played.ends[index] for index in order if index in quiet)
        winner = None if played.result == DRAW else played.result
        game = FinishedGame(number, winner, kernel.key_of(start.position))
        part = choose_rows(kernel, rows, game)
        parts.append(replace(part, scores=scorer.scores_of(part)) if scorer else part)
    return Dataset.joined(parts)


def open_batches(path: Path, plan: FittingPlan) -> GameJobs:
    """Open or make the folder of a plan's datasets, with a file for each job.

    Raises:
        FileError: the folder cannot be made or read, or has positions of another plan.
    """
    return open_jobs(path, plan.as_data(), GAMES_PER_JOB)


def open_jobs(path: Path, plan: dict[str, Any], size: int) -> GameJobs:
    """Open the folder of the datasets of a plan, as JSON data, with ``size`` games in a job.

    Raises:
        FileError: as for `open_batches`.
    """
    folder = Folder(path)
    folder.make()
    if not folder.is_begun:
        folder.write(PLAN, plan)
    if folder.plan != plan:
        problem = text("{folder} holds positions of other games; name another", folder=str(path))
        raise FileError(problem)
    return GameJobs(path, digits=7, size=size)


def play_batch(plan: FittingPlan, batch: int) -> tuple[int, Dataset]:
    """Play the games of a job, by its number; runs in a worker."""
    return batch, play_games(plan, range(batch * GAMES_PER_JOB, (batch + 1) * GAMES_PER_JOB))


def play_missing(
    batches: GameJobs, plan: FittingPlan, games: int, backend: Backend = IN_PROCESS
) -> Generator[int, None, None]:
    """Play the missing games, and yield the number of games of each job when it is written.

    Raises:
        FileError: positions cannot be written.
        TrineError: a worker has died.
    """
    missing = batches.missing(-(-games // GAMES_PER_JOB))
    played = batches.do(missing, lambda batch: partial(play_batch, plan, batch), backend)
    with closing(played):
        for _ in played:
            yield GAMES_PER_JOB


def read_batches(batches: GameJobs, plan: FittingPlan) -> Dataset:
    """Return all positions of a folder.

    Raises:
        FileError: they are of another version of the game's kernel.
    """
    parts = list(batches.results())
    for part in parts:
        check_rows(part, plan.game, batches.folder)
    return Dataset.joined(parts)


class Scorer:
    """A search that scores positions, deeper than the leaves that will use the weights."""

    def __init__(self, plan: FittingPlan) -> None:
        self._room, self._kernel = open_room(plan.game), open_kernel(plan.game)
        self._limits = Limits(nodes=plan.label_nodes)
        self._search = AlphaBeta(plan.game, hash_mb=max(HASH_MB, plan.label_nodes / NODES_PER_MB))

    def scores_of(self, data: Dataset) -> NDArray[np.float32]:
        return np.array([self._score(row) for row in data.rows], np.float32)

    def _score(self, row: Row) -> int:
        self._search.clear()
        play = Play(self._room, self._kernel.to_position(row))
        return self._search.search(play, self._limits)[0].score.points
