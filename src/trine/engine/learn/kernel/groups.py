"""Weights that inputs share in training (a factorizer), compiled.

The weights of an input are its own plus those of its groups
(`trine.core.contract.NetInputs.factorizer`), so an example of one input trains its whole group a
little.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.compiled.jit import kernel

Floats = NDArray[np.float32]

_F2: Final = types.Array(types.float32, 2, "C")
_I2: Final = types.Array(types.int32, 2, "C")


@kernel(types.void(_F2, _F2, _I2))
def share_gradient(gradient: Floats, of_groups: Floats, factorizer: NDArray[np.int32]) -> None:
    """Sum the gradients of inputs over their groups."""
    for way in range(factorizer.shape[0]):
        for place in range(factorizer.shape[1]):
            group = factorizer[way, place]
            if group >= 0:
                for lane in range(gradient.shape[1]):
                    of_groups[group, lane] += gradient[place, lane]


@kernel(types.void(_F2, _F2, _I2, types.float32, _F2))
def add_groups(
    own: Floats, groups: Floats, factorizer: NDArray[np.int32], bound: float, first: Floats
) -> None:
    """Write the weights of inputs: their own, plus those of their groups."""
    for place in range(own.shape[0]):
        for lane in range(own.shape[1]):
            first[place, lane] = own[place, lane]
        for way in range(factorizer.shape[0]):
            group = factorizer[way, place]
            if group >= 0:
                for lane in range(own.shape[1]):
                    first[place, lane] += groups[group, lane]
        for lane in range(own.shape[1]):
            first[place, lane] = min(max(first[place, lane], -bound), bound)
