"""Steps of AdamW for the weights of a net, with what the room asks of the weights."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import NetInputs
from trine.engine.learn.kernel.groups import add_groups, share_gradient
from trine.engine.learn.kernel.training import Weights, adamw_step
from trine.engine.search.kernel.net import HIDDEN, LANES, ONE_IN, ONE_OUT, ONE_TERM, SEERS, USUAL
from trine.engine.search.nets import MOST_SUM

Floats = NDArray[np.float32]

TERMS_AT_FIRST: Final = 0.03
"""The usual size of the weights of terms before anything is learned. Guess."""


class AdamW:
    """A net that learns, its gradient, and the moments of the gradient.

    The net says the opposite for the other player where the room asks for it. Where inputs share
    weights, the net holds the sums; the parts stand beside it.
    """

    def __init__(
        self,
        inputs: NetInputs,
        first: Weights,
        rate: float,
        decay: float,
        steps: int,
    ) -> None:
        """Take the net as it is at first, which is changed, and the greatest rate.

        The rate falls to 0 along a cosine within so many steps.
        """
        self.net = first
        self.gradient = _zeros_like(self.net)
        self._inputs, self._rate, self._decay = inputs, rate, decay
        self._steps, self._done = steps, 0
        self._shared = inputs.shared
        self._own, self._groups = self.net.input_weights, np.zeros((0, HIDDEN), np.float32)
        if self._shared is not None:
            self._own = self.net.input_weights.copy()
            self._groups = np.zeros((int(self._shared.max()) + 1, HIDDEN), np.float32)
        self._of_groups = np.zeros_like(self._groups)
        self._learned: tuple[Floats, ...] = (self._own, *self.net[1:], self._groups)
        self._means = [np.zeros_like(part) for part in self._learned]
        self._squares = [np.zeros_like(part) for part in self._learned]

    def step(self) -> None:
        """Make a step down the gradient, which is 0 afterwards."""
        self._make_fit()
        rate = self._rate * (1 + np.cos(np.pi * self._done / self._steps)) / 2
        self._done += 1
        decays = (self._decay, 0.0, self._decay, 0.0, self._decay, self._decay)
        bounds = (
            (bound_of_inputs(self._inputs),) * 2 + (bound_of_output(),) * 2 + (bound_of_terms(),)
        )
        for weights, gradient, means, squares, decay, bound in zip(
            self._learned,
            (*self.gradient, self._of_groups),
            self._means,
            self._squares,
            decays,
            (*bounds, bounds[0]),
            strict=True,
        ):
            adamw_step(
                weights.reshape(-1),
                gradient.reshape(-1),
                means.reshape(-1),
                squares.reshape(-1),
                rate,
                decay,
                bound,
                self._done,
            )
        if self._shared is not None:
            add_groups(self._own, self._groups, self._shared, bounds[0], self.net.input_weights)

    def _make_fit(self) -> None:
        """Let the gradient be that of what is learned."""
        if self._shared is not None:
            share_gradient(self.gradient.input_weights, self._of_groups, self._shared)
        if self._inputs.antisymmetric:
            outputs = self.gradient.output_weights
            outputs[:, :HIDDEN] = (outputs[:, :HIDDEN] - outputs[:, HIDDEN:]) / 2
            outputs[:, HIDDEN:] = -outputs[:, :HIDDEN]
            self.gradient.output_bias[:] = 0


def bound_of_inputs(inputs: NetInputs) -> float:
    """Return the greatest weight of an input with which no accumulator can overflow."""
    return (MOST_SUM / (inputs.most + 1) - 1) / ONE_IN


def bound_of_output() -> float:
    """Return the greatest weight of the output that 16 bits can hold."""
    return (np.iinfo(np.int16).max - 1) / ONE_OUT


def bound_of_terms() -> float:
    """Return the greatest weight of a usual term that 16 bits can hold."""
    return (np.iinfo(np.int16).max - 1) * USUAL / (ONE_IN * ONE_TERM)


def random_weights(inputs: NetInputs, terms: int, rng: np.random.Generator) -> Weights:
    """Return random weights, whose output is near 0."""
    spread = 1 / np.sqrt(inputs.most)
    net = Weights(
        (rng.standard_normal((len(inputs.mirrored), HIDDEN)) * spread).astype(np.float32),
        np.full(HIDDEN, 0.25, np.float32),
        (rng.standard_normal((inputs.buckets, LANES)) * 0.05).astype(np.float32),
        np.zeros(inputs.buckets, np.float32),
        (rng.standard_normal((terms, SEERS)) * TERMS_AT_FIRST).astype(np.float32),
    )
    if inputs.antisymmetric:
        net.output_weights[:, HIDDEN:] = -net.output_weights[:, :HIDDEN]
    return net


def _zeros_like(net: Weights) -> Weights:
    return Weights(*(np.zeros_like(part) for part in net))
