"""The turns of strong players, some of which a net learns from, and the others judge it by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import NetInputs
from trine.learn.kernel.choosing import Alternatives, learn_choices, loss_of_choices, write_chances
from trine.learn.kernel.training import Batch, Weights
from trine.learn.network.batches import batch_of, mean_output, new_scratch
from trine.learn.preference_loss import PreferenceLoss
from trine.learn.preferences import Preferences
from trine.selfplay.features import FeatureExtractor

HELD_OUT: Final = 0.1
"""The share of the games whose turns judge the net and are not learned from. Guess."""


@dataclass(frozen=True)
class SeenPreferences:
    """Preferences as a net sees them."""

    active: NDArray[np.uint64]
    """Shapes: position, word. The features that are active after a turn, choice by choice, the
    played one first; as the first player sees them."""
    seen: NDArray[Any]
    """Shapes: position. As `trine.learn.network.examples.Examples` has them, but without scores."""
    sizes: NDArray[np.int64]
    """Shapes: choice. The number of its positions."""
    players: NDArray[np.uint8]
    """Shapes: choice. Its player."""
    games: NDArray[np.int64]
    """Shapes: choice. The number of its game."""

    @classmethod
    def of(
        cls, game: str, preferences: Preferences, weights: NDArray[np.float32] | None = None
    ) -> SeenPreferences:
        """Return preferences as nets of a game see them.

        Args: ``weights`` of the terms; those of the room, unless they are given.
        """
        active, seen, _ = FeatureExtractor.of(game, weights).extract(preferences.rows)
        players = preferences.players.astype(np.uint8)
        return cls(active, seen, preferences.sizes, players, preferences.games)

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
        points = signs * self.seen["terms"].astype(np.float64)
        loss = PreferenceLoss(np.zeros((len(points), 0)), points, self.sizes, self.games)
        loss.check_games()
        return math.exp(loss.part(np.unique(loss.game[chosen])).sharpness_of(np.zeros(0)))


@dataclass(frozen=True)
class Likeness:
    """The loss of turns of strong players that are held out. Units: nats a turn."""

    turns: int
    held_out: int
    sharpness: float
    """As `trine.learn.preference_loss` has it, by the terms alone."""
    before: float
    after: float


class Turns(NamedTuple):
    """Turns of strong players to learn from, and others to judge by."""

    taught: Batch
    """With the shares in which the turns should be chosen as its targets."""
    judged: Batch
    """The same with 1 for the turns that were played."""
    choices: Alternatives
    inside: NDArray[np.int64]
    """The numbers of the choices that are learned from."""
    outside: NDArray[np.int64]
    """The numbers of those that judge."""
    sharpness: float
    weight: float

    def loss(self, net: Weights, part: float = 1.0) -> float:
        """Return the loss of the turns that judge."""
        return loss_of_choices(
            net, self.judged, new_scratch(), self.choices, self.outside, self.sharpness, part
        )

    def likeness(self, net: Weights) -> Likeness:
        """Return the losses by the terms alone and with a net."""
        counts = (len(self.inside), len(self.outside))
        return Likeness(*counts, self.sharpness, self.loss(net, 0.0), self.loss(net))

    @classmethod
    def of(cls, inputs: NetInputs, seen: SeenPreferences, weight: float, seed: int) -> Turns:
        """Return turns, a tenth of whose games judge.

        Raises:
            TrineError: they are of too few games.
        """
        inside, outside = seen.divide(seed)
        sharpness = seen.sharpness(inside)
        batch = batch_of(inputs, seen.active, seen.seen, seen.played)
        choices = Alternatives(seen.firsts, seen.players, np.zeros(int(seen.sizes.max())))
        return cls(batch, batch, choices, inside, outside, sharpness, weight)

    def after(self, teachers: Sequence[Weights], trust: float) -> Turns:
        """Return the same to be learned from the mean of what teachers say, by a share of trust."""
        batch = self.judged
        shares = np.zeros(len(batch.targets), np.float32)
        taught = batch._replace(terms=batch.terms + mean_output(teachers, batch))
        write_chances(teachers[0], taught, new_scratch(), self.choices, self.sharpness, shares)
        shares = (trust * shares + (1 - trust) * batch.targets).astype(np.float32)
        return self._replace(taught=batch._replace(targets=shares))

    def learn(
        self, net: Weights, gradient: Weights, part: NDArray[np.int64], rng: np.random.Generator
    ) -> None:
        """Add the gradient of some turns, each changed by a symmetry of the game."""
        learn_choices(
            net,
            gradient,
            self.taught,
            new_scratch(),
            self.choices,
            part,
            rng.integers(0, len(self.taught.mirrored), len(part)),
            self.sharpness,
            self.weight,
        )
