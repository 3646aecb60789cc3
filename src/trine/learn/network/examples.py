"""Examples that a net learns from, each once: of recorded games, and of any other dataset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import DRAW
from trine.games import open_kernel
from trine.learn.dataset import Dataset
from trine.learn.logistic import POINTS
from trine.learn.sources.games import GameBatch
from trine.selfplay.features import FeatureExtractor
from trine.selfplay.kernel.replay import SEEN


@dataclass(frozen=True)
class Examples:
    """Positions as a net sees them, with what is to be learned about them."""

    active: NDArray[np.uint64]
    """Shapes: position, word. The features that are active, as the first player sees them."""
    seen: NDArray[Any]
    """Shapes: position. Records of the fields of `trine.selfplay.kernel.replay.SEEN`, but ``game``
    is the number of the game's opening among all distinct openings."""
    results: NDArray[np.float32]
    """Shapes: position. For the player to move: 1, 0, or half for a draw; not a number where there
    is none."""

    def __len__(self) -> int:
        return len(self.results)

    def targets(self, share: float) -> NDArray[np.float32]:
        """Return the chances to be learned: results by a share, the rest by scores of searches."""
        by_score = 1 / (1 + np.exp(-self.seen["score"].astype(np.float64) / POINTS))
        mixed = (share * self.results + (1 - share) * by_score).astype(np.float32)
        targets: NDArray[np.float32] = np.where(
            np.isnan(self.results), by_score.astype(np.float32), mixed
        )
        return targets

    @classmethod
    def none(cls, words: int) -> Examples:
        """Return no examples, of features that fill some words."""
        none = np.zeros(0, np.float32)
        return cls(np.zeros((0, words), np.uint64), np.zeros(0, SEEN), none)

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Return the examples of all parts, each once; games of different parts are others."""
        seens, first = [], 0
        for part in parts:
            seen = part.seen.copy()
            seen["game"] += first
            seens.append(seen)
            first += int(part.seen["game"].max()) + 1 if len(part) else 0
        seen = np.concatenate(seens)
        kept = np.sort(np.unique(seen["key"], return_index=True)[1])
        return cls(
            np.concatenate([part.active for part in parts])[kept],
            seen[kept],
            np.concatenate([part.results for part in parts])[kept],
        )


def examples_of_games(
    game: str, batches: Iterable[GameBatch], weights: NDArray[np.float32] | None = None
) -> Examples:
    """Return the distinct positions of games in which searches took all their nodes.

    Args: ``weights`` of the terms; those of the room, unless they are given.
    """
    extractor, key = FeatureExtractor.of(game, weights), open_kernel(game).key
    actives, seens, results, openings = [], [], [], []
    for batch in batches:
        if not len(batch.starts):
            continue
        active, seen = extractor.replay(batch.starts, batch.lengths, batch.moves)
        winner = batch.results[seen["game"]]
        results.append(np.where(winner == DRAW, 0.5, winner == seen["mover"]).astype(np.float32))
        openings.append(np.array([key(row) for row in batch.starts], np.uint64)[seen["game"]])
        actives.append(active)
        seens.append(seen)
    if not seens:
        return Examples.none(extractor.words)
    seen = np.concatenate(seens)
    seen["game"] = np.unique(np.concatenate(openings), return_inverse=True)[1]
    return Examples.joined([Examples(np.concatenate(actives), seen, np.concatenate(results))])


def examples_of(
    game: str, datasets: Iterable[Dataset], weights: NDArray[np.float32] | None = None
) -> Examples:
    """Return the distinct positions of datasets with scores about which a search asks a net.

    Args: ``weights`` of the terms; those of the room, unless they are given.
    """
    extractor = FeatureExtractor.of(game, weights)
    parts = [Examples.none(extractor.words)]
    for data in datasets:
        active, seen, asked = extractor.extract(data.rows)
        asked &= ~np.isnan(data.scores)
        seen["score"] = np.where(asked, data.scores, 0)
        seen["game"] = np.unique(data.openings, return_inverse=True)[1]
        parts.append(Examples(active[asked], seen[asked], data.results[asked]))
    return Examples.joined(parts)
