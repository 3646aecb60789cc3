"""Named tuples that compiled code passes by address.

Numba passes a tuple by copying its whole content at each call; an array takes seven words or more.
A tuple passed from Python into compiled code stays at its address until the call returns, and its
fields never change, so the address is enough for all nested calls.
"""

from typing import Any, TypeVar

from llvmlite import ir
from numba import extending
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate

from trine.core.compiled.jit import NUMBA_TYPES, type_of

Named = TypeVar("Named", bound=type)


class ByAddress(types.Type):  # type: ignore[misc]
    """The compiled type of a named tuple that is passed by address."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole
        super().__init__(f"address of {whole}")


extending.register_model(ByAddress)(extending.models.OpaqueModel)


def by_address(named: Named) -> Named:
    """Make kernels pass a named tuple, whose fields are annotated, by address."""
    NUMBA_TYPES[named] = kind = ByAddress(type_of(named))  # type: ignore[attr-defined]
    extending.typeof_impl.register(named)(lambda value, context: kind)
    return named


@extending.unbox(ByAddress)
def _placed(kind: ByAddress, given: Any, called: Any) -> extending.NativeValue:
    """Copy a tuple from Python to the stack of the call."""
    whole = called.unbox(kind.whole, given)
    place = cgutils.alloca_once_value(called.builder, whole.value)
    address = called.builder.bitcast(place, cgutils.voidptr_t)

    def forget() -> None:
        if called.context.enable_nrt:  # references are counted only if indices are checked
            called.context.nrt.decref(called.builder, kind.whole, whole.value)

    return extending.NativeValue(address, is_error=whole.is_error, cleanup=forget)


@extending.infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = ByAddress

    def generic_resolve(self, kind: ByAddress, name: str) -> Any:
        fields = kind.whole.fields
        return kind.whole.types[fields.index(name)] if name in fields else None


@extending.lower_getattr_generic(ByAddress)
def _field(context: Any, builder: Any, kind: ByAddress, address: Any, name: str) -> Any:
    place = builder.bitcast(address, context.get_value_type(kind.whole).as_pointer())
    index = kind.whole.fields.index(name)
    field = cgutils.gep_inbounds(builder, place, 0, index)
    value = _read(builder, field, field.type.pointee)
    return impl_ret_borrowed(context, builder, kind.whole.types[index], value)


def _read(builder: Any, place: Any, kind: Any) -> Any:
    """Read a value word by word, because often only a part of an array is needed."""
    parts = getattr(kind, "elements", None) or [None] * getattr(kind, "count", 0)
    if not parts:
        return builder.load(place)
    value = ir.Constant(kind, ir.Undefined)
    for index, part in enumerate(parts):
        at = cgutils.gep_inbounds(builder, place, 0, index)
        value = builder.insert_value(value, _read(builder, at, part or kind.element), index)
    return value
