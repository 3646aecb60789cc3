"""Training a small net in floating point, then rounding it for the search.

Guarantee: equal positions, settings and seed give the same net on processors with the same
    instructions.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.heuristics import NetInputs
from trine.core.errors import TrineError
from trine.engine.learn.kernel.training_step import (
    TrainingBatch,
    Weights,
    adamw_step,
    add_groups,
    forward,
    learn,
    loss_of,
    share_gradient,
)
from trine.engine.learn.network.examples import (
    POINTS,
    Examples,
    batch_of,
    calibrate,
    calibration_of,
    mean_output,
    new_scratch,
    sizes_of,
)
from trine.engine.search.kernel.net import (
    HIDDEN,
    LANES,
    ONE_IN,
    ONE_OUT,
    ONE_TERM,
    TERM_UNITS,
    TYPICAL_TERM,
)
from trine.engine.search.nets import MAX_SUM, NetFile, input_terms
from trine.games import open_heuristics

Floats = NDArray[np.float32]

INITIAL_TERM_SPREAD: Final = 0.03  # the standard deviation of initial term weights. Guess


class AdamW:
    """A net in training, its gradient, and the moments of the gradient.

    Antisymmetric nets stay antisymmetric. If inputs share weights, the net has the sums, and the
    parts are stored separately.
    """

    def __init__(
        self,
        inputs: NetInputs,
        first: Weights,
        learning_rate: float,
        weight_decay: float,
        steps: int,
    ) -> None:
        """Start from a net, updated in place; the rate falls along a cosine within ``steps``."""
        self.net = first
        self.gradient = Weights(*map(np.zeros_like, self.net))
        self._inputs, self._learning_rate, self._weight_decay = inputs, learning_rate, weight_decay
        self._steps, self._done = steps, 0
        self._factorizer = inputs.factorizer
        self._own, self._groups = self.net.input_weights, np.zeros((0, HIDDEN), np.float32)
        if self._factorizer is not None:
            self._own = self.net.input_weights.copy()
            self._groups = np.zeros((int(self._factorizer.max()) + 1, HIDDEN), np.float32)
        self._of_groups = np.zeros_like(self._groups)
        self._learned: tuple[Floats, ...] = (self._own, *self.net[1:], self._groups)
        self._means = [np.zeros_like(part) for part in self._learned]
        self._squares = [np.zeros_like(part) for part in self._learned]

    def step(self) -> None:
        self._make_fit()
        learning_rate = self._learning_rate * (1 + np.cos(np.pi * self._done / self._steps)) / 2
        self._done += 1
        decay, of_inputs = self._weight_decay, np.float32(bound_of_inputs(self._inputs))
        of_output, of_terms = bound_of_output(), bound_of_terms()
        for weights, gradient, means, squares, weight_decay, bound in zip(
            self._learned,
            (*self.gradient, self._of_groups),
            self._means,
            self._squares,
            (decay, 0.0, decay, 0.0, decay, decay),
            (of_inputs, of_inputs, of_output, of_output, of_terms, of_inputs),
            strict=True,
        ):
            adamw_step(
                weights.reshape(-1),
                gradient.reshape(-1),
                means.reshape(-1),
                squares.reshape(-1),
                learning_rate,
                weight_decay,
                bound,
                self._done,
            )
        if self._factorizer is not None:
            add_groups(self._own, self._groups, self._factorizer, of_inputs, self.net.input_weights)

    def _make_fit(self) -> None:
        if self._factorizer is not None:
            share_gradient(self.gradient.input_weights, self._of_groups, self._factorizer)
        if self._inputs.antisymmetric:
            outputs = self.gradient.output_weights
            outputs[:, :HIDDEN] = (outputs[:, :HIDDEN] - outputs[:, HIDDEN:]) / 2
            outputs[:, HIDDEN:] = -outputs[:, :HIDDEN]
            self.gradient.output_bias[:] = 0


def bound_of_inputs(inputs: NetInputs) -> float:
    """Return the largest weight of an input that lets no accumulator overflow."""
    return (MAX_SUM / (inputs.max_active + 1) - 1) / ONE_IN


def bound_of_output() -> float:
    """Return the largest output weight that fits into 16 bits."""
    return (np.iinfo(np.int16).max - 1) / ONE_OUT


def bound_of_terms() -> float:
    """Return the largest weight of a typical term that fits into 16 bits."""
    return (np.iinfo(np.int16).max - 1) * TYPICAL_TERM / (ONE_IN * ONE_TERM)


def random_weights(inputs: NetInputs, terms: int, rng: np.random.Generator) -> Weights:
    spread = 1 / np.sqrt(inputs.max_active)
    net = Weights(
        (rng.standard_normal((len(inputs.mirrored), HIDDEN)) * spread).astype(np.float32),
        np.full(HIDDEN, 0.25, np.float32),
        (rng.standard_normal((inputs.buckets, LANES)) * 0.05).astype(np.float32),
        np.zeros(inputs.buckets, np.float32),
        (rng.standard_normal((terms, TERM_UNITS)) * INITIAL_TERM_SPREAD).astype(np.float32),
    )
    if inputs.antisymmetric:
        net.output_weights[:, HIDDEN:] = -net.output_weights[:, :HIDDEN]
    return net


MARGIN_QUANTILE: Final = 0.99  # the share of positions with a net's output within its margin. Guess
MAX_MARGIN: Final = 20_000  # points; the margin of buckets without positions


def scaled(net: Weights, scale: float) -> Weights:
    return net._replace(
        output_weights=net.output_weights * np.float32(scale),
        output_bias=net.output_bias * np.float32(scale),
    )


def margins_of(net: Weights, batch: TrainingBatch, order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the margins for lazy evaluation, by output bucket. Units: points."""
    scratch, buckets = new_scratch(), batch.buckets[order]
    added = np.abs([forward(net, batch, scratch, sample, 0) for sample in order]) * POINTS
    margins = np.full(len(net.output_bias), MAX_MARGIN, np.int32)
    for bucket in np.unique(buckets):
        margins[bucket] = np.ceil(np.quantile(added[buckets == bucket], MARGIN_QUANTILE))
    return margins


def quantize(
    net: Weights, margins: NDArray[np.int32], sizes: NDArray[np.float32], terms: tuple[str, ...]
) -> NetFile:
    """Quantize a net for the search; training divides ``terms`` by their typical ``sizes``."""
    return NetFile(
        np.rint(net.input_weights * ONE_IN).astype(np.int16),
        np.rint(net.hidden_bias * ONE_IN).astype(np.int16),
        np.rint(net.output_weights * ONE_OUT).astype(np.int16),
        np.rint(net.output_bias * ONE_IN * ONE_OUT).astype(np.int32),
        margins,
        float(POINTS / (ONE_IN * ONE_OUT)),
        np.rint(net.term_weights * (ONE_IN * ONE_TERM / TYPICAL_TERM)).astype(np.int16),
        (TYPICAL_TERM / sizes).astype(np.float32),
        terms,
    )


def term_sizes_of(net: NetFile, usual: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the typical sizes of terms in a net, or ``usual`` ones for terms new to the net."""
    scales = net.term_scales
    return np.divide(TYPICAL_TERM, scales, out=usual.copy(), where=scales > 0)


def dequantize(net: NetFile) -> Weights:
    """Dequantize a net of the search; terms count in units of their typical sizes."""
    return Weights(
        (net.input_weights / ONE_IN).astype(np.float32),
        (net.hidden_bias / ONE_IN).astype(np.float32),
        (net.output_weights / ONE_OUT).astype(np.float32),
        (net.output_bias / (ONE_IN * ONE_OUT)).astype(np.float32),
        (net.term_weights * (TYPICAL_TERM / (ONE_IN * ONE_TERM))).astype(np.float32),
    )


VALIDATION_SHARE: Final = 0.1
"""The share of the openings whose positions are held out for validation. Guess."""
TEACHER_SHARE: Final = 0.75
"""The weight of the teachers' output in the targets, if there are teachers. Guess."""
MIN_POSITIONS: Final = 1000  # positions; fewer are not worth training on


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a training run."""

    epochs: int = 20  # number of passes over the positions
    batch_size: int = 1024  # positions in a step
    learning_rate: float = 0.002  # the initial learning rate, which falls to 0 along a cosine
    weight_decay: float = 0.01  # AdamW's decoupled weight decay
    patience: int = 5  # epochs; training ends after this many epochs without a better loss
    teachers: int = 0
    """The size of the ensemble, each net trained from other random weights. The net is distilled
    from the ensemble's mean, which is better than any member if positions are few."""
    seed: int = 0
    output_scale: float = 1.0  # the factor of the output after training


@dataclass(frozen=True)
class Epoch:
    """The losses of an epoch of training. Units: nats for each position."""

    number: int
    learned: float  # the training loss, averaged during the epoch
    held_out: float  # the validation loss


@dataclass(frozen=True)
class Trained:
    """A trained net, and the history of its training."""

    net: NetFile
    before: float  # the validation loss of the terms without a net
    after: float  # the validation loss with the quantized net
    epochs: tuple[Epoch, ...]
    positions: int
    held_out: int
    seconds: float
    slopes: tuple[float, ...] = ()  # the calibrating factor of the terms, by bucket
    stages: tuple[float, ...] = ()  # points; the offset of each stage of a turn

    def as_data(self) -> dict[str, Any]:
        """Return everything but the net, as JSON data."""
        return {
            "before": self.before,
            "after": self.after,
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "positions": self.positions,
            "held_out": self.held_out,
            "seconds": self.seconds,
            "slopes": [round(slope, 3) for slope in self.slopes],
            "stages": [round(points, 1) for points in self.stages],
        }


def train(
    game: str,
    examples: Examples,
    settings: TrainingSettings,
    on_progress: Callable[[Epoch], object] = lambda epoch: None,
    first: NetFile | None = None,
) -> Trained:
    """Train a net on examples of a game, after its ensemble of teachers.

    ``on_progress`` gets all epochs, those of teachers included; ``first`` is a net of the game to
    start from, instead of random weights. Raises `TrineError` for too few positions.
    """
    began, inputs = time.monotonic(), open_heuristics(game).net
    assert inputs is not None
    if len(examples) < MIN_POSITIONS:
        raise TrineError(
            "{count} positions are too few to learn from; take {least} at least",
            count=len(examples),
            least=MIN_POSITIONS,
        )
    rng = np.random.default_rng(settings.seed)
    judging = rng.random(int(examples.records["game"].max()) + 1) < VALIDATION_SHARE
    held = judging[examples.records["game"]]
    training_rows, validation_rows = np.flatnonzero(~held), np.flatnonzero(held)
    if not len(validation_rows):  # possible if there are very few openings
        training_rows, validation_rows = (
            training_rows[: -len(training_rows) // 10],
            training_rows[-len(training_rows) // 10 :],
        )
    sizes, terms = sizes_of(examples.counts), input_terms(inputs)
    if first:
        first = first.seeing(terms)
        sizes = term_sizes_of(first, sizes)
    plain = batch_of(inputs, examples, sizes)
    slopes, stages = shape = calibration_of(plain, examples.records["stage"], training_rows)
    batch = calibrate(plain, examples.records["stage"], shape)
    # If terms are scaled down, the net's output is scaled up as much.
    worth = float(slopes[batch.buckets].mean())
    scale = settings.output_scale / worth
    known = scaled(dequantize(first), 1 / scale) if first else None
    steps = settings.epochs * -(-len(training_rows) // settings.batch_size)

    def learned(sets: _Sets) -> tuple[Weights, list[Epoch]]:
        net = _copy(known) if known else random_weights(inputs, batch.counts.shape[1], rng)
        optimizer = AdamW(inputs, net, settings.learning_rate, settings.weight_decay, steps)
        return _train(optimizer, settings, sets, rng, on_progress)

    sets = _Sets(batch, batch, training_rows, validation_rows)
    if settings.teachers:
        sets = _distill(sets, [learned(sets)[0] for _ in range(settings.teachers)])
    best, history = learned(sets)
    before = loss_of(best, batch, new_scratch(), validation_rows, 0.0)
    final = scaled(best, scale)
    net = quantize(final, margins_of(final, batch, validation_rows), sizes, terms)
    after = loss_of(dequantize(net), batch, new_scratch(), validation_rows, worth)
    seconds, counts = time.monotonic() - began, (len(training_rows), len(validation_rows))
    calibration = tuple(map(float, slopes)), tuple(float(one / worth * POINTS) for one in stages)
    return Trained(net, before, after, tuple(history), *counts, seconds, *calibration)


class _Sets(NamedTuple):
    """The positions with targets, and the split into rows for training and for validation."""

    training: TrainingBatch
    validation: TrainingBatch
    training_rows: NDArray[np.int64]
    validation_rows: NDArray[np.int64]


def _distill(sets: _Sets, teachers: Sequence[Weights]) -> _Sets:
    """Return sets whose targets mix the teachers' mean output with the labels."""
    batch = sets.validation
    chances = 1 / (1 + np.exp(-(mean_output(teachers, batch) + batch.terms)))
    targets = (TEACHER_SHARE * chances + (1 - TEACHER_SHARE) * batch.targets).astype(np.float32)
    return sets._replace(training=batch._replace(targets=targets))


def _train(
    optimizer: AdamW,
    settings: TrainingSettings,
    sets: _Sets,
    rng: np.random.Generator,
    on_progress: Callable[[Epoch], object],
) -> tuple[Weights, list[Epoch]]:
    """Return the net with the best validation loss, and the epochs."""
    net = optimizer.net
    losses = [loss_of(net, sets.validation, new_scratch(), sets.validation_rows, 1.0)]
    best, history = _copy(net), list[Epoch]()
    for number in range(1, settings.epochs + 1):
        learned = _learn_once(optimizer, settings.batch_size, sets, rng)
        held_out = loss_of(net, sets.validation, new_scratch(), sets.validation_rows, 1.0)
        epoch = Epoch(number, learned, held_out)
        history.append(epoch)
        on_progress(epoch)
        if held_out < min(losses):
            best = _copy(net)
        losses.append(held_out)
        if number - int(np.argmin(losses)) >= settings.patience:
            break
    return best, history


def _learn_once(optimizer: AdamW, size: int, sets: _Sets, rng: np.random.Generator) -> float:
    """Train on each sample once, in random order; return their mean loss."""
    order, batch, total = rng.permutation(sets.training_rows), sets.training, 0.0
    symmetries = rng.integers(0, len(batch.mirrored), len(order))
    net, gradient, scratch = optimizer.net, optimizer.gradient, new_scratch()
    for begin in range(0, len(order), size):
        part = order[begin : begin + size]
        mirrored = symmetries[begin : begin + size]
        total += learn(net, gradient, batch, scratch, part, mirrored) * len(part)
        optimizer.step()
    return total / len(order)


def _copy(net: Weights) -> Weights:
    return Weights(*(part.copy() for part in net))
