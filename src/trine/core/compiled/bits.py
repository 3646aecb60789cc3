"""Sets of up to 64 items as bits of one integer, for kernels.

In compiled code ``uint64`` mixed with a literal becomes signed, so every literal is written as
``np.uint64(1)``; `ONE` and `NONE` save most of them.
"""

from __future__ import annotations

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


@intrinsic  # type: ignore[untyped-decorator]
def _count(typing_context: Any, value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), code


@intrinsic  # type: ignore[untyped-decorator]
def _lowest(typing_context: Any, value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), code


@intrinsic  # type: ignore[untyped-decorator]
def _zeros_above(typing_context: Any, value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), code


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
