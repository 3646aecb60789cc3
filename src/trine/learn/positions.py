"""Positions that a net learns from: those of recorded games, each once, with results and scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.score import DRAW
from trine.games import open_heuristics, open_kernel
from trine.learn.game_files import GameBatch
from trine.search.kernel.games import FULLY, SEARCHED
from trine.search.kernel.replay import SEEN, replay
from trine.search.layout import functions_of

POINTS: Final = 400 / np.log(10)
"""Units: points; the logarithm of odds is 1 there."""


@dataclass(frozen=True)
class Positions:
    """Positions of games, as a net sees them."""

    active: NDArray[np.uint64]
    """Shapes: position, word. The inputs that are set, as the first player sees them."""
    seen: NDArray[Any]
    """Shapes: position. Records of the fields of `trine.search.kernel.replay.SEEN`, but ``game`` is
    the number of the game's start among all distinct starts."""
    results: NDArray[np.float32]
    """Shapes: position. For the player to move: 1, 0, or half for a draw."""

    def __len__(self) -> int:
        return len(self.results)

    def targets(self, share: float) -> NDArray[np.float32]:
        """Return the chances to be learned: results by a share, the rest by scores of searches."""
        by_score = 1 / (1 + np.exp(-self.seen["score"].astype(np.float64) / POINTS))
        mixed: NDArray[np.float32] = (share * self.results + (1 - share) * by_score).astype(
            np.float32
        )
        return mixed


def positions_of(
    game: str, batches: Iterable[GameBatch], weights: NDArray[np.float32] | None = None
) -> Positions:
    """Return the distinct positions of games in which searches took all their nodes.

    Args: ``weights`` of the terms; those of the room, unless they are given.
    """
    kernel, heuristics = open_kernel(game), open_heuristics(game)
    assert heuristics.net is not None
    looked_up = heuristics.weights if weights is None else weights
    functions = tuple(functions_of(kernel, heuristics))
    words = (len(heuristics.net.mirrored) + 63) // 64
    features = np.zeros(len(heuristics.terms), np.float32)
    actives, seens, results, openings = [], [], [], []
    for batch in batches:
        if not len(batch.starts):
            continue
        active = np.zeros((len(batch.moves), words), np.uint64)
        seen = np.zeros(len(batch.moves), SEEN)
        found = replay(
            functions,
            batch.starts,
            batch.lengths,
            batch.moves,
            SEARCHED | FULLY,
            looked_up,
            features,
            np.zeros((3, batch.starts.shape[1]), np.uint64),
            active,
            seen,
        )
        seen = seen[:found]
        winner = batch.results[seen["game"]]
        results.append(np.where(winner == DRAW, 0.5, winner == seen["mover"]).astype(np.float32))
        openings.append(_keys(game, batch)[seen["game"]])
        actives.append(active[:found])
        seens.append(seen)
    if not seens:
        return Positions(
            np.zeros((0, words), np.uint64), np.zeros(0, SEEN), np.zeros(0, np.float32)
        )
    seen = np.concatenate(seens)
    seen["game"] = np.unique(np.concatenate(openings), return_inverse=True)[1]
    kept = np.sort(np.unique(seen["key"], return_index=True)[1])
    return Positions(np.concatenate(actives)[kept], seen[kept], np.concatenate(results)[kept])


def _keys(game: str, batch: GameBatch) -> NDArray[np.uint64]:
    key = open_kernel(game).key
    return np.array([key(row) for row in batch.starts], np.uint64)
