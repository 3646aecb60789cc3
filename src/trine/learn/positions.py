"""Positions that a net learns from, each once: of recorded games, and others with scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.score import DRAW
from trine.games import open_heuristics, open_kernel
from trine.learn.game_files import GameBatch
from trine.learn.labels import LabelBatch
from trine.search.kernel.assess import one_bucket
from trine.search.kernel.games import FULLY, SEARCHED
from trine.search.kernel.replay import SEEN, replay, see_all
from trine.search.layout import functions_of
from trine.search.nets import words_for

POINTS: Final = 400 / math.log(10)
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
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """Return the positions of all parts, each once; games of different parts are others."""
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


def positions_of(
    game: str, batches: Iterable[GameBatch], weights: NDArray[np.float32] | None = None
) -> Positions:
    """Return the distinct positions of games in which searches took all their nodes.

    Args: ``weights`` of the terms; those of the room, unless they are given.
    """
    eye = Eye.of(game, weights)
    actives, seens, results, openings = [], [], [], []
    for batch in batches:
        if not len(batch.starts):
            continue
        active = np.zeros((len(batch.moves), eye.words), np.uint64)
        seen = np.zeros(len(batch.moves), SEEN)
        found = replay(
            eye.functions,
            eye.stage,
            batch.starts,
            batch.lengths,
            batch.moves,
            SEARCHED | FULLY,
            eye.weights,
            eye.features,
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
        return _none(eye)
    seen = np.concatenate(seens)
    seen["game"] = np.unique(np.concatenate(openings), return_inverse=True)[1]
    kept = np.sort(np.unique(seen["key"], return_index=True)[1])
    return Positions(np.concatenate(actives)[kept], seen[kept], np.concatenate(results)[kept])


def positions_of_labels(
    game: str, batches: Iterable[LabelBatch], weights: NDArray[np.float32] | None = None
) -> Positions:
    """Return the distinct positions of files of labels about which a search asks a net.

    Args: ``weights`` of the terms; those of the room, unless they are given.
    """
    eye, parts = Eye.of(game, weights), []
    for batch in batches:
        active, seen, asked = eye.see(batch.rows)
        seen["score"] = batch.scores
        seen["game"] = np.unique(batch.games, return_inverse=True)[1]
        parts.append(Positions(active[asked], seen[asked], batch.results[asked]))
    return Positions.joined(parts) if parts else _none(eye)


@dataclass(frozen=True, eq=False)
class Eye:
    """All that sees positions of a game as its nets do."""

    functions: tuple[Any, ...]
    stage: Any
    words: int
    """The number of words that hold a bit for each input."""
    weights: NDArray[np.float32]
    """All that the evaluation looks up."""
    features: NDArray[np.float32]
    """Scratch: the terms as they are counted."""

    @classmethod
    def of(cls, game: str, weights: NDArray[np.float32] | None = None) -> Eye:
        """Return the eye of a game whose room has inputs."""
        heuristics = open_heuristics(game)
        assert heuristics.net is not None
        return cls(
            tuple(functions_of(open_kernel(game), heuristics)),
            heuristics.net.stage or one_bucket,
            words_for(len(heuristics.net.mirrored)),
            heuristics.weights if weights is None else weights,
            np.zeros(len(heuristics.terms), np.float32),
        )

    def see(
        self, rows: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.bool_]]:
        """Return the inputs of positions, what else is seen, and whether a net is asked of each."""
        count = len(rows)
        active = np.zeros((count, self.words), np.uint64)
        seen, asked = np.zeros(count, SEEN), np.zeros(count, np.uint8)
        if count:
            see_all(
                self.functions,
                self.stage,
                np.ascontiguousarray(rows),
                self.weights,
                self.features,
                active,
                seen,
                asked,
            )
        return active, seen, asked.astype(np.bool_)


def _none(eye: Eye) -> Positions:
    return Positions(
        np.zeros((0, eye.words), np.uint64), np.zeros(0, SEEN), np.zeros(0, np.float32)
    )


def _keys(game: str, batch: GameBatch) -> NDArray[np.uint64]:
    key = open_kernel(game).key
    return np.array([key(row) for row in batch.starts], np.uint64)
