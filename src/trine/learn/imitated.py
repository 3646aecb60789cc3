"""Turns of strong players as a net sees them, each among other turns of the same position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.learn.choices import Choices
from trine.learn.imitation import SHARPNESS, Imitation
from trine.learn.positions import Eye

HELD_OUT: Final = 0.1
"""The share of the games whose turns judge the net and are not learned from. Guess."""
GOLDEN: Final = (5**0.5 - 1) / 2
CLOSE: Final = 0.001
"""The logarithm of the sharpness is found as closely as this."""


@dataclass(frozen=True)
class Imitated:
    """Turns that a net learns to find good."""

    active: NDArray[np.uint64]
    """Shapes: position, word. The inputs that are set after a turn, choice by choice, the played
    one first; as the first player sees them."""
    seen: NDArray[Any]
    """Shapes: position. As `trine.learn.positions.Positions` has them, but without scores."""
    sizes: NDArray[np.int64]
    """Shapes: choice. The number of its positions."""
    players: NDArray[np.uint8]
    """Shapes: choice. Its player."""
    games: NDArray[np.int64]
    """Shapes: choice. The number of its game."""

    @classmethod
    def of(
        cls, game: str, choices: Choices, weights: NDArray[np.float32] | None = None
    ) -> Imitated:
        """Return the turns of some choices, as nets of a game see them.

        Args: ``weights`` of the terms; those of the room, unless they are given.
        """
        active, seen, _ = Eye.of(game, weights).see(choices.rows)
        players = choices.players.astype(np.uint8)
        return cls(active, seen, choices.sizes, players, choices.games)

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def firsts(self) -> NDArray[np.int64]:
        """Shapes: choice, and one more. The number of its first position."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @property
    def played(self) -> NDArray[np.float32]:
        """Shapes: position. 1 after a turn that was played, 0 after another."""
        played = np.zeros(len(self.seen), np.float32)
        played[self.firsts[:-1]] = 1
        return played

    def divide(self, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of the choices to learn from, and of those that judge, by games."""
        found, game = np.unique(self.games, return_inverse=True)
        order = np.random.default_rng((seed, len(found))).permutation(len(found))
        judging = np.isin(game, order[: max(1, round(HELD_OUT * len(found)))])
        return np.flatnonzero(~judging), np.flatnonzero(judging)

    def sharpness(self, chosen: NDArray[np.int64]) -> float:
        """Return the sharpness with which players follow the terms alone in some choices.

        Raises:
            TrineError: the turns are of too few games.
        """
        signs = np.where(self.seen["mover"] == np.repeat(self.players, self.sizes), 1.0, -1.0)
        choices = Choices(self.active[:0], self.sizes, self.players.astype(np.int64), self.games)
        whole = Imitation.of(
            choices, np.zeros((len(self.seen), 0)), signs * self.seen["terms"].astype(np.float64)
        )
        numbers = np.unique(whole.game[chosen])
        return float(np.exp(_least(whole.part(numbers))))


def _least(imitation: Imitation) -> float:
    """Return the logarithm of the sharpness with the least loss, by golden sections."""
    none, (low, high) = np.zeros(0), np.log(SHARPNESS)
    while high - low > CLOSE:
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if imitation.losses(none, left).mean() < imitation.losses(none, right).mean():
            high = right
        else:
            low = left
    return float(low + high) / 2
