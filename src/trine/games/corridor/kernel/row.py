"""A position of Corridor as a row of words, for the kernel: the meaning of each word.

All rows begin with the same words: `GAME` (which never changes), `TURN`, `PAWNS`, `HANDS`, `KEY`.
Then come sets (`trine.games.corridor.kernel.squares`), whose words depend on the kind of the board:
up to 9 it is *narrow*, from 10 on *wide*. The `Layout` of each kind tells where its sets begin.

A *square* is ``rank * stride + file`` here, the stride being that of the largest board of the kind:
so the neighbours of a square are always at the same distance, and a board of size 7 is the corner
of one of size 9. `SQUARE` and `NUMBER` convert the square numbers of actions to squares and back.

All kernels of this room are compiled with ``_nrt=False``: without Numba's reference counting, which
nothing here needs. Mixing kernels with and without it costs half the speed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.bits import NONE, ONE
from trine.core.compiled.jit import inner, kernel
from trine.core.compiled.zobrist import zobrist_table
from trine.core.contract.score import DRAW
from trine.games.corridor.board import SIDES_OF, SIZES, opposite

Row = NDArray[np.uint64]
Rows = NDArray[np.uint64]
Numbers = NDArray[np.int32]

QUORIDOR: Final = 0
CORRIDOR: Final = 1
CORRIDOR_8: Final = 2
GREAT_WALL: Final = 3


# --- the words of every row ----------------------------------------------------------------------

GAME: Final = 0
"""Bits 0-1 the rule set, 2-4 the number of players, 5-9 the size of the board."""
TURN: Final = 1
"""Bits 0-1 the player to move; 2-4 the result: 0, the winner's number plus one, or `DRAWN`; 5-6
the *witness* (see `Layout.way`); 8-11 the players whose start is not chosen, 12-15 those who have
left, a bit a player; 16 whether positions can stand as often as the players like, which the kernel
does not judge."""
PAWNS: Final = 2
"""Sixteen bits a player: the square of the pawn, or `NOT_CHOSEN`, or `GONE`."""
HANDS: Final = 3
"""Sixteen bits a player: the walls in hand, or `NO_LIMIT`."""
KEY: Final = 4
"""The Zobrist key of all that equal positions share."""
HEAD: Final = 5

DRAWN: Final = np.uint64(5)
GOES_ROUND: Final = np.uint64(1 << 16)
WITNESS_AT: Final = 5
WITNESS: Final = np.uint64(3 << WITNESS_AT)
NOT_CHOSEN: Final = 510
GONE: Final = 511
NO_LIMIT: Final = 0xFFFF

# --- the words behind the head -------------------------------------------------------------------


class Layout(NamedTuple):
    """Where a row of a kind of boards has what; and how its squares are numbered."""

    words: int
    """The words of a set of squares."""
    point_words: int
    """The words of a set of *points*: the inner grid points, by which Quoridor's walls are named,
    a point by the square south-west of it."""
    stride: int
    point_stride: int
    north: int
    """The squares whose north side is open."""
    east: int
    """The squares whose east side is open."""
    lying: int
    """Quoridor: the points that are middles of lying walls."""
    standing: int
    """Quoridor: the same for standing walls."""
    ways: int
    """Quoridor, two sets of points a player: all lying, and all standing walls that would cut a
    known way from the pawn to its goal; all bits where no way is known. Not part of the state: a
    wall that is not in the sets is proved not to cut, and no more. Not kept up when no walls are
    left in any hand."""
    way: int
    """Other rule sets, two sets: a known way of the *witness*, one player who is not trapped, as
    the north sides and the east sides that it crosses; all bits where none is known. Not part of
    the state, and not kept up when no walls are left in any hand."""
    joined: int
    """Great Wall, a set a side: the inner grid points that lines of walls join with it. A point is
    the square whose south-west corner it is."""
    state: int
    """The words up to here are copied from row to row. From here on stands, a word a player, what
    the evaluation has counted on the shortest ways, as `trine.games.corridor.kernel.walk` packs
    it."""
    walked: int
    """The key of the position in which it has."""
    length: int
    """The number of words of a row."""


def _layout(words: int, point_words: int, stride: int, point_stride: int) -> Layout:
    north = HEAD
    lying = north + 2 * words
    ways, joined = lying + 2 * point_words, lying + 2 * words
    state = max(ways + 8 * point_words, joined + 4 * words)
    return Layout(
        words,
        point_words,
        stride,
        point_stride,
        north=north,
        east=north + words,
        lying=lying,
        standing=lying + point_words,
        ways=ways,
        way=lying,
        joined=joined,
        state=state,
        walked=state + 4,
        length=state + 5,
    )


NARROW: Final = 9
"""The largest size of a narrow board, and the stride of its squares."""
WIDE: Final = SIZES[-1]
"""The largest size of a wide board, and the stride of its squares."""
NARROW_LAYOUT: Final = _layout(2, 1, NARROW, NARROW - 1)
"""Seven ranks of squares stand in one word and two in the next; all points in one word."""
WIDE_LAYOUT: Final = _layout(6, 6, WIDE, WIDE)
"""The words are parts of a single longer one."""
WORDS: Final = WIDE_LAYOUT.length
"""The length of a row for boards of all sizes; `words` returns it for one size."""
UNKNOWN: Final = ~NONE
"""In place of each word of a way that is not known: every wall may cut it."""

# --- squares -------------------------------------------------------------------------------------


def _stride(size: int) -> int:
    return NARROW if size <= NARROW else WIDE


def _square_tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return, by size: squares by their numbers, numbers by the squares, and their sides."""
    squares = np.zeros((WIDE + 1, WIDE**2), np.int64)
    numbers = np.zeros((WIDE + 1, WIDE**2), np.int64)
    edges = np.zeros((WIDE + 1, WIDE**2), np.int64)
    for size in SIZES:
        for rank in range(size):
            for file in range(size):
                square = rank * _stride(size) + file
                squares[size, rank * size + file] = square
                numbers[size, square] = rank * size + file
                on = (rank == 0, file == 0, rank == size - 1, file == size - 1)
                edges[size, square] = sum(1 << side for side, here in enumerate(on) if here)
    return squares, numbers, edges


SQUARE, NUMBER, EDGES = _square_tables()
"""By size: the squares by their numbers in actions, the numbers by the squares, and the sides of
the board on which a square lies, as bits."""
GOALS: Final = np.array(
    [
        [opposite(side) for side in SIDES_OF.get(players, ())] + [0] * (4 - players)
        if players in SIDES_OF
        else [0] * 4
        for players in range(5)
    ],
    np.int64,
)
"""By the number of players, the goal side of each."""

# --- keys ----------------------------------------------------------------------------------------

GAME_KEYS: Final = zobrist_table("corridor game", 1024)
PAWN_KEYS: Final = zobrist_table("corridor pawn", 4, GONE + 1)
HAND_KEYS: Final = zobrist_table("corridor hand", 4, 32)
WALL_KEYS: Final = zobrist_table("corridor wall", 2, WIDE**2)
"""By axis, 0 for lying, and the square by which a wall is named."""
MOVER_KEYS: Final = zobrist_table("corridor mover", 4)
ROUND_KEY: Final = np.uint64(zobrist_table("corridor round", 1)[0])

# --- reading the head ----------------------------------------------------------------------------


@kernel("int64(uint64[::1])", forceinline=True)
def rules_of(row: Row) -> int:
    """Return the rule set."""
    return int(row[GAME] & np.uint64(3))


@kernel("int64(uint64[::1])", forceinline=True)
def players_of(row: Row) -> int:
    """Return the number of players at the beginning."""
    return int(row[GAME] >> 2 & np.uint64(7))


@kernel("int64(uint64[::1])", forceinline=True)
def size_of(row: Row) -> int:
    """Return the size of the board."""
    return int(row[GAME] >> 5)


@kernel("int64(uint64[::1])", forceinline=True)
def mover(row: Row) -> int:
    """Return the player to move."""
    return int(row[TURN] & np.uint64(3))


@kernel("int64(uint64[::1])", forceinline=True)
def result(row: Row) -> int:
    """Return `ONGOING`, `DRAW` or the number of the winner, regardless of repetition."""
    code = row[TURN] >> 2 & np.uint64(7)
    return DRAW if code == DRAWN else int(code) - 1


@kernel("boolean(uint64[::1])", forceinline=True)
def is_in_setup(row: Row) -> bool:
    """Return whether a start square is still to be chosen."""
    return bool(row[TURN] >> 8 & np.uint64(15))


@kernel("int64(uint64[::1])", forceinline=True)
def witness_of(row: Row) -> int:
    """Return the player whose way is known, or looked for first."""
    return int((row[TURN] & WITNESS) >> WITNESS_AT)


@inner("boolean(uint64[::1], int64)", forceinline=True)
def is_playing(row: Row, player: int) -> bool:
    """Return whether a player has not left."""
    return not row[TURN] >> (12 + player) & ONE


@kernel("int64(uint64[::1], int64)", forceinline=True)
def pawn_of(row: Row, player: int) -> int:
    """Return the square of a player's pawn, or `NOT_CHOSEN`, or `GONE`."""
    return int(row[PAWNS] >> 16 * player & np.uint64(0xFFFF))


@kernel("int64(uint64[::1], int64)", forceinline=True)
def hand_of(row: Row, player: int) -> int:
    """Return the number of walls that a player has in hand, or `NO_LIMIT`."""
    return int(row[HANDS] >> 16 * player & np.uint64(0xFFFF))


@inner("boolean(uint64[::1], int64)", forceinline=True)
def has_pawn_on(row: Row, square: int) -> bool:
    """Return whether a pawn stands on a square."""
    found = False
    for player in range(players_of(row)):
        found |= pawn_of(row, player) == square
    return found


@kernel("int64(int64)", forceinline=True)
def words(size: int) -> int:
    """Return the number of words of a row that are used on a board of a size."""
    return NARROW_LAYOUT.length if size <= NARROW else WORDS
