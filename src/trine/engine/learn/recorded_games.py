"""Recorded games of people or of other programs, as a source of quiet positions.

The players' own scores are not used as labels; their turns and results are. The scores come from
our search.

Searches evaluate positions at the ends of lines, where no tactics are left. So the training
position is the end of the principal variation, not a position of the play itself.

Source: J. Baxter, A. Tridgell and L. Weaver, "KnightCap: a chess program that learns by combining
TD(λ) with game-tree search" (1998), for the ends of principal variations; P. Österlund, "Texel's
tuning method" (Chess Programming Wiki), for results as the target.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.clock import Limits
from trine.core.contract.position import Position, Reason, position_after
from trine.core.contract.record import Record
from trine.core.contract.score import DRAW, ONGOING
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.engine.archive.queries import records_in
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.games import DEEP_HASH_MB, returns_of
from trine.engine.players.chances import curve_of
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.info import Info
from trine.engine.search.nets import SearchNet, points_added
from trine.engine.selfplay.kernel.playing import MOVE, SEARCHED
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_heuristics, open_kernel
from trine.play.record.replay import replay

UNINFORMATIVE_REASONS: Final = frozenset({Reason.TIME, Reason.FORFEIT, Reason.AGREEMENT})
"""Reasons of results that say little about the position."""

OPENING_TURNS: Final = 8
"""Units: turns; games with equal first turns up to here are held out together. Guess."""

Done = Callable[[bool], None]  # a callback for each record with whether it was used


def play_of_two(game: str, record: Record) -> Play | None:
    """Return the play of a record; None if illegal, of another game, or not of two players."""
    if record.tags.get("Game") != game:
        return None
    try:
        play = replay(record)
    except TrineError:
        return None
    return play if len(play.position.seats) == 2 else None


def is_telling(play: Play) -> bool:
    """Return whether the result of a play says something about its positions."""
    return play.outcome is not None and play.outcome.reason not in UNINFORMATIVE_REASONS


def opening_of(play: Play) -> int:
    """Return the key of the position at the end of a play's opening."""
    opened = (
        play.turns[OPENING_TURNS - 1].after if len(play.turns) > OPENING_TURNS else play.position
    )
    return open_kernel(play.room.name).key_of(opened)


class RecordedGames:
    """A source of positions from records that fit a plan: its game, its rule set, two players."""

    def __init__(self, plan: SelfPlayPlan, net: SearchNet, td_lambda: float) -> None:
        """Prepare searches with a plan's node limit and a net; ``td_lambda`` is the λ of TD(λ)."""
        self.plan = plan
        self.players = Counter[str]()  # number of used games of each player, by name
        self._kernel, self._heuristics = open_kernel(plan.game), open_heuristics(plan.game)
        self._net, self._td_lambda = net, td_lambda
        self._curve = replace(curve_of(plan.game, plan.rules), lapses=0.0)
        self._search = AlphaBeta(plan.game, hash_mb=DEEP_HASH_MB, net=net)

    def read(self, path: Path, done: Done = lambda taken: None) -> Dataset:
        """Return quiet positions of the records of a file or an archive.

        Records that do not fit the plan are skipped, and those with uninformative results.
        """
        parts = []
        for number, record in enumerate(records_in(path, self.plan.game, self.plan.rules)):
            play = play_of_two(self.plan.game, record)
            if play and play.position.rules.name == self.plan.rules and is_telling(play):
                parts.append(self._positions_of(play, number, record.tags))
                done(len(parts[-1]) > 0)
            else:
                done(False)
        return Dataset.joined(parts)

    def _positions_of(self, play: Play, number: int, tags: Mapping[str, str]) -> Dataset:
        assert play.outcome is not None
        self._search.clear()
        ahead, moves = Play(play.room, play.start), np.zeros(len(play.turns), MOVE)
        ends: list[NDArray[np.uint64] | None] = []
        for move, turn in zip(moves, play.turns, strict=True):
            move["mover"] = ahead.mover
            if not ahead.position.in_setup:
                infos: list[Info] = []
                best = self._search.search(ahead, Limits(nodes=self.plan.nodes), infos.append)[0]
                ends.append(self._end_of_line(ahead.position, infos))
                move["score"], move["marks"] = best.score.points, SEARCHED
            ahead.act_unchecked(*turn.actions)
        self.players.update(filter(None, (tags.get(seat.tag) for seat in play.start.seats)))
        quiet = [place for place, row in enumerate(ends) if row is not None]
        if not quiet:
            return Dataset.none()
        result = DRAW if play.outcome.winner is None else play.outcome.winner
        returns = returns_of(moves, result, self._td_lambda, self._curve)
        rows = np.array([ends[place] for place in quiet])
        second = np.array([self._kernel.mover(row) for row in rows])
        return Dataset.of(
            rows,
            np.full(len(rows), number, np.int64),
            results=np.abs(second - returns[moves["marks"] == SEARCHED][quiet]),
            openings=np.full(len(rows), opening_of(play), np.uint64),
        )

    def _end_of_line(self, position: Position, infos: Sequence[Info]) -> NDArray[np.uint64] | None:
        """Return the position at the end of the deepest line whose evaluation is the line's score.

        Returns: None if the score has another origin: a proven win, a repetition, an interrupted
            search.
        """
        kernel, heuristics = self._kernel, self._heuristics
        for info in reversed(infos):
            row = kernel.row_of(position_after(position, info.pv))
            if kernel.result(row) != ONGOING or heuristics.detect_win(row):
                continue
            mover, counts = kernel.mover(row), np.zeros(len(heuristics.terms), np.float32)
            points = heuristics.evaluate(row, mover, heuristics.weights, counts)
            if heuristics.net:
                points += points_added(self._net, heuristics.net, row, counts, mover, mover)
            if info.score.points == (points if mover == position.mover else -points):
                return row
        return None
