"""A trained net in the whole numbers of the search, and back."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.engine.learn.kernel.training import Batch, Weights, forward
from trine.engine.learn.logistic import POINTS
from trine.engine.learn.network.batches import new_scratch
from trine.engine.search.kernel.net import ONE_IN, ONE_OUT, ONE_TERM, USUAL
from trine.engine.search.nets import NetFile

HARDLY_EVER: Final = 0.99
"""The share of positions in which a net adds or takes away less than its margin. Guess."""
NEVER_FARTHER: Final = 20_000
"""Units: points; the margin where nothing is known."""


def scaled(net: Weights, scale: float) -> Weights:
    """Return a net whose output is that of another times a scale."""
    return net._replace(
        output_weights=net.output_weights * np.float32(scale),
        output_bias=net.output_bias * np.float32(scale),
    )


def margins_of(net: Weights, batch: Batch, order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return what the net hardly ever adds, for each set of output weights. Units: points."""
    scratch, buckets = new_scratch(), batch.buckets[order]
    added = np.abs([forward(net, batch, scratch, sample, 0) for sample in order]) * POINTS
    margins = np.full(len(net.output_bias), NEVER_FARTHER, np.int32)
    for bucket in np.unique(buckets):
        margins[bucket] = np.ceil(np.quantile(added[buckets == bucket], HARDLY_EVER))
    return margins


def rounded(net: Weights, margins: NDArray[np.int32], units: NDArray[np.float32]) -> NetFile:
    """Return a net in the whole numbers of the search.

    Args: ``units`` in which it sees terms; the search has them as they are counted.
    """
    return NetFile(
        np.rint(net.input_weights * ONE_IN).astype(np.int16),
        np.rint(net.hidden_bias * ONE_IN).astype(np.int16),
        np.rint(net.output_weights * ONE_OUT).astype(np.int16),
        np.rint(net.output_bias * ONE_IN * ONE_OUT).astype(np.int32),
        margins,
        float(POINTS / (ONE_IN * ONE_OUT)),
        np.rint(net.term_weights * (ONE_IN * ONE_TERM / USUAL)).astype(np.int16),
        (USUAL / units).astype(np.float32),
    )


def units_of_net(net: NetFile) -> NDArray[np.float32]:
    """Return the units in which a net sees terms."""
    return (USUAL / net.term_scales).astype(np.float32)


def in_real_numbers(net: NetFile) -> Weights:
    """Return a net of the search in real numbers, to see terms in the units that it has."""
    return Weights(
        (net.input_weights / ONE_IN).astype(np.float32),
        (net.hidden_bias / ONE_IN).astype(np.float32),
        (net.output_weights / ONE_OUT).astype(np.float32),
        (net.output_bias / (ONE_IN * ONE_OUT)).astype(np.float32),
        (net.term_weights * (USUAL / (ONE_IN * ONE_TERM))).astype(np.float32),
    )
