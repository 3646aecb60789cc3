"""A position of Corridor as a row of words, for the kernel: the meaning of each word.

First come `GAME` (constant during a game), `TURN`, `PAWNS`, `HANDS`, `KEY`; then sets of two words
each (`trine.games.corridor.kernel.sets`).

A *square* is ``rank * STRIDE + file`` here, on boards of all sizes: so the neighbours of a square
are always at the same distance, and a board of size 7 is the corner of the largest one. `SQUARE`
and `NUMBER` convert the square numbers of actions to squares and back. A wall of Quoridor is named
by its middle, a *point*: it has the number of the square south-west of it.

All kernels of this game are compiled with ``_nrt=False``, without Numba's reference counting: no
code here needs it, and mixing kernels with and without it costs half the speed.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Row, zobrist_table
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel, kernel_only
from trine.core.contract.score import DRAW
from trine.games.corridor.board import MAX_SEARCHED_SIZE, SIDES_OF, SIZES, USUAL_SIZE, opposite

QUORIDOR, CORRIDOR, CORRIDOR_8, GREAT_WALL = range(4)


# --- the words of every row ----------------------------------------------------------------------

GAME: Final = 0  # bits 0-1 the rule set, 2-4 the number of players, 5-9 the size of the board
TURN: Final = 1
"""Bits 0-1 the player to move; 2-4 the result: 0, the winner's number plus one, or `DRAWN`; 5-6
the *witness* (see `PATH`); 8-11 a bit for each player whose start is not chosen; 12-15 a bit for
each player who has left; 16 whether repetition ends no play (the kernel ignores repetition)."""
PAWNS: Final = 2  # sixteen bits a player: the square of the pawn, or `NOT_CHOSEN`, or `GONE`
HANDS: Final = 3  # sixteen bits a player: the walls in hand, or `NO_LIMIT`
KEY: Final = 4  # the Zobrist key of the position
HEAD: Final = 5

DRAWN: Final = np.uint64(5)
GOES_ROUND: Final = np.uint64(1 << 16)
WITNESS_AT: Final = 5
WITNESS: Final = np.uint64(3 << WITNESS_AT)
NOT_CHOSEN: Final = 510
GONE: Final = 511
NO_LIMIT: Final = 0xFFFF

# --- the words after the head: sets, two words each ----------------------------------------------

NORTH_OPEN: Final = HEAD  # the squares whose north side is open
EAST_OPEN: Final = NORTH_OPEN + 2  # the squares whose east side is open
HORIZONTAL: Final = EAST_OPEN + 2  # Quoridor: the horizontal walls
VERTICAL: Final = HORIZONTAL + 2  # Quoridor: the vertical walls
PATHS: Final = VERTICAL + 2
"""Quoridor, two sets a player: the horizontal and the vertical walls that would cut a known path
from the pawn to its goal; all bits set if no path is known. A cache, not state: a wall outside the
sets is known not to cut. Not updated once all hands are empty."""
PATH: Final = EAST_OPEN + 2
"""Other rule sets, two sets: a known path of the *witness*, one player who is not trapped, as the
north sides and the east sides that the path crosses; all bits set if no path is known. A cache, not
state, and not updated once all hands are empty."""
JOINED: Final = PATH + 4
"""Great Wall, a set for each side of the board: the inner grid points that lines of walls join with
the side. A point has the number of the square whose south-west corner it is."""
STATE: Final = PATHS + 4 * 4
"""The number of words that are copied from row to row. Then follows the cache of the evaluation, a
word a player: the steps and exits, packed by `trine.games.corridor.kernel.shortest_paths`."""
COUNTED_KEY: Final = STATE + 4  # key of the position that the cached steps and exits belong to
WORDS: Final = COUNTED_KEY + 1  # length of a row
UNKNOWN: Final = ~NONE  # the value of each word of an unknown path: every wall may cut it

STRIDE: Final = MAX_SEARCHED_SIZE  # number of a square minus that of the square south of it


def _square_tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return `SQUARE`, `NUMBER` and `EDGES`."""
    squares = np.zeros((STRIDE + 1, STRIDE**2), np.int64)
    numbers = np.zeros((STRIDE + 1, STRIDE**2), np.int64)
    edges = np.zeros((STRIDE + 1, STRIDE**2), np.int64)
    for size in range(SIZES[0], STRIDE + 1):
        for rank in range(size):
            for file in range(size):
                square = rank * STRIDE + file
                squares[size, rank * size + file] = square
                numbers[size, square] = rank * size + file
                on = (rank == 0, file == 0, rank == size - 1, file == size - 1)
                edges[size, square] = sum(1 << side for side, here in enumerate(on) if here)
    return squares, numbers, edges


SQUARE, NUMBER, EDGES = _square_tables()
"""By size, three tables: `SQUARE`, from the numbers of squares in actions; `NUMBER`, its inverse;
and `EDGES`, the sides of the board that each square borders on, as bits."""
START_SIDES: Final = np.zeros((5, 4), np.int64)
"""By the number of players, each player's start side."""
GOALS: Final = np.zeros((5, 4), np.int64)  # by the number of players, each player's goal side
for _players, _sides in SIDES_OF.items():
    START_SIDES[_players, :_players] = _sides
    GOALS[_players, :_players] = [opposite(side) for side in _sides]


def _by_square(keys: NDArray[Word]) -> NDArray[Word]:
    """Reorder keys by square: in a table the squares of the usual board come first."""
    squares = range(STRIDE**2)
    order = sorted(squares, key=lambda square: max(divmod(square, STRIDE)) >= USUAL_SIZE)
    found = keys.copy()
    found[:, order] = keys[:, squares]
    return found


GAME_KEYS: Final = zobrist_table("corridor game", 1024)
PAWN_KEYS: Final = _by_square(zobrist_table("corridor pawn", 4, GONE + 1))
HAND_KEYS: Final = zobrist_table("corridor hand", 4, 32)
WALL_KEYS: Final = _by_square(zobrist_table("corridor wall", 2, SIZES[-1] ** 2))
"""By axis, 0 for horizontal, and the square that names the wall."""
MOVER_KEYS: Final = zobrist_table("corridor mover", 4)
ROUND_KEY: Final = np.uint64(zobrist_table("corridor round", 1)[0])

# --- reading the head ----------------------------------------------------------------------------


@kernel(forceinline=True)
def rules_of(row: Row) -> int:
    return int(row[GAME] & np.uint64(3))


@kernel(forceinline=True)
def players_of(row: Row) -> int:
    """Return the number of players, including players who have left."""
    return int(row[GAME] >> 2 & np.uint64(7))


@kernel(forceinline=True)
def size_of(row: Row) -> int:
    return int(row[GAME] >> 5)


@kernel(forceinline=True)
def mover(row: Row) -> int:
    return int(row[TURN] & np.uint64(3))


@kernel(forceinline=True)
def result(row: Row) -> int:
    """Return `ONGOING`, `DRAW` or the number of the winner, regardless of repetition."""
    code = row[TURN] >> 2 & np.uint64(7)
    return DRAW if code == DRAWN else int(code) - 1


@kernel(forceinline=True)
def is_in_setup(row: Row) -> bool:
    return bool(row[TURN] >> 8 & np.uint64(15))


@kernel(forceinline=True)
def witness_of(row: Row) -> int:
    """Return the player with a known path; if none is known, the player to try first."""
    return int((row[TURN] & WITNESS) >> WITNESS_AT)


@kernel_only(forceinline=True)
def is_playing(row: Row, player: int) -> bool:
    return not row[TURN] >> (12 + player) & ONE


@kernel(forceinline=True)
def pawn_of(row: Row, player: int) -> int:
    """Return the square of a player's pawn, or `NOT_CHOSEN`, or `GONE`."""
    return int(row[PAWNS] >> 16 * player & np.uint64(0xFFFF))


@kernel(forceinline=True)
def hand_of(row: Row, player: int) -> int:
    """Return the number of walls that a player has in hand, or `NO_LIMIT`."""
    return int(row[HANDS] >> 16 * player & np.uint64(0xFFFF))


@kernel_only(forceinline=True)
def has_pawn_on(row: Row, square: int) -> bool:
    found = False
    for player in range(players_of(row)):
        found |= pawn_of(row, player) == square
    return found


@kernel_only(forceinline=True)
def player_after(row: Row, player: int) -> int:
    """Return the next player in turn order, who may have left the play."""
    return player + 1 if player + 1 < players_of(row) else 0


@kernel_only(forceinline=True)
def is_goal(row: Row, player: int, square: int) -> bool:
    return bool(EDGES[size_of(row), square] >> GOALS[players_of(row), player] & 1)


@kernel(forceinline=True)
def at_goal(row: Row, player: int) -> bool:
    square = pawn_of(row, player)
    return square not in (NOT_CHOSEN, GONE) and is_goal(row, player, square)


@kernel_only(forceinline=True)
def wall_of(row: Row, action: int) -> tuple[int, int]:
    """Return the axis of the wall that an action places, and the square that names it."""
    size = size_of(row)
    area = size * size
    axis = int(action >= 2 * area)
    return axis, int(SQUARE[size, action - area - axis * area])


# --- writing the head ----------------------------------------------------------------------------


@kernel_only(forceinline=True)
def hand_key(player: int, hand: int) -> Word:
    return NONE if hand == NO_LIMIT else HAND_KEYS[player, hand]


@kernel()
def key(row: Row) -> Word:
    return row[KEY]  # type: ignore[no-any-return]


@kernel_only(forceinline=True)
def move_pawn(row: Row, player: int, square: int) -> None:
    """Change the place of a pawn and the key, but not the pawn's flags in `TURN`."""
    old = pawn_of(row, player)
    row[PAWNS] ^= np.uint64(old ^ square) << 16 * player
    row[KEY] ^= PAWN_KEYS[player, old] ^ PAWN_KEYS[player, square]


@kernel()
def set_pawn(row: Row, player: int, square: int) -> None:
    """Set the place of a pawn: a square, `NOT_CHOSEN` or `GONE`."""
    move_pawn(row, player, square)
    row[TURN] &= ~(ONE << (8 + player) | ONE << (12 + player))
    if square == NOT_CHOSEN:
        row[TURN] |= ONE << (8 + player)
    elif square == GONE:
        row[TURN] |= ONE << (12 + player)


@kernel(forceinline=True)
def set_hand(row: Row, player: int, hand: int) -> None:
    """Set the number of walls of a player, or `NO_LIMIT`."""
    old = hand_of(row, player)
    row[HANDS] ^= np.uint64(old ^ hand) << 16 * player
    row[KEY] ^= hand_key(player, old) ^ hand_key(player, hand)


@kernel()
def set_round(row: Row) -> None:
    """Turn the repetition rule off."""
    row[TURN] |= GOES_ROUND
    row[KEY] ^= ROUND_KEY


@kernel(forceinline=True)
def set_mover(row: Row, player: int) -> None:
    row[KEY] ^= MOVER_KEYS[mover(row)] ^ MOVER_KEYS[player]
    row[TURN] = row[TURN] & ~np.uint64(3) | np.uint64(player)


@kernel_only(forceinline=True)
def pass_turn(row: Row) -> None:
    """Make the next player in the play the player to move."""
    player = player_after(row, mover(row))
    while not is_playing(row, player):
        player = player_after(row, player)
    set_mover(row, player)


@kernel_only(forceinline=True)
def set_result(row: Row, code: Word) -> None:
    row[TURN] = row[TURN] & ~np.uint64(28) | code << 2
