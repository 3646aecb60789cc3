"""Training a small net on positions of games: in real numbers, then rounded for the search.

Guarantee: the same positions, settings and seed give the same net, on machines whose processors
have the same instructions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import NetInputs
from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.games import open_heuristics
from trine.learn.kernel.training import Batch, Weights, learn, loss_of
from trine.learn.logistic import POINTS
from trine.learn.network.adamw import AdamW
from trine.learn.network.batches import batch_of, mean_output, new_scratch, stages_of
from trine.learn.network.examples import Examples
from trine.learn.network.preferences import Likeness, SeenPreferences, Turns
from trine.learn.network.rounding import in_real_numbers, margins_of, rounded, scaled
from trine.search.nets import NetFile

HELD_OUT: Final = 0.1
"""The share of the openings whose positions judge the net and are not learned from. Guess."""
TRUST: Final = 0.75
"""The share of what teachers say in the targets, if there are any. Guess."""
FEWEST: Final = 1000
"""Units: positions; fewer teach nothing."""


@dataclass(frozen=True)
class Settings:
    """The settings of a training."""

    epochs: int = 20
    """The number of times that each position is learned from."""
    batch: int = 1024
    """Units: positions; of one step."""
    rate: float = 0.002
    """The size of a step at the beginning; it falls to 0 along a cosine."""
    decay: float = 0.01
    """The share of a weight that it loses, for each unit of the rates of all steps."""
    share: float = 0.25
    """The share of results in the targets; the rest are scores of searches."""
    patience: int = 5
    """Units: epochs; after so many without a better loss the training ends."""
    teachers: int = 0
    """The number of nets that learn before, each from other random weights. The net learns from the
    mean of what they say, which is truer than each: nets that learn from few positions differ."""
    seed: int = 0
    imitation: float = 0.03
    """The weight of the mean loss of a turn that is imitated, against that of a position."""
    output_scale: float = 1.0
    """The factor of the output when the net has learned."""


@dataclass(frozen=True)
class Epoch:
    """The losses of an epoch of training. Units: nats a position."""

    number: int
    learned: float
    """The loss of the positions that are learned from, as the net was when it met them."""
    held_out: float
    """The loss of those held out."""
    turns: float | None = None
    """The loss of turns of strong players that are held out; None where none are learned from.
    Units: nats a turn."""


@dataclass(frozen=True)
class Trained:
    """A net, and how its training went."""

    net: NetFile
    before: float
    """The loss of the held-out positions by the terms alone."""
    after: float
    """The same with the net, rounded as it is."""
    epochs: tuple[Epoch, ...]
    positions: int
    held_out: int
    seconds: float
    likeness: Likeness | None = None
    """The losses of turns of strong players; None where none are learned from."""
    stages: tuple[float, ...] = ()
    """Units: points; what was added to the terms of each stage of a turn. Empty where there is one.
    """

    def as_data(self) -> dict[str, Any]:
        """Return all but the net, as JSON knows it."""
        return {
            "before": self.before,
            "after": self.after,
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "positions": self.positions,
            "held_out": self.held_out,
            "seconds": self.seconds,
            "likeness": self.likeness and asdict(self.likeness),
            "stages": [round(points, 1) for points in self.stages],
        }


def train(
    game: str,
    examples: Examples,
    settings: Settings,
    told: Callable[[Epoch], object] = lambda epoch: None,
    preferences: SeenPreferences | None = None,
) -> Trained:
    """Train a net on examples of a game, from random weights, after its teachers.

    Args: ``told`` hears of all epochs, those of teachers included; ``preferences`` are turns
    that the net learns from, too.

    Raises:
        TrineError: there are too few positions, or turns.
    """
    began, inputs = time.monotonic(), open_heuristics(game).net
    assert inputs is not None
    if len(examples) < FEWEST:
        raise TrineError(
            text(
                "{count} positions are too few to learn from; take {least} at least",
                count=len(examples),
                least=FEWEST,
            )
        )
    rng = np.random.default_rng(settings.seed)
    judging = rng.random(int(examples.seen["game"].max()) + 1) < HELD_OUT
    held = judging[examples.seen["game"]]
    inside, outside = np.flatnonzero(~held), np.flatnonzero(held)
    if not len(outside):  # of very few openings
        inside, outside = inside[: -len(inside) // 10], inside[-len(inside) // 10 :]
    batch = batch_of(inputs, examples.active, examples.seen, examples.targets(settings.share))
    stages = stages_of(batch, examples.seen["stage"], inside) if inputs.stage else np.zeros(0)
    if inputs.stage:
        by_stage = stages[examples.seen["stage"]].astype(np.float32)
        batch = batch._replace(terms=batch.terms + by_stage)
    turns = None
    if preferences is not None:
        turns = Turns.of(inputs, preferences, settings.imitation, settings.seed)
    sets = _Sets(batch, batch, inside, outside, turns)
    if settings.teachers:
        sets = _taught(
            sets, [_learned(inputs, settings, sets, rng, told)[0] for _ in range(settings.teachers)]
        )
    best, history = _learned(inputs, settings, sets, rng, told)
    before = loss_of(best, batch, new_scratch(), outside, 0.0)
    final = scaled(best, settings.output_scale)
    net = rounded(final, margins_of(final, batch, outside))
    after = loss_of(in_real_numbers(net), batch, new_scratch(), outside, 1.0)
    likeness = turns and turns.likeness(in_real_numbers(net))
    seconds, counts = time.monotonic() - began, (len(inside), len(outside))
    points = tuple(float(one * POINTS) for one in np.trim_zeros(stages, "b"))
    return Trained(net, before, after, tuple(history), *counts, seconds, likeness, points)


class _Sets(NamedTuple):
    """Positions to learn from, and others to judge by."""

    taught: Batch
    """With the targets to be learned."""
    judged: Batch
    """The same with those that judge."""
    inside: NDArray[np.int64]
    """The numbers of the positions that are learned from."""
    outside: NDArray[np.int64]
    """The numbers of the positions that judge."""
    turns: Turns | None


def _taught(sets: _Sets, teachers: Sequence[Weights]) -> _Sets:
    """Return what is learned from the mean of what teachers say, and partly from the facts."""
    batch = sets.judged
    chances = 1 / (1 + np.exp(-(mean_output(teachers, batch) + batch.terms)))
    targets = (TRUST * chances + (1 - TRUST) * batch.targets).astype(np.float32)
    turns = sets.turns and sets.turns.after(teachers, TRUST)
    return sets._replace(taught=batch._replace(targets=targets), turns=turns)


def _learned(
    inputs: NetInputs,
    settings: Settings,
    sets: _Sets,
    rng: np.random.Generator,
    told: Callable[[Epoch], object],
) -> tuple[Weights, list[Epoch]]:
    """Return the net with the best loss of a training from random weights, and the epochs."""
    steps = -(-len(sets.inside) // settings.batch)
    optimizer = AdamW(inputs, rng, settings.rate, settings.decay, steps * settings.epochs)
    net, losses, turns = optimizer.net, list[float](), sets.turns
    best, history = _copied(net), list[Epoch]()
    for number in range(1, settings.epochs + 1):
        learned = _learn_once(optimizer, settings.batch, sets, rng)
        held_out = loss_of(net, sets.judged, new_scratch(), sets.outside, 1.0)
        epoch = Epoch(number, learned, held_out, turns and turns.loss(net))
        history.append(epoch)
        told(epoch)
        loss = held_out + (turns.weight * (epoch.turns or 0.0) if turns else 0.0)
        if loss < min(losses, default=np.inf):
            best = _copied(net)
        losses.append(loss)
        if number - 1 - int(np.argmin(losses)) >= settings.patience:
            break
    return best, history


def _learn_once(optimizer: AdamW, size: int, sets: _Sets, rng: np.random.Generator) -> float:
    """Learn from each sample once, in random order; return their mean loss."""
    order, batch, total = rng.permutation(sets.inside), sets.taught, 0.0
    symmetries = rng.integers(0, len(batch.mirrored), len(order))
    steps = range(0, len(order), size)
    net, gradient, scratch, turns = optimizer.net, optimizer.gradient, new_scratch(), sets.turns
    chosen = np.array_split(rng.permutation(turns.inside), len(steps)) if turns else None
    for number, begin in enumerate(steps):
        part = order[begin : begin + size]
        mirrored = symmetries[begin : begin + size]
        total += learn(net, gradient, batch, scratch, part, mirrored) * len(part)
        if turns and chosen and len(chosen[number]):
            turns.learn(net, gradient, chosen[number], rng)
        optimizer.step()
    return total / len(order)


def _copied(net: Weights) -> Weights:
    return Weights(*(part.copy() for part in net))
