"""The turns of strong players, some of which a net learns from, and the others judge it by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.doors import NetInputs
from trine.learn.batches import batch_of, mean_said, new_scratch
from trine.learn.imitated import Imitated
from trine.learn.kernel.choosing import (
    Alternatives,
    learn_choices,
    loss_of_choices,
    write_chances,
)
from trine.learn.kernel.training import Batch, Weights


@dataclass(frozen=True)
class Likeness:
    """The loss of turns of strong players that are held out. Units: nats a turn."""

    turns: int
    held_out: int
    sharpness: float
    """As `trine.learn.imitation` has it, by the terms alone."""
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
    def of(cls, inputs: NetInputs, imitated: Imitated, weight: float, seed: int) -> Turns:
        """Return turns, a tenth of whose games judge.

        Raises:
            TrineError: they are of too few games.
        """
        inside, outside = imitated.divide(seed)
        sharpness = imitated.sharpness(inside)
        batch = batch_of(inputs, imitated.active, imitated.seen, imitated.played)
        scratch = np.zeros(int(imitated.sizes.max()))
        choices = Alternatives(imitated.firsts, imitated.players, scratch)
        return cls(batch, batch, choices, inside, outside, sharpness, weight)

    def after(self, teachers: Sequence[Weights], trust: float) -> Turns:
        """Return the same to be learned from the mean of what teachers say, by a share of trust."""
        batch = self.judged
        shares = np.zeros(len(batch.targets), np.float32)
        taught = batch._replace(terms=batch.terms + mean_said(teachers, batch))
        write_chances(teachers[0], taught, new_scratch(), self.choices, self.sharpness, shares)
        shares = (trust * shares + (1 - trust) * batch.targets).astype(np.float32)
        return self._replace(taught=batch._replace(targets=shares))

    def learn(
        self, net: Weights, slopes: Weights, part: NDArray[np.int64], rng: np.random.Generator
    ) -> None:
        """Add the slopes of some turns, each changed by a symmetry of the game."""
        learn_choices(
            net,
            slopes,
            self.taught,
            new_scratch(),
            self.choices,
            part,
            rng.integers(0, len(self.taught.mirrored), len(part)),
            self.sharpness,
            self.weight,
        )
