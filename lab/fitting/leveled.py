"""Games of weak levels, and of people, as training data for chances: scores with results.

A chance is how often players who make mistakes win. So the positions are at the beginning of turns
in games between bots of neighbouring levels, or of records; each has the score that an analysis
would show, and the result of its game.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from fitting.plan import FittingPlan
from trine.core.clock import Limits
from trine.core.contract.score import ONGOING
from trine.core.errors import FileError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.archive.queries import records_in
from trine.engine.learn.campaign import PLAN, Folder
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.jobs import GameJobs
from trine.engine.learn.recorded_games import Done, is_telling, opening_of, play_of_two
from trine.engine.players.player import level_of
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.engine.selfplay.selfplay_plan import MAX_TURNS
from trine.games import open_heuristics, open_kernel

MAX_PER_GAME: Final = 10
"""The maximum of positions from a game of bots; they share its result, so more add little.
Guess."""
MAX_PER_RECORD: Final = 40
"""The maximum of positions from a record, since there are few records. Guess."""
GAMES_PER_JOB: Final = 10
"""The number of games in a job, which takes seconds to minutes. Guess."""
HASH_MB: Final = 4.0
"""Units: MiB for each player, and for the search that scores."""


@dataclass(frozen=True)
class LeveledPlan:
    """The games of levels for fitting chances, and how their positions are scored."""

    beginnings: FittingPlan
    """The starts of games; ``label_nodes`` is the limit of the search that scores a position."""
    levels: tuple[int, int]
    """The lowest and the highest level; the players of a game have equal or neighbouring levels."""

    def as_data(self) -> dict[str, Any]:
        return {**self.beginnings.as_data(), "levels": list(self.levels)}

    def draw(self, rng: Random) -> tuple[int, int]:
        """Return random levels of both players.

        >>> plan = LeveledPlan(FittingPlan("tzaar", "official"), (4, 5))
        >>> {plan.draw(Random(seed)) for seed in range(50)} == {(4, 4), (4, 5), (5, 4), (5, 5)}
        True
        """
        low, high = self.levels
        first = rng.randint(low, high)
        return first, min(high, max(low, first + rng.choice((-1, 0, 1))))


def open_games(path: Path, plan: LeveledPlan) -> GameJobs:
    """Open or make the folder of a plan's datasets, with a file for each job.

    Raises:
        FileError: the folder cannot be made or read, or has positions of another plan.
    """
    folder = Folder(path)
    folder.make()
    if not folder.is_begun:
        folder.write(PLAN, plan.as_data())
    if folder.plan != plan.as_data():
        problem = text("{folder} holds positions of other games; name another", folder=str(path))
        raise FileError(problem)
    return GameJobs(path, digits=7, size=GAMES_PER_JOB)


def play_leveled(plan: LeveledPlan, batch: int) -> tuple[int, Dataset]:
    """Play the games of a job, by its number; runs in a worker."""
    return batch, LeveledGames(plan).play(range(batch * GAMES_PER_JOB, (batch + 1) * GAMES_PER_JOB))


class LeveledGames:
    """Plays the games of a plan, and scores some of their positions."""

    def __init__(self, plan: LeveledPlan) -> None:
        self.plan = plan
        self._kernel = open_kernel(plan.beginnings.game)
        self._search = AlphaBeta(plan.beginnings.game, hash_mb=HASH_MB)
        self._games: SelfPlay | None = None

    def play(self, numbers: Sequence[int]) -> Dataset:
        """Play games by their numbers; those unfinished after `MAX_TURNS` turns are dropped."""
        began = time.process_time()
        parts = [self._game(number) for number in numbers]
        found = Dataset.joined(part for part in parts if part is not None)
        return Dataset.joined([found, _nothing_but(time.process_time() - began)])

    def _game(self, number: int) -> Dataset | None:
        plan = self.plan.beginnings
        rng = plan.rng(number, "levels")
        play = plan.begin(rng)
        if play.outcome or len(play.turns) >= MAX_TURNS:
            return None
        self._games = self._games or SelfPlay(play, hash_mb=[HASH_MB, HASH_MB])
        heuristics, seed = open_heuristics(plan.game), rng.getrandbits(31)
        levels = [level_of(heuristics, level) for level in self.plan.draw(rng)]
        first, second = (
            PlayerSettings(
                nodes=one.nodes, by_turns=True, overlook_rate=one.overlook_rate, seed=seed + seat
            )
            for seat, one in enumerate(levels)
        )
        played = self._games.play(play, (first, second), turn_limit=MAX_TURNS)
        if played.result == ONGOING:
            return None
        opening, begun = self._kernel.key_of(play.position), len(play.turns)
        self._games.follow(play, played)
        return self._scored(play, range(begun, len(play.turns)), MAX_PER_GAME, number, opening, rng)

    def _scored(
        self, play: Play, turns: Iterable[int], most: int, number: int, opening: int, rng: Random
    ) -> Dataset:
        """Return scored positions at the beginning of some turns of a finished play."""
        assert play.outcome is not None
        wanted = [turn for turn in turns if not play.turns[turn].before.in_setup]
        chosen = set(rng.sample(wanted, min(most, len(wanted))))
        limits = Limits(nodes=self.plan.beginnings.label_nodes)
        ahead = Play(play.room, play.start)
        rows, scores, results = [], [], []
        for place, turn in enumerate(play.turns):
            if place in chosen:
                self._search.clear()
                scores.append(self._search.search(ahead, limits)[0].score.points)
                rows.append(self._kernel.row_of(ahead.position))
                winner = play.outcome.winner
                results.append(0.5 if winner is None else float(winner == ahead.mover))
            ahead.act_unchecked(*turn.actions)
        if not rows:
            return Dataset.none()
        return Dataset.of(
            np.array(rows),
            np.full(len(rows), number, np.int64),
            scores=np.array(scores),
            results=np.array(results),
            openings=np.full(len(rows), opening, np.uint64),
        )

    def read(self, path: Path, first: int, done: Done = lambda taken: None) -> Dataset:
        """Return positions of the games for two of a file or an archive, of the plan's game.

        All rule sets are used, because people's games are few and their mistakes alike. Illegal
        records, and those with uninformative results, are skipped.

        Args: records are numbered from ``first`` on; ``done`` is called with each.

        Raises:
            FileError: the file cannot be read.
            TrineError: the file has no known format.
        """
        parts, game = [], self.plan.beginnings.game
        for number, record in enumerate(records_in(path, game), start=first):
            play = play_of_two(game, record)
            if play:
                parts.append(self._positions_of(play, number))
            done(play is not None and len(parts[-1]) > 0)
        return Dataset.joined(parts)

    def _positions_of(self, play: Play, number: int) -> Dataset:
        if not is_telling(play):
            return Dataset.none()
        turns, rng = range(len(play.turns)), self.plan.beginnings.rng(number)
        return self._scored(play, turns, MAX_PER_RECORD, number, opening_of(play), rng)


def _nothing_but(seconds: float) -> Dataset:
    return Dataset.of(np.zeros((0, 0), np.uint64), np.zeros(0, np.int64), seconds=seconds)
