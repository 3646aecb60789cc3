"""Rows of arrays passed between kernels as pointers instead of views.

Making and dropping a view counts its references atomically; in kernels where an action takes a few
nanoseconds, that takes longer than playing it. So kernels pass rows as bare pointers; for debugging
they pass views, whose indices Numba can check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from trine.core.compiled.jit import kernel

Function = TypeVar("Function", bound=Callable[..., Any])
Words = NDArray[np.uint64]
Items = TypeVar("Items", bound=NDArray[Any])

AS_ARRAYS: Final = bool(numba.config.DISABLE_JIT or numba.config.BOUNDSCHECK)
"""Whether rows are views of arrays, for debugging, or bare pointers."""
ROW: Final = "uint64[::1]" if AS_ARRAYS else "CPointer(uint64)"
OUT: Final = "int32[::1]" if AS_ARRAYS else "CPointer(int32)"
RowPointer: TypeAlias = Annotated[NDArray[np.uint64], ROW]
"""A row, as functions within a kernel pass it."""
BufferPointer: TypeAlias = Annotated[NDArray[np.int32], OUT]
"""A buffer of actions, as functions within a kernel pass it."""


@intrinsic  # type: ignore[untyped-decorator]
def _at(typing_context: Any, rows: Any, ply: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(array.shape, rows.ndim - 1)
        return builder.gep(array.data, [builder.mul(arguments[1], width)])

    return types.CPointer(rows.dtype)(rows, ply), code


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typing_context: Any, rows: Any, place: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(array.shape, rows.ndim - 1)
        at = builder.gep(array.data, [builder.mul(arguments[1], width)])
        address, number = cgutils.voidptr_t, ir.IntType(32)
        fetch = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [address, number, number, number]),
            "llvm.prefetch.p0i8",
        )
        reading, keeping, data = (number(value) for value in (0, 3, 1))
        builder.call(fetch, [builder.bitcast(at, address), reading, keeping, data])
        return context.get_dummy_value()

    return types.void(rows, place), code


def inlined(*signatures: str) -> Callable[[Function], Function]:
    """Compile a function that is inlined into kernels; it cannot be called from Python."""
    return kernel(*signatures, no_cpython_wrapper=not AS_ARRAYS, forceinline=True)


def on_stack(dtype: Any, length: int) -> Callable[[], Any]:
    """Return a function for kernels that makes an uninitialized array on the stack of its caller.

    Kernels are compiled without reference counting, so they cannot allocate. The array is freed
    when the calling function returns.
    """
    if numba.config.DISABLE_JIT:
        return lambda: np.zeros(length, dtype.name)

    @intrinsic  # type: ignore[untyped-decorator]
    def new_array(typing_context: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, item = ir.IntType(64), context.get_value_type(dtype)
            size = ir.Constant(word, length)
            bytes_each = ir.Constant(word, dtype.bitwidth // 8)
            array = context.make_array(signature.return_type)(context, builder)
            populate_array(
                array,
                data=cgutils.alloca_once(builder, item, size=size),
                shape=cgutils.pack_array(builder, [size]),
                strides=cgutils.pack_array(builder, [bytes_each]),
                itemsize=bytes_each,
                meminfo=None,
            )
            return array._getvalue()

        return types.Array(dtype, 1, "C")(), code

    return new_array  # type: ignore[no-any-return]


@inlined("void(uint64[:, ::1], int64)")
def prefetch(rows: Words, place: int) -> None:
    if not numba.config.DISABLE_JIT:
        _prefetch(rows, place)


@inlined(f"{ROW}(uint64[:, ::1], int64)")
def row_at(rows: Words, ply: int) -> Words:
    if AS_ARRAYS:
        return rows[ply]
    return _at(rows, ply)


@inlined(f"{ROW}(uint64[::1])", f"{OUT}(int32[::1])")
def as_pointer(array: Items) -> Items:
    """Return a row, or a buffer, in the form in which functions within a kernel pass it."""
    if AS_ARRAYS:
        return array
    return _at(array, 0)
