"""The board of TZAAR: points, lines, pieces. No rules.

A hexagon of side 5 with the centre missing: columns a to i with 5, 6, 7, 8, 9, 8, 7, 6, 5 places,
each counted upward from 1. The centre would be e5 and is no point, so the column e has the points
e1 to e4 and e6 to e9, and no line leads from e4 to e6. Source: official; Russian, "не может
перескочить через пустой шестиугольник в центре доски".

A point is a number from 0 (a1) over 4 (a5) and 5 (b1) to 59 (i5). A board is two sequences of 60 in
that order: a string with the piece on top of each stack, ``TYZ`` for White, ``tyz`` for Black,
``.`` for an empty point; and a tuple with the height of each stack, 0 for an empty point. The
pieces under a top piece are not stored: no rule depends on them.
"""

from collections.abc import Mapping
from typing import Final

from trine.core.contract.position import Seat
from trine.core.text.sentence import Text, ctext

WHITE: Final = 0
BLACK: Final = 1
SIDES: Final = (WHITE, BLACK)
SEATS: Final = (
    Seat(ctext("player", "White"), "White", "w"),
    Seat(ctext("player", "Black"), "Black", "b"),
)
SIDE_NAMES: Final = tuple(seat.name for seat in SEATS)

EMPTY: Final = "."
KINDS: Final = "TYZ"  # the kinds of pieces, from the most to the fewest, in the letters of White
ARMY: Final[Mapping[str, int]] = {"T": 15, "Y": 9, "Z": 6}
"""The pieces of a side by kind. Source: official; Russian, "по 15 штук", "по 9 штук"."""
ARMY_SIZE: Final = sum(ARMY.values())
KIND_NAMES: Final[Mapping[str, Text]] = {
    "T": ctext("piece", "Tott"),
    "Y": ctext("piece", "Tzarra"),
    "Z": ctext("piece", "Tzaar"),
}
PIECE_NAMES: Final[Mapping[str, Text]] = {
    "T": ctext("piece", "white Tott"),
    "Y": ctext("piece", "white Tzarra"),
    "Z": ctext("piece", "white Tzaar"),
    "t": ctext("piece", "black Tott"),
    "y": ctext("piece", "black Tzarra"),
    "z": ctext("piece", "black Tzaar"),
}
"""The pieces with their colours, as whole names, since some languages inflect the colour."""
SIDE: Final[Mapping[str, int]] = {
    **dict.fromkeys(KINDS, WHITE),
    **dict.fromkeys(KINDS.lower(), BLACK),
    EMPTY: -1,
}
"""The owner of each letter; -1 for an empty point."""
PIECES: Final = (KINDS, KINDS.lower())  # the letters of each side

COLUMNS: Final = "abcdefghi"
COLUMN_LENGTHS: Final = (5, 6, 7, 8, 9, 8, 7, 6, 5)
"""The number of places in each column, the missing centre included."""
CENTRE: Final = "e5"  # name that the missing centre would have as a point
POINT_NAMES: Final = tuple(
    f"{column}{rank}"
    for column, length in zip(COLUMNS, COLUMN_LENGTHS, strict=True)
    for rank in range(1, length + 1)
    if f"{column}{rank}" != CENTRE
)
POINTS: Final = range(len(POINT_NAMES))
POINT_OF: Final[Mapping[str, int]] = {name: point for point, name in enumerate(POINT_NAMES)}


def coordinates(name: str) -> tuple[int, int]:
    """Return the position of a point, or of the missing centre: its column and its height.

    Units: columns from 0 (a) to 8 (i); half ranks from 0 (e1) to 16 (e9). Going up one rank adds 2,
        going to a neighbour in the next column adds or takes 1. On the true hexagon a column is as
        wide as 0.866 ranks.

    >>> coordinates("e1"), coordinates("a1"), coordinates("e5")
    ((4, 0), (0, 4), (4, 8))
    """
    column = COLUMNS.index(name[0])
    return column, 2 * (int(name[1]) - 1) + abs(column - 4)


COORDINATES: Final = tuple(coordinates(name) for name in POINT_NAMES)
"""Shapes: point. The result of `coordinates`."""
DIRECTIONS: Final = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""The six directions of the lines in columns and half ranks, clockwise from straight up."""


def _line(point: int, direction: tuple[int, int]) -> tuple[int, ...]:
    point_at = {place: number for number, place in enumerate(COORDINATES)}
    line = []
    column, height = COORDINATES[point]
    while (place := (column + direction[0], height + direction[1])) in point_at:
        line.append(point_at[place])
        column, height = place
    return tuple(line)


LINES_FROM: Final = tuple(
    tuple(_line(point, direction) for direction in DIRECTIONS) for point in POINTS
)
"""For each point its six lines outward, nearest point first; they stop at the edge and the hole."""
EMPTY_BOARD: Final = EMPTY * len(POINTS)
NO_HEIGHTS: Final = (0,) * len(POINTS)


def piece_name(letter: str) -> Text:
    """Return the name of a piece without its side."""
    return KIND_NAMES[letter.upper()]
