"""Sets of up to 64 items as bits of one integer, for kernels.

In compiled code ``uint64`` mixed with a literal becomes signed, so every literal is written as
``np.uint64(1)``; `ONE` and `NONE` save most of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from trine.core.compiled.jit import kernel

Word: TypeAlias = np.uint64
"""A set of bits, or a number combined with sets, in the annotations of kernels."""
NONE: Final = np.uint64(0)
ONE: Final = np.uint64(1)


def _on_word(instruction: Callable[..., Any], *constants: Any) -> Any:
    """Return an instruction of the processor, from a word to a word, for kernels."""

    @intrinsic  # type: ignore[untyped-decorator]
    def compiled(typing_context: Any, value: Any) -> Any:
        signature = types.uint64(types.uint64)
        return signature, lambda _, builder, __, given: instruction(builder, *given, *constants)

    return compiled


_NEVER_ZERO: Final = ir.Constant(ir.IntType(1), 1)
_count = _on_word(ir.IRBuilder.ctpop)
_lowest = _on_word(ir.IRBuilder.cttz, _NEVER_ZERO)
_zeros_above = _on_word(ir.IRBuilder.ctlz, _NEVER_ZERO)


if numba.config.DISABLE_JIT:

    def count(bits: np.uint64) -> int:
        return int(bits).bit_count()

    def lowest(bits: np.uint64) -> int:
        """Return the index of the lowest set bit; there must be one."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def highest(bits: np.uint64) -> int:
        """Return the index of the highest set bit; there must be one."""
        return int(bits).bit_length() - 1

else:

    @kernel()
    def count(bits: np.uint64) -> int:
        return np.int64(_count(bits))  # type: ignore[return-value]

    @kernel()
    def lowest(bits: np.uint64) -> int:
        return np.int64(_lowest(bits))  # type: ignore[return-value]

    @kernel(forceinline=True)
    def highest(bits: np.uint64) -> int:
        return 63 - np.int64(_zeros_above(bits))  # type: ignore[return-value]
