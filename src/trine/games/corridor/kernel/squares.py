"""Sets of squares as values: unions, cuts, shifts, each told once for boards of all sizes.

A set is some words, of some whole ranks each, from the lowest up. Its type is a `Shape`; its
operators are ``|`` (either), ``&`` (both), ``-`` (the first without the second), ``^`` (one alone),
``==``, and its truth is whether any square is in it. What an operator does to the words is told in
Python, which runs while code is compiled: the words are then values of the compiler. Where code is
interpreted, they are numbers.

The bits of a word above its ranks have no meaning. Shifts to the north leave squares there, which
`clean` removes; they must not be counted, but floods through open sides go right with them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partialmethod, reduce
from inspect import Parameter, Signature
from itertools import pairwise
from typing import Any, Final

import numba
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin
from numba.np.arrayobj import make_array

INTERPRETED: Final = bool(numba.config.DISABLE_JIT)
SHORTEST: Final = 64
"""Units: bits; words are as long, or several times so."""


class Shape(types.Type):  # type: ignore[misc]
    """The type of a set: its words, the ranks in each, their distance, and the bits of a word."""

    def __init__(self, words: int, ranks: int, stride: int, length: int = SHORTEST) -> None:
        self.words, self.stride, self.bits, self.length = words, stride, ranks * stride, length
        super().__init__(f"Squares({words}, {ranks}, {stride}, {length})")


@register_default(Shape)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, shape: Shape) -> None:
        super().__init__(manager, shape, ir.ArrayType(ir.IntType(shape.length), shape.words))


class Squares:
    """A set where code is interpreted; its operators are told below."""

    __or__: Any
    __and__: Any
    __sub__: Any
    __xor__: Any

    def __init__(self, shape: Shape, words: Sequence[int]) -> None:
        self.shape, self.words = shape, [int(word) & (1 << shape.length) - 1 for word in words]


# --- words ---------------------------------------------------------------------------------------


class Word:
    """A word, a square or a truth while code is compiled: operators write the instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def as_long(self, bits: int) -> Any:
        """Return the value in another number of bits."""
        own, wanted = self.value.type.width, ir.IntType(bits)
        if own == bits:
            return self.value
        change = self.builder.zext if own < bits else self.builder.trunc
        return change(self.value, wanted)

    def _with(self, name: str, other: Any) -> Word:
        kind = self.value.type
        given = other.as_long(kind.width) if isinstance(other, Word) else kind(other)
        return Word(self.builder, getattr(self.builder, name)(self.value, given))

    def __invert__(self) -> Word:
        return Word(self.builder, self.builder.not_(self.value))

    def ctpop(self) -> Word:
        """Return the number of bits that are set."""
        return Word(self.builder, self.builder.ctpop(self.value))

    def cttz(self) -> Word:
        """Return the number of the lowest bit that is set."""
        return Word(self.builder, self.builder.cttz(self.value, ir.IntType(1)(1)))

    def is_at_least(self, bound: int) -> Word:
        """Return whether a square comes behind, or is, another."""
        return Word(
            self.builder, self.builder.icmp_signed(">=", self.value, self.value.type(bound))
        )

    def is_zero(self) -> Word:
        """Return whether all bits are 0."""
        return Word(self.builder, self.builder.icmp_unsigned("==", self.value, self.value.type(0)))


for _name, _instruction in (
    ("and", "and_"),
    ("or", "or_"),
    ("xor", "xor"),
    ("add", "add"),
    ("sub", "sub"),
    ("lshift", "shl"),
    ("rshift", "lshr"),
):
    setattr(Word, f"__{_name}__", partialmethod(Word._with, _instruction))


def ones(word: Any) -> Any:
    """Return the number of bits that are set."""
    return word.ctpop() if isinstance(word, Word) else word.bit_count()


def lowest(word: Any) -> Any:
    """Return the number of the lowest bit that is set; there must be one."""
    return word.cttz() if isinstance(word, Word) else max(0, (word & -word).bit_length() - 1)


def is_at_least(square: Any, bound: int) -> Any:
    """Return whether a square comes behind, or is, another."""
    return square.is_at_least(bound) if isinstance(square, Word) else square >= bound


def is_zero(word: Any) -> Any:
    """Return whether a word is 0."""
    return word.is_zero() if isinstance(word, Word) else not word


def is_not(truth: Any) -> Any:
    """Return the opposite of a truth."""
    return ~truth if isinstance(truth, Word) else not truth


def chosen(condition: Any, one: Any, other: Any) -> Any:
    """Return one or another word by a condition."""
    if not isinstance(condition, Word):
        return one if condition else other
    kind = one.value.type
    otherwise = other.value if isinstance(other, Word) else kind(other)
    return Word(one.builder, one.builder.select(condition.value, one.value, otherwise))


def one_bit(shape: Shape, number: Any) -> Any:
    """Return a word with one bit set."""
    if not isinstance(number, Word):
        return 1 << max(0, number)
    return Word(number.builder, ir.IntType(shape.length)(1))._with("shl", number)


# --- how a function on words becomes one on sets -------------------------------------------------

Told = Callable[..., Any]
"""A function of a shape, then of squares, and of sets as lists of words; it returns such a list, or
a word, or a truth."""


def _code(told: Told, shape: Shape, gives: Any) -> Callable[..., Any]:
    """Return what writes the instructions of a function on sets."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = [
            [Word(builder, builder.extract_value(value, place)) for place in range(kind.words)]
            if isinstance(kind, Shape)
            else Word(builder, value)
            for kind, value in zip(signature.args, arguments, strict=True)
        ]
        found = told(shape, *given)
        if not isinstance(gives, Shape):
            return found.as_long(1 if gives == types.boolean else gives.bitwidth)
        word = ir.IntType(gives.length)
        return _packed(builder, gives, [x.value if isinstance(x, Word) else word(x) for x in found])

    return code


def _packed(builder: Any, shape: Shape, values: Sequence[Any]) -> Any:
    packed = ir.Constant(ir.ArrayType(ir.IntType(shape.length), shape.words), ir.Undefined)
    for place, value in enumerate(values):
        packed = builder.insert_value(packed, value, place)
    return packed


def _interpreted(told: Told, shape: Shape | None = None, target: Shape | None = None) -> Told:
    """Return a function on sets for code that is interpreted."""

    def run(*given: Any) -> Any:
        own = shape or given[0].shape
        words = (one.words if isinstance(one, Squares) else int(one) for one in given)
        found = told(own, *words)
        return Squares(target or own, found) if isinstance(found, list) else found

    return run


def primitive(
    arguments: str, gives: Any = None, shape: Shape | None = None, target: Shape | None = None
) -> Callable[[Told], Any]:
    """Make a function for kernels of a function on words.

    Args: ``arguments`` names the arguments; ``gives`` is the type of the result, by default a set.
        ``shape`` is that of the first argument unless told, ``target`` that of the result.
    """

    def made(told: Told) -> Any:
        if INTERPRETED:
            return _interpreted(told, shape, target)

        def typed(typing_context: Any, *given: Any) -> Any:
            own = shape or given[0]
            result = gives or target or own
            return signature(result, *given), _code(told, own, result)

        names = ("typing_context", *arguments.split())
        typed.__signature__ = Signature(  # type: ignore[attr-defined]
            [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        )
        typed.__name__ = typed.__qualname__ = told.__name__
        return intrinsic(typed)

    return made


def _operator(symbol: Any, told: Told, arity: int = 2, gives: Any = None) -> None:
    """Make an operator on sets of a function on words."""
    setattr(Squares, f"__{symbol.__name__.strip('_')}__", _interpreted(told))
    if INTERPRETED:
        return

    @infer_global(symbol)
    class _Typed(AbstractTemplate):  # type: ignore[misc]
        key = symbol

        def generic(self, given: Any, _: Any) -> Any:
            if len(given) != arity or not isinstance(given[0], Shape) or len(set(given)) > 1:
                return None
            return signature(gives or given[0], *given)

    @lower_builtin(symbol, *[Shape] * arity)  # type: ignore[untyped-decorator]
    def code(context: Any, builder: Any, signed: Any, arguments: Any) -> Any:
        write = _code(told, signed.args[0], signed.return_type)
        return write(context, builder, signed, arguments)


def _word_by_word(told: Callable[[Any, Any], Any]) -> Told:
    return lambda _, one, other: [told(a, b) for a, b in zip(one, other, strict=True)]


def _is_empty(shape: Shape, words: Any) -> Any:
    return is_zero(reduce(operator.or_, words))


for _symbols, _told in (
    ((operator.or_, operator.ior), operator.or_),
    ((operator.and_, operator.iand), operator.and_),
    ((operator.sub, operator.isub), lambda word, less: word & ~less),
    ((operator.xor,), operator.xor),
):
    for _symbol in _symbols:
        _operator(_symbol, _word_by_word(_told))  # type: ignore[arg-type]
_operator(
    operator.eq,
    lambda shape, one, other: _is_empty(shape, _word_by_word(operator.xor)(shape, one, other)),
    gives=types.boolean,
)
_operator(bool, lambda shape, words: is_not(_is_empty(shape, words)), 1, types.boolean)
_operator(operator.not_, _is_empty, 1, types.boolean)


# --- functions on sets of any shape --------------------------------------------------------------


@primitive("squares")
def north_of(shape: Shape, words: Any) -> Any:
    """Return the squares one rank farther north."""
    up, carried = shape.stride, shape.bits - shape.stride
    return [words[0] << up, *[b << up | a >> carried for a, b in pairwise(words)]]


@primitive("squares")
def south_of(shape: Shape, words: Any) -> Any:
    """Return the squares one rank farther south."""
    down, carried = shape.stride, shape.bits - shape.stride
    return [*[a >> down | b << carried for a, b in pairwise(words)], words[-1] >> down]


@primitive("squares")
def east_of(shape: Shape, words: Any) -> Any:
    """Return the squares one file farther east; behind the last file comes the next rank."""
    return [word << 1 for word in words]


@primitive("squares")
def west_of(shape: Shape, words: Any) -> Any:
    """Return the squares one file farther west; before the first file comes the rank below."""
    return [word >> 1 for word in words]


@primitive("squares")
def clean(shape: Shape, words: Any) -> Any:
    """Return a set without the bits that have no meaning; the last word has none."""
    return [*[word & (1 << shape.bits) - 1 for word in words[:-1]], words[-1]]


@primitive("squares", types.int64)
def count_in(shape: Shape, words: Any) -> Any:
    """Return the number of squares in a set."""
    return reduce(operator.add, map(ones, words))


@primitive("squares square", types.boolean)
def has(shape: Shape, words: Any, square: Any) -> Any:
    """Return whether a square is in a set."""
    found, bit = words[0], square
    for place, word in enumerate(words[1:], start=1):
        is_here = is_at_least(square, place * shape.bits)
        found = chosen(is_here, word, found)
        bit = chosen(is_here, square - place * shape.bits, bit)
    return is_not(is_zero(found >> bit & 1))


@primitive("squares", types.int64)
def first_of(shape: Shape, words: Any) -> Any:
    """Return the first square of a set that is not empty."""
    found = lowest(words[-1]) + shape.bits * (shape.words - 1)
    for place in reversed(range(shape.words - 1)):
        found = chosen(
            is_not(is_zero(words[place])), lowest(words[place]) + shape.bits * place, found
        )
    return found


@primitive("squares")
def without_first(shape: Shape, words: Any) -> Any:
    """Return a set without its first square."""
    found, before = [words[0] & words[0] - 1], words[0]
    for word in words[1:]:
        found.append(chosen(is_zero(before), word & word - 1, word))
        before = before | word
    return found


@primitive("squares place", types.uint64)
def word_of(shape: Shape, words: Any, place: Any) -> Any:
    """Return the 64 bits of a set with a number."""
    shifts = range(0, shape.length, SHORTEST)
    parts = [word >> shift & (1 << SHORTEST) - 1 for word in words for shift in shifts]
    found = parts[0]
    for number, part in enumerate(parts[1:], start=1):
        found = chosen(is_at_least(place, number), part, found)
    return found


# --- functions that make sets of one shape -------------------------------------------------------


def maker_of_one(shape: Shape) -> Any:
    """Return a function that returns the set of one square."""

    @primitive("square", shape=shape)
    def one(shape: Shape, square: Any) -> Any:
        if shape.words == 1:
            return [one_bit(shape, square)]
        low, high = one_bit(shape, square), one_bit(shape, square - shape.bits)
        is_high = is_at_least(square, shape.bits)
        return [chosen(is_not(is_high), low, 0), chosen(is_high, high, 0)]

    return one


def maker_of(shape: Shape, *words: int) -> Any:
    """Return a function that returns a constant set."""
    return primitive("", shape=shape)(lambda _: [*words])


def widener(shape: Shape, target: Shape) -> Any:
    """Return a function that puts the words of a set into one of a larger shape."""
    more = [0] * (target.words - shape.words)
    return primitive("squares", shape=shape, target=target)(lambda _, words: [*words, *more])


def reader(shape: Shape) -> Any:
    """Return a function that reads a set from an array, from an index on."""
    each = shape.length // SHORTEST
    if INTERPRETED:
        return lambda array, at: Squares(
            shape,
            [
                sum(int(array[at + place + part]) << SHORTEST * part for part in range(each))
                for place in range(0, shape.words * each, each)
            ],
        )

    @intrinsic  # type: ignore[untyped-decorator]
    def read(typing_context: Any, array: Any, at: Any) -> Any:
        def code(context: Any, builder: Any, signed: Any, arguments: Any) -> Any:
            places = _pointers(context, builder, signed, arguments, shape)
            return _packed(builder, shape, [builder.load(place, align=8) for place in places])

        return shape(array, at), code

    return read


def _pointers(context: Any, builder: Any, signed: Any, arguments: Any, shape: Shape) -> Any:
    """Return the places of the words of a set in an array."""
    data = make_array(signed.args[0])(context, builder, arguments[0]).data
    words = builder.bitcast(
        builder.gep(data, [arguments[1]]), ir.IntType(shape.length).as_pointer()
    )
    return [builder.gep(words, [ir.IntType(64)(place)]) for place in range(shape.words)]


if INTERPRETED:

    def write(array: Any, at: int, squares: Squares) -> None:
        """Write a set into an array, from an index on."""
        for word in range(squares.shape.words * squares.shape.length // SHORTEST):
            array[at + word] = word_of(squares, word)

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def write(typing_context: Any, array: Any, at: Any, squares: Any) -> Any:
        """Write a set into an array, from an index on."""

        def code(context: Any, builder: Any, signed: Any, arguments: Any) -> Any:
            shape = signed.args[2]
            for place, pointer in enumerate(_pointers(context, builder, signed, arguments, shape)):
                builder.store(builder.extract_value(arguments[2], place), pointer, align=8)
            return context.get_dummy_value()

        return types.none(array, at, squares), code
