"""Samples: positions of games, each with the result of the game for the player to move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.arrays import Row
from trine.core.doors import Heuristics, Kernel
from trine.core.play import Play
from trine.core.position import Position
from trine.core.score import ONGOING
from trine.games import open_heuristics, open_kernel
from trine.search.info import Info

PER_GAME: Final = 32
"""The most samples of one game; they share its result, so more of them add little. Guess."""


@dataclass(frozen=True)
class Samples:
    """Positions with results, as rows of the game's kernel.

    The rows are kept, not the features: after a change of an evaluation's terms the games need not
    be played again.
    """

    rows: NDArray[np.uint64]
    """Shapes: sample, word."""
    results: NDArray[np.float32]
    """Shapes: sample. For the player to move: 1 for a win, 0 for a loss, half for a draw."""
    games: NDArray[np.int64]
    """Shapes: sample. The number of its game."""
    openings: NDArray[np.uint64]
    """Shapes: sample. The key of the position at the end of its game's opening: games that have the
    same one are alike, and are held out together."""
    scores: NDArray[np.float32] | None = None
    """Shapes: sample. Units: points; the scores of searches from there, for the player to move; not
    a number where there was none, and no array if there was none at all."""

    @classmethod
    def none(cls) -> Samples:
        """Return an empty set of samples."""
        return cls(
            np.zeros((0, 0), np.uint64),
            np.zeros(0, np.float32),
            np.zeros(0, np.int64),
            np.zeros(0, np.uint64),
        )

    @classmethod
    def joined(cls, parts: Iterable[Samples]) -> Samples:
        """Return the samples of all parts; games of different parts must have different numbers."""
        kept = [part for part in parts if len(part)]
        if not kept:
            return cls.none()
        return cls(
            np.concatenate([part.rows for part in kept]),
            np.concatenate([part.results for part in kept]),
            np.concatenate([part.games for part in kept]),
            np.concatenate([part.openings for part in kept]),
            np.concatenate([part.labels for part in kept])
            if any(part.scores is not None for part in kept)
            else None,
        )

    def distinct(self, game: str) -> Samples:
        """Return each position once, with the first of its results."""
        key = open_kernel(game).key
        keys = np.array([key(row) for row in self.rows], np.uint64)
        kept = np.sort(np.unique(keys, return_index=True)[1])
        scores = None if self.scores is None else self.scores[kept]
        return Samples(
            self.rows[kept], self.results[kept], self.games[kept], self.openings[kept], scores
        )

    @property
    def labels(self) -> NDArray[np.float32]:
        """The scores, which are no numbers where no search was made."""
        if self.scores is None:
            return np.full(len(self), np.nan, np.float32)
        return self.scores

    def __len__(self) -> int:
        return len(self.results)

    @property
    def games_seen(self) -> int:
        """The number of their games."""
        return len(np.unique(self.games))


@dataclass(frozen=True)
class Counted:
    """The features of samples: the counts of an evaluation's terms."""

    features: NDArray[np.float32]
    """Shapes: sample, term, and number of a table behind the terms. For the player to move."""
    rest: NDArray[np.float32]
    """Shapes: sample. Units: points; the rest of the evaluation besides its terms times weights:
    rounding, and other weights that it looks up."""


def count_terms(game: str, samples: Samples) -> Counted:
    """Count the terms of a game's evaluation in samples, for the player to move."""
    mover = open_kernel(game).mover
    return count_rows(game, samples.rows, [mover(row) for row in samples.rows])


def count_rows(game: str, rows: NDArray[np.uint64], players: Iterable[int]) -> Counted:
    """Count the terms of a game's evaluation in positions, for a player of each.

    Behind the terms come the numbers of its table, if it has one, in place of the term that sums
    them, which then counts nothing.
    """
    heuristics, players = open_heuristics(game), list(players)
    features = np.zeros((len(rows), len(heuristics.terms)), np.float32)
    points = np.zeros(len(rows), np.float32)
    for index, (row, player) in enumerate(zip(rows, players, strict=True)):
        points[index] = heuristics.evaluate(row, int(player), heuristics.weights, features[index])
    if table := heuristics.table:
        features[:, [term.name for term in heuristics.terms].index(table.term)] = 0
        features = np.hstack([features, table.count(rows, players)])
    return Counted(features, points - features @ np.array(fitted_weights(game), np.float32))


def fitted_weights(game: str) -> list[float]:
    """Return all that is fitted in a game's evaluation: weights, then the numbers of a table."""
    heuristics = open_heuristics(game)
    numbers = heuristics.table.numbers.values() if heuristics.table else ()
    return [*(term.weight for term in heuristics.terms), *numbers]


@dataclass(frozen=True)
class Sampled:
    """A finished game of which samples are taken."""

    number: int
    winner: int | None
    """None after a draw."""
    opening: int
    """The key of the position at the end of its opening."""


def choose_rows(kernel: Kernel, candidates: Iterable[Row], of: Sampled) -> Samples:
    """Return the first distinct positions of a game, `PER_GAME` at most, as samples.

    Rows can hold what the kernel has remembered on the way; samples hold the positions alone.
    """
    chosen: dict[int, Row] = {}
    for row in candidates:
        chosen.setdefault(int(kernel.key(row)), row)
        if len(chosen) == PER_GAME:
            break
    if not chosen:
        return Samples.none()
    rows = np.zeros((len(chosen), len(next(iter(chosen.values())))), np.uint64)
    for place, row in enumerate(chosen.values()):
        kernel.to_row(kernel.to_position(row), rows[place])
    results = [_result_for(of.winner, kernel.mover(row)) for row in rows]
    return Samples(
        rows,
        np.array(results, np.float32),
        np.full(len(rows), of.number, np.int64),
        np.full(len(rows), of.opening, np.uint64),
    )


class Sampler:
    """A collector of the searches in a play, which chooses the samples at its end.

    Searches evaluate positions at the ends of lines, where no tactics are left; so a sample is not
    a position of the play itself, but the one at the end of the principal variation from there,
    from which the score comes.

    Source: J. Baxter, A. Tridgell and L. Weaver, "KnightCap: a chess program that learns by
    combining TD(λ) with game-tree search" (1998), for the ends of principal variations; P.
    Österlund, "Texel's tuning method" (Chess Programming Wiki), for results as the target.
    """

    def __init__(self, game: str) -> None:
        self._kernel: Kernel = open_kernel(game)
        self._heuristics: Heuristics = open_heuristics(game)
        self._weights = self._heuristics.weights
        self._seen: list[tuple[Position, Sequence[Info]]] = []

    def see(self, play: Play, told: Sequence[Info]) -> None:
        """Keep the results of a search of a play's position, depth by depth."""
        self._seen.append((play.position, told))

    def choose(self, of: Sampled, rng: Random) -> Samples:
        """Return samples of a finished play, and forget it."""
        seen, self._seen = self._seen, []
        rng.shuffle(seen)
        rows = (self.end_of_line(position, told) for position, told in seen)
        return choose_rows(self._kernel, (row for row in rows if row is not None), of)

    def end_of_line(self, position: Position, told: Sequence[Info]) -> NDArray[np.uint64] | None:
        """Return the position whose evaluation is the score of a search, at the greatest depth.

        Returns: None if the score comes from elsewhere: a proven win, a repetition, an interrupted
            search.
        """
        for info in reversed(told):
            end = position
            for action in info.pv:
                end = end.play_unchecked(action)
            row = self._row_of(end)
            if self._kernel.result(row) != ONGOING or self._heuristics.detect_win(row):
                continue
            mover = self._kernel.mover(row)
            features = np.zeros(len(self._heuristics.terms), np.float32)
            points = self._heuristics.evaluate(row, mover, self._weights, features)
            if info.score.points == (points if mover == position.mover else -points):
                return row
        return None

    def _row_of(self, position: Position) -> NDArray[np.uint64]:
        row = np.zeros(self._kernel.words(position), np.uint64)
        self._kernel.to_row(position, row)
        return row


def _result_for(winner: int | None, player: int) -> float:
    return 0.5 if winner is None else float(winner == player)
