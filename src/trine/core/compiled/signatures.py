"""The signature that Numba compiles a kernel for, read from the kernel's annotations.

>>> from trine.core.compiled.arrays import Row
>>> def mover(row: Row, ply: int) -> bool: ...
>>> signature_of(mover)
(Array(uint64, 1, 'C', False, aligned=True), int64) -> bool
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import numpy as np
from numba import types
from numba.core import sigutils

SCALARS: Final = {
    bool: types.boolean,
    float: types.float64,
    int: types.int64,
    np.float32: types.float32,
    np.uint64: types.uint64,
    type(None): types.void,
}


def signature_of(function: Callable[..., Any]) -> Any:
    """Return the signature of a function whose arguments and result are all annotated."""
    hints = get_type_hints(function, include_extras=True)
    result = type_of(hints.pop("return"))
    return result(*map(type_of, hints.values()))


def type_of(hint: Any) -> Any:
    """Return Numba's type for an annotation: a scalar, an array, a tuple or a named tuple.

    What looks alike in Python and differs in Numba, such as arrays of one and of two dimensions, is
    ``Annotated`` with Numba's type, or with its name.
    """
    if hint in SCALARS:
        return SCALARS[hint]
    if get_origin(hint) is Annotated:
        (kind,) = hint.__metadata__
        return sigutils._parse_signature_string(kind) if isinstance(kind, str) else kind
    if get_origin(hint) is tuple:
        return types.BaseTuple.from_types(tuple(map(type_of, get_args(hint))))
    fields = get_type_hints(hint, include_extras=True)
    return types.BaseTuple.from_types(tuple(map(type_of, fields.values())), hint)
