"""The two kinds of boards, narrow and wide, for which the algorithms on sets are compiled.

The algorithms are templates, written once. By the names below they read what differs; `NARROW_KIND`
and `WIDE_KIND` compile them.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.compiled.jit import FILLED_IN, fill_in
from trine.core.compiled.jit import template as plain_template
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SIZES, SOUTH, WEST, side_squares
from trine.games.corridor.kernel.row import NARROW, NARROW_LAYOUT, NUMBER, WIDE, WIDE_LAYOUT, Layout
from trine.games.corridor.kernel.squares import (
    Shape,
    Squares,
    maker_of,
    maker_of_one,
    reader,
    widener,
)

# --- groups of sets ------------------------------------------------------------------------------


class Sides(NamedTuple):
    """Sides of squares: of which the north side is meant, and of which the east side.

    Walls are named by squares, too: those that lie are the first, those that stand the second.
    """

    north: Squares
    east: Squares


class Walls(NamedTuple):
    """Walls of Quoridor by their points, or lines that lead from points to points."""

    lying: Squares
    standing: Squares


class Border(NamedTuple):
    """The points next to each side of the board."""

    south: Squares
    west: Squares
    north: Squares
    east: Squares


class Rings(NamedTuple):
    """The rings around a goal, up to a pawn; rings whose distances differ by three are one set."""

    last: Squares
    """The rings as far away as the pawn, and nearer by three, by six and so on."""
    before: Squares
    """The rings one step nearer than these."""
    older: Squares
    """The rings two steps nearer."""
    steps: int
    """From the pawn to the goal; -1 if there is no way, and then the sets mean nothing."""


class Taken(NamedTuple):
    """A way: the squares from which it goes to the north, south, east and west."""

    north: Squares
    south: Squares
    east: Squares
    west: Squares


class Bundle(NamedTuple):
    """All shortest ways of a player together."""

    crossed: Sides
    parting: Sides
    """The walls each of which cuts all ways."""
    first: Squares
    """The squares that they reach after one step."""
    second: Squares
    steps: int
    """The steps of each; -1 if there is no way, and then all is empty."""


class Walk(NamedTuple):
    """The counts on all shortest ways of a player; 0 where there is no way."""

    steps: int
    """To the goal; -1 for no way."""
    exits: int
    """The number of short walls that is enough to trap, 0 where walls are long."""
    thin: float
    """The sum, over all steps, of one divided by the squares that shortest ways reach."""
    fork: bool
    """Whether they begin with different steps."""
    ends: int
    """The goal squares that they reach."""


ROW: Final = types.Array(types.uint64, 1, "C")
WALK: Final = types.NamedTuple(
    (types.int64, types.int64, types.float64, types.boolean, types.int64), Walk
)

# --- what templates name -------------------------------------------------------------------------

AT: Final[Layout] = FILLED_IN
read: Any = FILLED_IN
"""Return the set of squares that begins at a word of an array."""
read_points: Any = FILLED_IN
"""Return the set of points that begins at a word of an array."""
one: Any = FILLED_IN
"""Return the set of one square."""
one_point: Any = FILLED_IN
"""Return the set of one point."""
empty: Any = FILLED_IN
"""Return the empty set of squares."""
no_points: Any = FILLED_IN
"""Return the empty set of points."""
all_unknown: Any = FILLED_IN
"""Return the set of `UNKNOWN` words."""
first_file: Any = FILLED_IN
"""Return the points into which a shift to the east can run over from the rank below."""
last_file: Any = FILLED_IN
"""Return the points in the last file, and those into which a shift to the west can run over."""
as_squares: Any = FILLED_IN
"""Return the words of a set of points as those of a set of squares."""
SIDE_SETS: Final[Any] = FILLED_IN
"""By size and side, a set: the squares along a side of the board."""
OPEN_SETS: Final[Any] = FILLED_IN
"""By size, two sets: the squares whose north sides, and whose east sides can be open."""
LINE_SETS: Final[Any] = FILLED_IN
"""By size, two sets: the walls one square long that touch no border, lying and standing."""
BORDER_SETS: Final[Any] = FILLED_IN
"""By size, sets of points: next to the south, west, north and east border, and all."""
CUTS: Final[Any] = FILLED_IN
"""By axis and square, a set of points: the walls of Quoridor that shut the side of the square."""
PLACES: Final[Any] = FILLED_IN
"""By size, whether a set is of points, word and bit: the number of the square."""


def template(signature: str, **options: Any) -> Any:
    """Note a function that is compiled for both kinds of boards; only kernels may call it."""
    return plain_template(signature, no_cpython_wrapper=True, **options)


class Kind:
    """A kind of boards: the types of its sets, and what the names above mean.

    Called with a template, it compiles that and the templates that are called in it. Signatures
    name types as Python does.
    """

    def __init__(self, name: str, own_types: dict[str, Any], **names: Any) -> None:
        self._name, self._names = name, names
        self._types = {**vars(types), **own_types}
        self._done: dict[Any, Any] = {}

    def __call__(self, function: Any) -> Any:
        """Return a template compiled for this kind."""
        if function not in self._done:
            (signature,), options = function.compiled_as
            # Inlined, code for wide sets would take long to compile.
            inline = options.get("forceinline", False) and self._name == "narrow"
            names = dict(self._names)
            for name in function.__code__.co_names:
                if hasattr(called := function.__globals__.get(name), "compiled_as"):
                    names[name] = self(called)
            own: Any = FunctionType(
                function.__code__, function.__globals__, f"{self._name}_{function.__name__}"
            )
            own.__doc__, own.__module__ = function.__doc__, function.__module__
            signatures = (eval(signature, dict(self._types)),)
            own.compiled_as = signatures, {**options, "forceinline": inline}
            self._done[function] = fill_in(own, function, **names)
        return self._done[function]


# --- tables --------------------------------------------------------------------------------------


def _words_of(shape: Shape, places: Iterable[tuple[int, int]]) -> list[int]:
    """Return a set as words, given the ranks and files of its squares."""
    words = [0] * shape.words
    for rank, file in places:
        word, bit = divmod(rank * shape.stride + file, shape.bits)
        words[word] |= 1 << bit
    return words


def _table(shape: Shape, sets: Iterable[list[int]]) -> NDArray[np.uint64]:
    """Return sets as rows have them, one after the other."""
    mask, shifts = (1 << 64) - 1, range(0, shape.length, 64)
    return np.array(
        [word >> shift & mask for words in sets for word in words for shift in shifts], np.uint64
    )


def _inside(size: int, place: tuple[int, int]) -> bool:
    return all(0 <= along < size for along in place)


def _tables(layout: Layout, squares: Shape, points: Shape) -> dict[str, NDArray[Any]]:
    """Return the tables of a kind; those of sets are one word after the other."""
    sizes = range(layout.stride + 1)
    side_sets: list[list[int]] = []
    open_sets: list[list[int]] = []
    line_sets: list[list[int]] = []
    border_sets: list[list[int]] = []
    for size in sizes:
        fits = (size <= NARROW) == (layout.stride == NARROW) and size in SIZES
        every = [divmod(square, size) for square in range(size * size)] if fits else []
        between, inner = range(size - 1), range(1, size - 1)
        for side in SIDES:
            on_side = side_squares(size, side) if fits else ()
            side_sets.append(_words_of(squares, (divmod(square, size) for square in on_side)))
        open_sets.append(_words_of(squares, ((up, on) for up, on in every if up in between)))
        open_sets.append(_words_of(squares, ((up, on) for up, on in every if on in between)))
        line_sets.append(
            _words_of(squares, ((up, on) for up, on in every if on in inner and up in between))
        )
        line_sets.append(
            _words_of(squares, ((up, on) for up, on in every if up in inner and on in between))
        )
        middles = [(up, on) for up, on in every if up in between and on in between]
        for side, edge in ((SOUTH, 0), (WEST, 0), (NORTH_SIDE, size - 2), (EAST_SIDE, size - 2)):
            along = 0 if side in (SOUTH, NORTH_SIDE) else 1
            border_sets.append(
                _words_of(points, (middle for middle in middles if middle[along] == edge))
            )
        border_sets.append(_words_of(points, middles))
    cuts = []
    for axis in range(2):
        for square in range(layout.stride**2):
            up, on = divmod(square, layout.stride)
            walls = [(up - back * axis, on - back * (1 - axis)) for back in range(2)]
            cuts.append(
                _words_of(points, (wall for wall in walls if _inside(layout.stride - 1, wall)))
            )
    return {
        "SIDE_SETS": _table(squares, side_sets),
        "OPEN_SETS": _table(squares, open_sets),
        "LINE_SETS": _table(squares, line_sets),
        "BORDER_SETS": _table(points, border_sets),
        "CUTS": _table(points, cuts),
        "PLACES": _places(layout, squares, points),
    }


def _places(layout: Layout, squares: Shape, points: Shape) -> NDArray[np.int32]:
    table = np.zeros((layout.stride + 1, 2, layout.words, 64), np.int32)
    for size in range(SIZES[0], layout.stride + 1):
        for named_by, shape in enumerate((squares, points)):
            for place in range(shape.words * shape.bits):
                square = place // shape.stride * layout.stride + place % shape.stride
                if square < layout.stride**2:
                    word, bit = divmod(place, min(shape.bits, 64))
                    table[size, named_by, word, bit] = NUMBER[size, square]
    return table


# --- the kinds -----------------------------------------------------------------------------------


def _kind(
    name: str, layout: Layout, squares: Shape, points: Shape, tables: dict[str, NDArray[Any]]
) -> Kind:
    """Return a kind of boards."""
    sides = types.NamedUniTuple(squares, 2, Sides)
    ranks, files = range(layout.point_stride), range(layout.point_stride)
    # Where ranks of points have no room between them, shifts to the east run over, too.
    first = [(rank, 0) for rank in ranks if layout.point_stride < layout.stride]
    last = [(rank, file) for rank in ranks for file in files if file >= layout.stride - 2]
    return Kind(
        name,
        {
            "Row": ROW,
            "Cells": types.Array(types.int8, 1, "C"),
            "Numbers": types.Array(types.int32, 1, "C"),
            "Squares": squares,
            "Points": points,
            "Sides": sides,
            "Walls": types.NamedUniTuple(points, 2, Walls),
            "Border": types.NamedUniTuple(points, 4, Border),
            "Rings": types.NamedTuple((squares, squares, squares, types.int64), Rings),
            "Walk": WALK,
            "Taken": types.NamedUniTuple(squares, 4, Taken),
            "Bundle": types.NamedTuple((sides, sides, squares, squares, types.int64), Bundle),
        },
        AT=layout,
        read=reader(squares),
        read_points=reader(points),
        one=maker_of_one(squares),
        one_point=maker_of_one(points),
        empty=maker_of(squares, *[0] * squares.words),
        no_points=maker_of(points, *[0] * points.words),
        all_unknown=maker_of(squares, *[(1 << squares.length) - 1] * squares.words),
        first_file=maker_of(points, *_words_of(points, first)),
        last_file=maker_of(points, *_words_of(points, last)),
        as_squares=widener(points, squares),
        **tables,
    )


NARROW_SHAPE: Final = Shape(2, 7, NARROW)
NARROW_POINTS: Final = Shape(1, 8, 8)
NARROW_TABLES: Final = _tables(NARROW_LAYOUT, NARROW_SHAPE, NARROW_POINTS)
WIDE_SHAPE: Final = Shape(1, WIDE, WIDE, 64 * WIDE_LAYOUT.words)
WIDE_TABLES: Final = _tables(WIDE_LAYOUT, WIDE_SHAPE, WIDE_SHAPE)
NARROW_KIND: Final = _kind("narrow", NARROW_LAYOUT, NARROW_SHAPE, NARROW_POINTS, NARROW_TABLES)
WIDE_KIND: Final = _kind("wide", WIDE_LAYOUT, WIDE_SHAPE, WIDE_SHAPE, WIDE_TABLES)


def for_both(function: Any) -> tuple[Any, Any]:
    """Return a template compiled for narrow and for wide boards."""
    return NARROW_KIND(function), WIDE_KIND(function)
