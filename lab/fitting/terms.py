"""The counts of an evaluation's terms in positions, and arrays with other weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fitting.piece_squares import count_piece_squares
from trine.games import open_heuristics, open_kernel


@dataclass(frozen=True)
class Counted:
    """The counts of an evaluation's terms in positions."""

    counts: NDArray[np.float32]
    """Shapes: position, terms then table entries. From one player's view."""
    rest: NDArray[np.float32]
    """Shapes: position. Units: points; the rest of the evaluation besides its terms times weights:
    rounding, and other weights that it looks up."""


def count_terms(game: str, rows: NDArray[np.uint64]) -> Counted:
    """Count the terms of a game's evaluation in positions, for the player to move."""
    mover = open_kernel(game).mover
    return count_terms_for(game, rows, [mover(row) for row in rows])


def count_terms_for(game: str, rows: NDArray[np.uint64], players: Iterable[int]) -> Counted:
    """Count the terms of a game's evaluation in positions, each for a given player.

    The entries of a piece-square table follow the terms; the term that sums them then counts 0.
    """
    heuristics, players = open_heuristics(game), list(players)
    counts = np.zeros((len(rows), len(heuristics.terms)), np.float32)
    points = np.zeros(len(rows), np.float32)
    for index, (row, player) in enumerate(zip(rows, players, strict=True)):
        points[index] = heuristics.evaluate(row, int(player), heuristics.weights, counts[index])
    if table := heuristics.table:
        counts[:, [term.name for term in heuristics.terms].index(table.term)] = 0
        assert game == "arimaa", "no other game has a table"
        counts = np.hstack([counts, count_piece_squares(rows, players)])
    return Counted(counts, points - counts @ np.array(fitted_weights(game), np.float32))


def fitted_weights(game: str) -> list[float]:
    """Return all fitted numbers of a game's evaluation: weights, then the table's entries."""
    heuristics = open_heuristics(game)
    numbers = heuristics.table.numbers.values() if heuristics.table else ()
    return [*(term.weight for term in heuristics.terms), *numbers]


def weights_with(game: str, weights: Sequence[float]) -> NDArray[np.float32]:
    """Return the array that an evaluation looks up, with other fitted numbers."""
    heuristics = open_heuristics(game)
    looked_up: NDArray[np.float32] = heuristics.weights.copy()
    terms = len(heuristics.terms)
    looked_up[: min(terms, len(weights))] = weights[:terms]
    if heuristics.table and len(weights) > terms:
        looked_up[terms:] = heuristics.table.spread(weights[terms:])
    return looked_up
