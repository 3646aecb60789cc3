"""Sets of squares as integers of 128 bits: a Numba type for them, groups and tables of sets.

The operators are ``|`` (union), ``&`` (intersection), ``^`` (symmetric difference), ``~``, ``-``,
shifts and ``==``; a set is true if it is not empty. `north_of`, `south_of`, `east_of` and `west_of`
move all squares of a set at once. In interpreted code sets are Python integers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, register_model
from numpy.typing import NDArray

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel_only
from trine.games.corridor.board import EAST, SIDES, SIZES, SOUTH, WEST, side_squares
from trine.games.corridor.kernel import layout

# --- an integer of 128 bits ----------------------------------------------------------------------

LONG: Final = ir.IntType(128)
WORD: Final = (1 << 64) - 1


class _Squares(types.Type):  # type: ignore[misc]
    """The type of a set in compiled code."""


@register_model(_Squares)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LONG)


SQUARES: Final = _Squares("Squares")
Squares: TypeAlias = Annotated[int, SQUARES]


def _operator(symbol: Any, code: Callable[..., Any], *arguments: Any, gives: Any = SQUARES) -> None:
    """Define an operator on sets, given the compiler's instruction."""

    @infer_global(symbol)
    class _Typed(ConcreteTemplate):  # type: ignore[misc]
        key = symbol
        cases = (signature(gives, *arguments),)

    @lower_builtin(symbol, *arguments)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signed: Any, given: Any) -> Any:
        return code(builder, *given)


_symbol: Any
for _symbol, _code in (
    (operator.or_, ir.IRBuilder.or_),
    (operator.ior, ir.IRBuilder.or_),
    (operator.and_, ir.IRBuilder.and_),
    (operator.iand, ir.IRBuilder.and_),
    (operator.xor, ir.IRBuilder.xor),
    (operator.sub, ir.IRBuilder.sub),
):
    _operator(_symbol, _code, SQUARES, SQUARES)
for _symbol, _shift in ((operator.lshift, ir.IRBuilder.shl), (operator.rshift, ir.IRBuilder.lshr)):
    _operator(
        _symbol,
        lambda builder, squares, by, shift=_shift: shift(builder, squares, builder.zext(by, LONG)),
        SQUARES,
        types.int64,
    )
_operator(operator.invert, ir.IRBuilder.not_, SQUARES)
_operator(
    operator.eq,
    lambda builder, one, other: builder.icmp_unsigned("==", one, other),
    SQUARES,
    SQUARES,
    gives=types.boolean,
)
for _symbol, _sign in ((operator.not_, "=="), (bool, "!=")):
    _operator(
        _symbol,
        lambda builder, squares, sign=_sign: builder.icmp_unsigned(sign, squares, LONG(0)),
        SQUARES,
        gives=types.boolean,
    )

if numba.config.DISABLE_JIT:

    def of_word(word: Word) -> Squares:
        """Return the set of a low word; its high word is 0."""
        return int(word)

    def first_word(squares: Squares) -> Word:
        return np.uint64(squares & WORD)

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def of_word(typing_context: Any, word: Any) -> Any:
        """Return the set of a low word; its high word is 0."""
        return SQUARES(types.uint64), lambda _, builder, __, given: builder.zext(given[0], LONG)

    @intrinsic  # type: ignore[untyped-decorator]
    def first_word(typing_context: Any, squares: Any) -> Any:
        word = ir.IntType(64)
        return types.uint64(SQUARES), lambda _, builder, __, given: builder.trunc(given[0], word)


# --- groups of sets ------------------------------------------------------------------------------


class Sides(NamedTuple):
    """A set of sides of squares, or of walls, which are named by squares as well."""

    north: Squares  # the squares whose north side belongs to the set; or the horizontal walls
    east: Squares  # the squares whose east side belongs to the set; or the vertical walls


class Border(NamedTuple):
    """The points next to each side of the board."""

    south: Squares
    west: Squares
    north: Squares
    east: Squares


class Rings(NamedTuple):
    """The squares by distance from a goal, out to a pawn; the distances are modulo three."""

    last: Squares  # the rings at the pawn's distance, and at 3, 6, 9 … steps less
    before: Squares  # the rings one step nearer to the goal than `last`
    older: Squares  # the rings two steps nearer to the goal than `last`
    steps: int
    """The steps from the pawn to the goal; -1 if there is no path, and then ignore the sets."""


class PawnPath(NamedTuple):
    """A path of a pawn: the squares that it leaves to the north, south, east and west."""

    north: Squares
    south: Squares
    east: Squares
    west: Squares


class Bundle(NamedTuple):
    """All shortest paths of a player together."""

    crossed: Sides  # the sides of squares that the paths cross
    cutting: Sides  # walls that each cut all of the paths
    first: Squares
    second: Squares
    steps: int  # length of each path; -1 if there is none, and then the sets are empty


class PathCounts(NamedTuple):
    """Counts on all shortest paths of a player; 0 if there is no path."""

    steps: int  # the steps to the goal; -1 if there is no path
    exits: int  # a number of short walls that is enough to trap the player; 0 where walls are long
    thin: float
    """The sum over all steps n of 1 / the number of squares that the paths reach after n steps."""
    fork: bool  # whether the paths begin with different steps
    ends: int  # number of goal squares that the paths reach


# --- single sets ---------------------------------------------------------------------------------


@kernel_only(forceinline=True)
def empty() -> Squares:
    return of_word(NONE)


@kernel_only(
    *(
        SQUARES(types.Array(types.uint64, 1, "C", readonly=constant), types.int64)
        for constant in (False, True)
    ),
    forceinline=True,
)
def read(array: Row, at: int) -> Squares:
    """Return the set that begins at a word of an array."""
    return of_word(array[at]) | of_word(array[at + 1]) << 64


@kernel_only(forceinline=True)
def word_of(squares: Squares, word: int) -> Word:
    """Return a word of a set: 0 is the low one, 1 the high one."""
    return first_word(squares >> 64) if word else first_word(squares)


@kernel_only(forceinline=True)
def write(array: Row, at: int, squares: Squares) -> None:
    """Write a set into an array, from an index on."""
    array[at] = word_of(squares, 0)
    array[at + 1] = word_of(squares, 1)


@kernel_only(forceinline=True)
def one(square: int) -> Squares:
    return of_word(ONE) << square


@kernel_only(forceinline=True)
def has(squares: Squares, square: int) -> bool:
    return bool(squares & one(square))


@kernel_only(forceinline=True)
def count_in(squares: Squares) -> int:
    return count(word_of(squares, 0)) + count(word_of(squares, 1))


@kernel_only(forceinline=True)
def first_of(squares: Squares) -> int:
    low = word_of(squares, 0)
    return lowest(low) if low else 64 + lowest(word_of(squares, 1))


@kernel_only(forceinline=True)
def without_first(squares: Squares) -> Squares:
    """Return a non-empty set without its first square."""
    return squares & (squares - of_word(ONE))


@kernel_only(forceinline=True)
def north_of(squares: Squares) -> Squares:
    return squares << layout.STRIDE


@kernel_only(forceinline=True)
def south_of(squares: Squares) -> Squares:
    return squares >> layout.STRIDE


@kernel_only(forceinline=True)
def east_of(squares: Squares) -> Squares:
    return squares << 1


@kernel_only(forceinline=True)
def west_of(squares: Squares) -> Squares:
    return squares >> 1


# --- tables of sets, in the format of rows -------------------------------------------------------


def _table(sets: Iterable[Iterable[tuple[int, int]]]) -> NDArray[Word]:
    """Return sets one after the other, given the ranks and files of their squares."""
    numbers = [sum(1 << rank * layout.STRIDE + file for rank, file in places) for places in sets]
    return np.array([number >> at & WORD for number in numbers for at in (0, 64)], np.uint64)


def _every(size: int) -> list[tuple[int, int]]:
    """Return the ranks and files of all squares of a board; none if no board has the size."""
    return [divmod(square, size) for square in range(size * size)] if size in SIZES else []


SIDE_SETS: Final = _table(
    (divmod(square, size) for square in (side_squares(size, side) if size in SIZES else ()))
    for size in range(layout.STRIDE + 1)
    for side in SIDES
)
"""By size and side: the squares along a side of the board."""
OPEN_SETS: Final = _table(
    (place for place in _every(size) if place[axis] < size - 1)
    for size in range(layout.STRIDE + 1)
    for axis in range(2)
)
"""By size, two sets: the squares whose north side, and whose east side can be open."""
LINE_SETS: Final = _table(
    (place for place in _every(size) if place[axis] < size - 1 and 0 < place[1 - axis] < size - 1)
    for size in range(layout.STRIDE + 1)
    for axis in range(2)
)
"""By size, two sets: horizontal and vertical walls, one square long, that touch no border."""


def _points(size: int, side: int) -> list[tuple[int, int]]:
    """Return the points next to a side of the board; all points if ``side`` is 4."""
    inside = [place for place in _every(size) if max(place) < size - 1]
    edge = 0 if side in (SOUTH, WEST) else size - 2
    return [place for place in inside if side == 4 or place[side in (WEST, EAST)] == edge]


BORDER_SETS: Final = _table(
    _points(size, side) for size in range(layout.STRIDE + 1) for side in (*SIDES, 4)
)
"""By size, sets of points: next to the south, west, north and east border, and all."""

# --- pairs of sets -------------------------------------------------------------------------------


@kernel_only(forceinline=True)
def read_pair(row: Row, at: int) -> Sides:
    return Sides(read(row, at), read(row, at + 2))


@kernel_only(forceinline=True)
def write_pair(row: Row, at: int, sides: Sides) -> None:
    write(row, at, sides.north)
    write(row, at + 2, sides.east)


@kernel_only(forceinline=True)
def joined(sides: Sides, more: Sides) -> Sides:
    return Sides(sides.north | more.north, sides.east | more.east)


@kernel_only(forceinline=True)
def common(sides: Sides, others: Sides) -> Sides:
    return Sides(sides.north & others.north, sides.east & others.east)


@kernel_only(forceinline=True)
def without(sides: Sides, others: Sides) -> Sides:
    return Sides(sides.north & ~others.north, sides.east & ~others.east)


@kernel_only(forceinline=True)
def are_any(sides: Sides) -> bool:
    return bool(sides.north | sides.east)


@kernel_only(forceinline=True)
def no_sides() -> Sides:
    return Sides(empty(), empty())


@kernel_only(forceinline=True)
def all_sides() -> Sides:
    return Sides(~empty(), ~empty())


@kernel_only(forceinline=True)
def along(sides: Sides, axis: int) -> Squares:
    return sides.east if axis else sides.north


@kernel_only(forceinline=True)
def number_in(walls: Sides) -> int:
    return count_in(walls.north) + count_in(walls.east)


# --- the sets of a row ---------------------------------------------------------------------------


@kernel_only(forceinline=True)
def open_sides(row: Row) -> Sides:
    return read_pair(row, layout.NORTH_OPEN)


@kernel_only(forceinline=True)
def open_sides_at_first(row: Row) -> Sides:
    """Return the sides that are open on a board without walls."""
    at = 4 * layout.size_of(row)
    return Sides(read(OPEN_SETS, at), read(OPEN_SETS, at + 2))


@kernel_only(forceinline=True)
def closed_sides(row: Row) -> Sides:
    return without(open_sides_at_first(row), open_sides(row))


@kernel_only(forceinline=True)
def walls_on_board(row: Row) -> Sides:
    if layout.rules_of(row) == layout.QUORIDOR:
        return read_pair(row, layout.HORIZONTAL)
    return closed_sides(row)


@kernel_only(forceinline=True)
def goal_of(row: Row, player: int) -> Squares:
    side = layout.GOALS[layout.players_of(row), player]
    return read(SIDE_SETS, 2 * (4 * layout.size_of(row) + side))
