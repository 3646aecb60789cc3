"""Training a small net on positions of games: in real numbers, then rounded for the search.

Guarantee: the same positions, settings and seed give the same net, on machines whose processors
have the same instructions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.doors import NetInputs
from trine.core.errors import TrineError
from trine.core.text import text
from trine.games import open_heuristics
from trine.learn.kernel.training import (
    Batch,
    Scratch,
    Weights,
    add_outputs,
    forward,
    learn,
    loss_of,
    step,
)
from trine.learn.positions import POINTS, Positions
from trine.search.kernel.net import HIDDEN, LANES, ONE_IN, ONE_OUT
from trine.search.nets import MOST_SUM, NetFile

HELD_OUT: Final = 0.1
"""The share of the openings whose positions judge the net and are not learned from. Guess."""
TRUST: Final = 0.75
"""The share of what teachers say in the targets, if there are any. Guess."""
HARDLY_EVER: Final = 0.99
"""The share of positions in which a net adds or takes away less than its margin. Guess."""
NEVER_FARTHER: Final = 20_000
"""Units: points; the margin where nothing is known."""
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


@dataclass(frozen=True)
class Epoch:
    """The losses of an epoch of training. Units: nats a position."""

    number: int
    learned: float
    """The loss of the positions that are learned from, as the net was when it met them."""
    held_out: float
    """The loss of those held out."""


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

    def as_data(self) -> dict[str, Any]:
        """Return all but the net, as JSON knows it."""
        return {
            "before": self.before,
            "after": self.after,
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "positions": self.positions,
            "held_out": self.held_out,
            "seconds": self.seconds,
        }


def train(
    game: str,
    positions: Positions,
    settings: Settings,
    told: Callable[[Epoch], object] = lambda epoch: None,
) -> Trained:
    """Train a net on positions of a game, from random weights, after its teachers.

    Args: ``told`` hears of all epochs, those of teachers included.

    Raises:
        TrineError: there are too few positions.
    """
    began, inputs = time.monotonic(), open_heuristics(game).net
    assert inputs is not None
    if len(positions) < FEWEST:
        raise TrineError(
            text(
                "{count} positions are too few to learn from; take {least} at least",
                count=len(positions),
                least=FEWEST,
            )
        )
    rng = np.random.default_rng(settings.seed)
    judging = rng.random(int(positions.seen["game"].max()) + 1) < HELD_OUT
    held = judging[positions.seen["game"]]
    inside, outside = np.flatnonzero(~held), np.flatnonzero(held)
    if not len(outside):  # of very few openings
        inside, outside = inside[: -len(inside) // 10], inside[-len(inside) // 10 :]
    batch = _batch(inputs, positions, settings.share)
    sets = _Sets(batch, batch, inside, outside)
    said = np.zeros(len(positions), np.float32)
    for _ in range(settings.teachers):
        add_outputs(_learned(inputs, settings, sets, rng, told)[0], batch, _scratch(), said)
    if settings.teachers:
        chances = 1 / (1 + np.exp(-(said / settings.teachers + batch.terms)))
        targets = (TRUST * chances + (1 - TRUST) * batch.targets).astype(np.float32)
        sets = _Sets(batch._replace(targets=targets), batch, inside, outside)
    best, history = _learned(inputs, settings, sets, rng, told)
    before = loss_of(best, batch, _scratch(), outside, 0.0)
    rounded = _rounded(best, _margins(best, batch, outside))
    after = loss_of(_real(rounded), batch, _scratch(), outside, 1.0)
    seconds = time.monotonic() - began
    counts = (len(inside), len(outside))
    return Trained(rounded, before, after, tuple(history), *counts, seconds)


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


def _learned(
    inputs: NetInputs,
    settings: Settings,
    sets: _Sets,
    rng: np.random.Generator,
    told: Callable[[Epoch], object],
) -> tuple[Weights, list[Epoch]]:
    """Return the net with the best loss of a training from random weights, and the epochs."""
    net = _beginning(inputs, rng)
    best, best_loss, history = _copied(net), np.inf, list[Epoch]()
    run = _Run(net, inputs, settings, -(-len(sets.inside) // settings.batch))
    for number in range(1, settings.epochs + 1):
        learned = run.epoch(sets.taught, rng.permutation(sets.inside), rng)
        epoch = Epoch(number, learned, loss_of(net, sets.judged, _scratch(), sets.outside, 1.0))
        history.append(epoch)
        told(epoch)
        if epoch.held_out < best_loss:
            best, best_loss = _copied(net), epoch.held_out
        elif number - min(history, key=lambda one: one.held_out).number >= settings.patience:
            break
    return best, history


class _Run:
    """The state of a training: the net, and what AdamW remembers."""

    def __init__(self, net: Weights, inputs: NetInputs, settings: Settings, steps: int) -> None:
        self.net, self.settings = net, settings
        self.slopes, self.means, self.squares = (_zeros_like(net) for _ in range(3))
        self.bounds = (bound_of_inputs(inputs),) * 2 + (bound_of_output(),) * 2
        self.steps, self.done = steps * settings.epochs, 0

    def epoch(self, batch: Batch, order: NDArray[np.int64], rng: np.random.Generator) -> float:
        """Learn from samples in an order; return their mean loss."""
        scratch, total, size = _scratch(), 0.0, self.settings.batch
        symmetries = rng.integers(0, len(batch.mirrored), len(order))
        for begin in range(0, len(order), size):
            part = order[begin : begin + size]
            chosen = symmetries[begin : begin + size]
            total += learn(self.net, self.slopes, batch, scratch, part, chosen) * len(part)
            self._step()
        return total / len(order)

    def _step(self) -> None:
        rate = self.settings.rate * (1 + np.cos(np.pi * self.done / self.steps)) / 2
        self.done += 1
        decays = (self.settings.decay, 0.0, self.settings.decay, 0.0)
        for weights, slopes, means, squares, decay, bound in zip(
            self.net, self.slopes, self.means, self.squares, decays, self.bounds, strict=True
        ):
            step(
                weights.reshape(-1),
                slopes.reshape(-1),
                means.reshape(-1),
                squares.reshape(-1),
                rate,
                decay,
                bound,
                self.done,
            )


def bound_of_inputs(inputs: NetInputs) -> float:
    """Return the greatest weight of an input with which no sum can overflow."""
    return (MOST_SUM / (inputs.most + 1) - 1) / ONE_IN


def bound_of_output() -> float:
    """Return the greatest weight of the output that 16 bits can hold."""
    return (np.iinfo(np.int16).max - 1) / ONE_OUT


def _batch(inputs: NetInputs, positions: Positions, share: float) -> Batch:
    seen = positions.seen
    plain = np.arange(len(inputs.mirrored), dtype=np.int32)
    symmetries = [plain] if inputs.symmetries is None else list(inputs.symmetries)
    return Batch(
        positions.active,
        np.ascontiguousarray(seen["mover"]),
        np.ascontiguousarray(seen["bucket"]),
        (seen["terms"] / POINTS).astype(np.float32),
        positions.targets(share),
        np.ascontiguousarray([[one, inputs.mirrored[one]] for one in symmetries], np.int32),
    )


def _beginning(inputs: NetInputs, rng: np.random.Generator) -> Weights:
    """Return random weights, whose output is near 0."""
    spread = 1 / np.sqrt(inputs.most)
    return Weights(
        (rng.standard_normal((len(inputs.mirrored), HIDDEN)) * spread).astype(np.float32),
        np.full(HIDDEN, 0.25, np.float32),
        (rng.standard_normal((inputs.buckets, LANES)) * 0.05).astype(np.float32),
        np.zeros(inputs.buckets, np.float32),
    )


def _margins(net: Weights, batch: Batch, order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return what the net hardly ever adds, for each set of output weights. Units: points."""
    scratch, buckets = _scratch(), batch.buckets[order]
    added = np.abs([forward(net, batch, scratch, sample, 0) for sample in order]) * POINTS
    margins = np.full(len(net.rest), NEVER_FARTHER, np.int32)
    for bucket in np.unique(buckets):
        margins[bucket] = np.ceil(np.quantile(added[buckets == bucket], HARDLY_EVER))
    return margins


def _rounded(net: Weights, margins: NDArray[np.int32]) -> NetFile:
    """Return a net in the whole numbers of the search."""
    return NetFile(
        np.rint(net.first * ONE_IN).astype(np.int16),
        np.rint(net.bias * ONE_IN).astype(np.int16),
        np.rint(net.last * ONE_OUT).astype(np.int16),
        np.rint(net.rest * ONE_IN * ONE_OUT).astype(np.int32),
        margins,
        float(POINTS / (ONE_IN * ONE_OUT)),
    )


def _real(net: NetFile) -> Weights:
    """Return a net of the search in real numbers."""
    return Weights(
        (net.first / ONE_IN).astype(np.float32),
        (net.bias / ONE_IN).astype(np.float32),
        (net.last / ONE_OUT).astype(np.float32),
        (net.rest / (ONE_IN * ONE_OUT)).astype(np.float32),
    )


def _zeros_like(net: Weights) -> Weights:
    return Weights(*(np.zeros_like(part) for part in net))


def _copied(net: Weights) -> Weights:
    return Weights(*(part.copy() for part in net))


def _scratch() -> Scratch:
    return Scratch(np.zeros(LANES, np.float32), np.zeros(LANES, np.float32))
