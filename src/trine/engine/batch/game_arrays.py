"""The arrays of a batch: what there is of each game, and what of it a step tells."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import ONGOING

STOPPED: Final = -3
"""The result of a game that was stopped at its limit of actions."""


class Transition(NamedTuple):
    """The state of each game after a step.

    Shapes, for n games: all belong to the batch, cannot be written to, and change with its next
        step; copy what is to be kept. After a game has ended, and begun again, ``rewards``,
        ``done`` and ``truncated`` are those of the end, the others those of the new beginning.
    """

    observations: NDArray[np.int8]
    """``int8[n, planes, rows, columns]``: what the player to move sees."""
    masks: NDArray[np.bool_]
    """``bool[n, numbers of actions]``: which actions are legal; none after the end."""
    movers: NDArray[np.int8]
    """``int8[n]``: the player to move."""
    rewards: NDArray[np.float32]
    """``float32[n, players]``: with the end 1 for the winner and -1 for the others, all 0 after a
    draw; else 0."""
    done: NDArray[np.bool_]
    """``bool[n]``: whether the game has ended with this step, or had before."""
    truncated: NDArray[np.bool_]
    """``bool[n]``: whether that was at the limit of actions; then the rewards are 0."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of the arrays, besides the number of games."""

    players: int
    actions: int
    """The number of distinct action numbers."""
    most_actions: int
    """The greatest number of actions that are legal at once."""
    keys: int
    """The number of positions that a game may have to remember."""
    shape: tuple[int, int, int]
    """Planes, rows and columns of an observation."""


@dataclass(frozen=True)
class Arrays:
    """All that there is of each game; the shapes are told by ``kernel.py``."""

    starts: NDArray[np.uint64]
    rows: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    stood: NDArray[np.int32]
    results: NDArray[np.int8]
    plies: NDArray[np.int64]
    """The number of actions that have been played."""
    actions: NDArray[np.int32]
    legal: NDArray[np.int32]
    counts: NDArray[np.int32]
    masks: NDArray[np.bool_]
    movers: NDArray[np.int8]
    seen: NDArray[np.int8]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    truncated: NDArray[np.bool_]

    @classmethod
    def allocate(cls, sizes: Sizes, starts: NDArray[np.uint64]) -> Self:
        """All arrays, empty, for games that begin with some rows."""
        games, words = starts.shape
        return cls(
            starts=starts,
            rows=np.zeros((games, 2, words), np.uint64),
            keys=np.zeros((games, sizes.keys), np.uint64),
            stood=np.zeros((games, 2), np.int32),
            results=np.full(games, ONGOING, np.int8),
            plies=np.zeros(games, np.int64),
            actions=np.zeros(games, np.int32),
            legal=np.zeros((games, sizes.most_actions), np.int32),
            counts=np.zeros(games, np.int32),
            masks=np.zeros((games, sizes.actions), np.bool_),
            movers=np.zeros(games, np.int8),
            seen=np.zeros((games, int(np.prod(sizes.shape))), np.int8),
            rewards=np.zeros((games, sizes.players), np.float32),
            done=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
        )

    def as_step(self, shape: tuple[int, int, int]) -> Transition:
        """Return the arrays as the transition of a step, without a copy."""
        return Transition(
            _unwritable(self.seen.reshape(len(self.seen), *shape)),
            _unwritable(self.masks),
            _unwritable(self.movers),
            _unwritable(self.rewards),
            _unwritable(self.done),
            _unwritable(self.truncated),
        )

    def stretch(self, begin: int, end: int) -> Arrays:
        return Arrays(*(getattr(self, array.name)[begin:end] for array in fields(self)))


def _unwritable(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
