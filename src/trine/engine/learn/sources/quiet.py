"""Quiet positions of a game: the ends of principal variations, from which scores come.

Searches evaluate positions at the ends of lines, where no tactics are left; so what is learned from
is not a position of the play itself, but the one at the end of the principal variation from there.

Source: J. Baxter, A. Tridgell and L. Weaver, "KnightCap: a chess program that learns by combining
TD(λ) with game-tree search" (1998), for the ends of principal variations; P. Österlund, "Texel's
tuning method" (Chess Programming Wiki), for results as the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import Heuristics, Kernel
from trine.core.contract.position import Position, position_after
from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.engine.learn.dataset import Dataset
from trine.engine.search.info import Info
from trine.engine.search.nets import NO_NET, SearchNet, points_added
from trine.games import open_heuristics, open_kernel


@dataclass(frozen=True)
class FinishedGame:
    """A finished game whose positions are learned from."""

    number: int
    winner: int | None
    """None after a draw."""
    opening: int
    """The key of the position at the end of its opening."""


class QuietPositions:
    """A collector of the searches in a play, which chooses among their quiet ends."""

    def __init__(self, game: str, net: SearchNet = NO_NET) -> None:
        """Take a game, and the net that stood beside the terms in the searches."""
        self.kernel: Kernel = open_kernel(game)
        self._heuristics: Heuristics = open_heuristics(game)
        self._weights, self._net = self._heuristics.weights, net
        self.seen: list[tuple[Position, Sequence[Info]]] = []

    def see(self, play: Play, told: Sequence[Info]) -> None:
        self.seen.append((play.position, told))

    def with_returns(self, game: FinishedGame, returns: NDArray[np.float64]) -> Dataset:
        """Return all positions of a finished play, and forget it.

        Args: ``returns`` are what came of each search, for the first player.
        """
        seen, self.seen = self.seen, []
        ends = [self.end_of_line(position, told) for position, told in seen]
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

    def end_of_line(self, position: Position, told: Sequence[Info]) -> NDArray[np.uint64] | None:
        """Return the position whose evaluation is the score of a search, at the greatest depth.

        Returns: None if the score comes from elsewhere: a proven win, a repetition, an interrupted
            search.
        """
        for info in reversed(told):
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
