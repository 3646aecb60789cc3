"""Recorded games of people or of other programs, as a source of quiet positions.

The players' own scores are not used as labels; their turns and results are. The scores come from
our search.

Searches evaluate positions at the ends of lines, where no tactics are left. So the training
position is the end of the principal variation, not a position of the play itself.

Source: J. Baxter, A. Tridgell and L. Weaver, "KnightCap: a chess program that learns by combining
TD(λ) with game-tree search" (1998), for the ends of principal variations; P. Österlund, "Texel's
tuning method" (Chess Programming Wiki), for results as the target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.clock import Limits
from trine.core.contract import Heuristics, Kernel
from trine.core.contract.position import Position, Reason, position_after
from trine.core.contract.record import Record
from trine.core.contract.score import DRAW, ONGOING
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.returns import returns_of
from trine.engine.learn.sources.selfplay import DEEP_HASH_MB
from trine.engine.players.chances import curve_of
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.info import Info
from trine.engine.search.nets import NO_NET, SearchNet, points_added
from trine.engine.selfplay.kernel.game_state import MOVE, SEARCHED
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_heuristics, open_kernel
from trine.play.record.formats import read_unambiguous
from trine.play.record.replay import replay

UNINFORMATIVE_REASONS: Final = frozenset({Reason.TIME, Reason.FORFEIT, Reason.AGREEMENT})
"""Reasons of results that say little about the position."""

OPENING_TURNS: Final = 8
"""Units: turns; games with equal first turns up to here are held out together. Guess."""

Done = Callable[[bool], None]
"""A callback for each record with whether it was used."""


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


@dataclass(frozen=True)
class FinishedGame:
    """A finished game to train on."""

    number: int
    winner: int | None
    """None for a draw."""
    opening: int
    """The key of the position at the end of the game's opening."""


class QuietPositions:
    """Collects the searches of a play; returns the quiet ends of their principal variations."""

    def __init__(self, game: str, net: SearchNet = NO_NET) -> None:
        """Prepare for a game and the net that its searches used."""
        self.kernel: Kernel = open_kernel(game)
        self._heuristics: Heuristics = open_heuristics(game)
        self._weights, self._net = self._heuristics.weights, net
        self.searches: list[tuple[Position, Sequence[Info]]] = []

    def add(self, play: Play, infos: Sequence[Info]) -> None:
        self.searches.append((play.position, infos))

    def with_returns(self, game: FinishedGame, returns: NDArray[np.float64]) -> Dataset:
        """Return all quiet positions of a finished play, and clear the collector.

        ``returns`` are for the first player, one for each search.
        """
        searches, self.searches = self.searches, []
        ends = [self.end_of_line(position, infos) for position, infos in searches]
        quiet = [place for place, row in enumerate(ends) if row is not None]
        if not quiet:
            return Dataset.none()
        rows = np.array([ends[place] for place in quiet])
        second = np.array([self.kernel.mover(row) for row in rows])
        return Dataset.of(
            rows,
            np.full(len(rows), game.number, np.int64),
            results=np.abs(second - returns[quiet]),
            openings=np.full(len(rows), game.opening, np.uint64),
        )

    def end_of_line(self, position: Position, infos: Sequence[Info]) -> NDArray[np.uint64] | None:
        """Return the position at the end of the deepest line whose evaluation is the line's score.

        Returns: None if the score has another origin: a proven win, a repetition, an interrupted
            search.
        """
        for info in reversed(infos):
            end = position_after(position, info.pv)
            row = self.kernel.row_of(end)
            if self.kernel.result(row) != ONGOING or self._heuristics.detect_win(row):
                continue
            mover = self.kernel.mover(row)
            counts = np.zeros(len(self._heuristics.terms), np.float32)
            points = self._heuristics.evaluate(row, mover, self._weights, counts)
            if self._heuristics.net:
                points += points_added(self._net, self._heuristics.net, row, counts, mover, mover)
            if info.score.points == (points if mover == position.mover else -points):
                return row
        return None


class RecordedGames:
    """A source of positions from records that fit a plan: its game, its rule set, two players."""

    def __init__(self, plan: SelfPlayPlan, net: SearchNet, td_lambda: float) -> None:
        """Prepare searches with a plan's node limit and a net; ``td_lambda`` is the λ of TD(λ)."""
        self.plan = plan
        self.players = Counter[str]()
        """The number of used games of each player, by name."""
        self._td_lambda, self._curve = (
            td_lambda,
            replace(curve_of(plan.game, plan.rules), lapses=0.0),
        )
        self._search = AlphaBeta(plan.game, hash_mb=DEEP_HASH_MB, net=net)
        self.quiet = QuietPositions(plan.game, net)

    def read(self, path: str | Path, first: int, done: Done = lambda taken: None) -> Dataset:
        """Return quiet positions of the records of a file, numbered from ``first`` on.

        Records that do not fit the plan are skipped, and those with uninformative results.
        """
        parts = []
        for number, record in enumerate(read_unambiguous(path), start=first):
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
        for move, turn in zip(moves, play.turns, strict=True):
            move["mover"] = ahead.mover
            if not ahead.position.in_setup:
                infos: list[Info] = []
                best = self._search.search(ahead, Limits(nodes=self.plan.nodes), infos.append)[0]
                self.quiet.add(ahead, infos)
                move["score"], move["marks"] = best.score.points, SEARCHED
            ahead.act_unchecked(*turn.actions)
        game = FinishedGame(number, play.outcome.winner, opening_of(play))
        self.players.update(filter(None, (tags.get(seat.tag) for seat in play.start.seats)))
        return self.chosen(game, moves)

    def chosen(self, game: FinishedGame, moves: NDArray[np.void]) -> Dataset:
        """Return the quiet positions of a game to train on."""
        result = DRAW if game.winner is None else game.winner
        returns = returns_of(moves, result, self._td_lambda, self._curve)
        return self.quiet.with_returns(game, returns[moves["marks"] == SEARCHED])
