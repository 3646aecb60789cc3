"""Self-play: games of our search against itself, from various starts.

Weights are trained on some quiet positions of each game, with the games' results; nets on all, with
returns.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

import numpy as np

from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.eval_config import EvalConfig
from trine.engine.learn.returns import returns_of
from trine.engine.players.chances import curve_of
from trine.engine.selfplay.game import PlayedGame, SelfPlay
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.engine.selfplay.selfplay_plan import MAX_TURNS, SelfPlayPlan
from trine.games import open_kernel

DEEP_HASH_MB: Final = 0.5
"""Units: MiB; enough for some thousand nodes. Guess."""


class PlannedGame(NamedTuple):
    """A game of a plan."""

    number: int
    start: Play
    """The play at the beginning of self-play."""
    played: PlayedGame
    rng: Random
    """The plan's random generator for the game, after its start was drawn."""


def finished_games(
    plan: SelfPlayPlan,
    settings: PlayerSettings,
    numbers: Sequence[int],
    *,
    hash_mb: float,
    keep_ends: bool = False,
) -> Iterator[PlannedGame]:
    """Play a plan's games by their numbers, and yield all that end within `MAX_TURNS` turns."""
    games: SelfPlay | None = None
    for number in numbers:
        rng = plan.rng(number)
        play = plan.begin(rng)
        if play.outcome or len(play.turns) >= MAX_TURNS:
            continue
        games = games or SelfPlay(play, hash_mb=[hash_mb])
        played = games.play(
            play,
            (settings, settings),
            turn_limit=MAX_TURNS,
            keep_ends=keep_ends,
        )
        if played.result != ONGOING:
            yield PlannedGame(number, play, played, rng)


def games_with_returns(
    plan: SelfPlayPlan, side: EvalConfig, td_lambda: float, job: int, numbers: range
) -> tuple[int, Dataset]:
    """Play the games of a job; return its number, and all quiet positions of the games.

    Their results are returns (`trine.engine.learn.returns`), which differ within a game.
    """
    began, kernel = time.process_time(), open_kernel(plan.game)
    settings = side.settings(plan.game, plan.nodes)
    # Unlike people, the engine does not blunder by accident.
    curve = replace(curve_of(plan.game, plan.rules), lapses=0.0)
    parts = []
    for game in finished_games(plan, settings, numbers, hash_mb=DEEP_HASH_MB, keep_ends=True):
        played, quiet = game.played, game.played.quiet
        if not len(quiet):
            continue
        rows = np.array([kernel.row_of(kernel.to_position(row)) for row in played.ends[quiet]])
        first = returns_of(played.moves, played.result, td_lambda, curve)[quiet]
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
