"""Self-play: games of the house's search against itself, from various beginnings.

Weights and nets learn from quiet positions of the games: weights from some of each, whose results
are those of the games, nets from all, whose results are returns.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Row
from trine.core.contract.score import DRAW, ONGOING
from trine.core.errors import FileError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.work.limits import Limits
from trine.core.work.workplace import HERE, Workplace
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.folder import PLAN, Folder
from trine.engine.learn.jobs import Jobs
from trine.engine.learn.returns import returns_of
from trine.engine.learn.sides import Side
from trine.engine.learn.sources.quiet import FinishedGame, choose_rows
from trine.engine.players.chances import curve_of
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET
from trine.engine.selfplay.game import PlayedGame, SelfPlay
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.engine.selfplay.selfplay_plan import LONGEST, SelfPlayPlan
from trine.games import open_kernel, open_room

NODES_PER_MB: Final = 10_000
"""The nodes of the search that scores a position for each megabyte of its table. Guess."""
HASH_MB: Final = 0.25
"""Units: MiB; enough for searches of some hundred nodes, and quickly cleared."""
DEEP_HASH_MB: Final = 0.5
"""Units: MiB; enough for some thousand nodes. Guess."""


BATCH: Final = 20
"""Units: games; the most that are lost when a process is killed: some seconds. Guess."""


class PlannedGame(NamedTuple):
    """A game of a plan."""

    number: int
    start: Play
    """The play as the players got it."""
    played: PlayedGame
    rng: Random
    """The random numbers of the plan for this game, after its beginning."""


def finished_games(
    plan: SelfPlayPlan,
    settings: PlayerSettings,
    numbers: Sequence[int],
    *,
    hash_mb: float,
    keep_ends: bool = False,
) -> Iterator[PlannedGame]:
    """Play games of a plan, by their numbers, and yield them.

    A game without an end within `LONGEST` turns is left out.
    """
    games: SelfPlay | None = None
    for number in numbers:
        rng = plan.rng(number)
        play = plan.begin(rng)
        if play.outcome or len(play.turns) >= LONGEST:
            continue
        games = games or SelfPlay(play, hash_mb=[hash_mb])
        played = games.play(
            play,
            (settings, settings),
            turn_limit=LONGEST,
            seed=plan.game_seed(number),
            keep_ends=keep_ends,
        )
        if played.result != ONGOING:
            yield PlannedGame(number, play, played, rng)


def play_games(plan: SelfPlayPlan, numbers: Sequence[int]) -> Dataset:
    """Play games of a plan, and return quiet positions of theirs."""
    kernel = open_kernel(plan.game)
    settings = plan.settings(net=NO_NET)  # the weights of the terms are to be fitted
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


def open_batches(path: Path, plan: SelfPlayPlan) -> Jobs[Dataset]:
    """Open the folder of a plan's datasets, a file for each batch of games, or make it.

    Raises:
        FileError: the folder cannot be made or read, or holds positions of another plan.
    """
    return open_jobs(path, plan.as_data(), BATCH)


def open_jobs(path: Path, plan: dict[str, Any], size: int) -> Jobs[Dataset]:
    """Open the folder of the datasets of a plan, as JSON knows it, of jobs of so many games.

    Raises:
        FileError: as `open_batches`.
    """
    folder = Folder(path)
    folder.make()
    if not folder.is_begun:
        folder.write(PLAN, plan)
    if folder.plan != plan:
        told = text("{folder} holds positions of other games; name another", folder=str(path))
        raise FileError(told)
    return Jobs(path, "games", Dataset.read, digits=7, size=size)


def play_batch(plan: SelfPlayPlan, batch: int) -> tuple[int, Dataset]:
    """Play the games of a batch, by its number: the job of a worker, on whatever machine."""
    return batch, play_games(plan, range(batch * BATCH, (batch + 1) * BATCH))


def play_missing(
    batches: Jobs[Dataset], plan: SelfPlayPlan, games: int, workplace: Workplace = HERE
) -> Generator[int, None, None]:
    """Bring a folder to some games, and yield the number of games of each batch that is kept.

    Raises:
        FileError: positions cannot be written.
        TrineError: a worker has died.
    """
    missing = batches.missing(-(-games // BATCH))
    played = batches.do(missing, lambda batch: partial(play_batch, plan, batch), workplace)
    with closing(played):
        for _ in played:
            yield BATCH


def read_batches(batches: Jobs[Dataset], plan: SelfPlayPlan) -> Dataset:
    """Return all positions of a folder.

    Raises:
        FileError: they were written by another version of the game's kernel.
    """
    parts = list(batches.results())
    for part in parts:
        part.check_rows(plan.game, batches.folder)
    return Dataset.joined(parts)


class Scorer:
    """A search that scores positions: deeper than the leaves that will use the weights."""

    def __init__(self, plan: SelfPlayPlan) -> None:
        self._room, self._kernel = open_room(plan.game), open_kernel(plan.game)
        self._limits = Limits(nodes=plan.label_nodes)
        self._search = AlphaBeta(plan.game, hash_mb=max(HASH_MB, plan.label_nodes / NODES_PER_MB))

    def scores_of(self, data: Dataset) -> NDArray[np.float32]:
        return np.array([self._score(row) for row in data.rows], np.float32)

    def _score(self, row: Row) -> int:
        self._search.forget()
        play = Play(self._room, self._kernel.to_position(row))
        return self._search.search(play, self._limits)[0].score.points


def games_with_returns(
    plan: SelfPlayPlan, side: Side, decay: float, job: int, size: int
) -> tuple[int, Dataset]:
    """Play the games of a job, turn by turn, and return all quiet positions of theirs.

    Their results are returns: `trine.engine.learn.returns`. Positions of one game differ in theirs.

    Returns: the number of the job, and the positions.
    """
    began, kernel = time.process_time(), open_kernel(plan.game)
    settings = side.settings(plan.game, plan.nodes, by_turns=True)
    # Nobody throws a game away here, as people do.
    curve = replace(curve_of(plan.game, plan.rules), lapses=0.0)
    parts = []
    for game in finished_games(
        plan, settings, range(job * size, (job + 1) * size), hash_mb=DEEP_HASH_MB, keep_ends=True
    ):
        played, quiet = game.played, game.played.quiet
        if not len(quiet):
            continue
        rows = np.array([kernel.row_of(kernel.to_position(row)) for row in played.ends[quiet]])
        first = returns_of(played.moves, played.result, decay, curve)[quiet]
        moves_first = np.array([kernel.mover(row) == 0 for row in rows])
        parts.append(
            Dataset.of(
                rows,
                np.full(len(rows), game.number, np.int64),
                results=np.where(moves_first, first, 1 - first),
                openings=np.full(len(rows), kernel.key_of(game.start.position), np.uint64),
            )
        )
    return job, replace(Dataset.joined(parts), seconds=time.process_time() - began)
