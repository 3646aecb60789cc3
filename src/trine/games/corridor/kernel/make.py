"""Changes to a row of Corridor: pawns, walls, hands, turns, results, and the keys.

`clear`, `set_pawn`, `set_hand`, `put_wall`, `set_mover` and `judge` build any position; `do` is one
turn.
"""

from __future__ import annotations

import numpy as np

from trine.core.bits import NONE, ONE
from trine.core.jit import inner, kernel
from trine.games.corridor.kernel.narrow import (
    extend_ways,
    has,
    narrow_find_witness,
)
from trine.games.corridor.kernel.narrow_walls import narrow_clear, narrow_put_wall
from trine.games.corridor.kernel.row import (
    DRAWN,
    EDGES,
    GAME,
    GAME_KEYS,
    GOALS,
    GONE,
    HAND_KEYS,
    HANDS,
    KEY,
    LYING,
    MOVER_KEYS,
    NARROW,
    NARROW_STATE,
    NO_LIMIT,
    NORTH,
    NOT_CHOSEN,
    PAWN_KEYS,
    PAWNS,
    QUORIDOR,
    SQUARE,
    TURN,
    WALL_KEYS,
    WIDE,
    WIDE_EAST,
    WIDE_LYING,
    WIDE_NORTH,
    WIDE_STANDING,
    WORDS,
    Row,
    hand_of,
    is_in_setup,
    is_playing,
    mover,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.wide import (
    wide_clear,
    wide_has_way,
    wide_put_wall,
)

# --- keys ----------------------------------------------------------------------------------------


@kernel("boolean(uint64[::1], int64, int64)")
def has_wall(row: Row, axis: int, square: int) -> bool:
    """Return whether the wall named by a square stands; there must be a place for it."""
    rank, file = square // WIDE, square % WIDE
    if rules_of(row) == QUORIDOR:
        if size_of(row) <= NARROW:
            return bool(row[LYING + axis] >> (square - square // NARROW) & ONE)
        return bool(row[(WIDE_STANDING if axis else WIDE_LYING) + rank] >> file & ONE)
    if size_of(row) <= NARROW:
        word = NORTH + 2 * axis
        return not has(row[word], row[word + 1], square)
    return not row[(WIDE_EAST if axis else WIDE_NORTH) + rank] >> file & ONE


@kernel("boolean(uint64[::1], int64, int64)")
def has_place(row: Row, axis: int, place: int) -> bool:
    """Return whether the wall named by a square's number has a place on an empty board."""
    size = size_of(row)
    rank, file = place // size, place % size
    if rules_of(row) == QUORIDOR:
        return rank < size - 1 and file < size - 1
    return file < size - 1 if axis else rank < size - 1


@kernel("uint64(uint64[::1])")
def key(row: Row) -> np.uint64:
    """Return a number that is equal for equal positions, and for others only by chance (2⁻⁶⁴)."""
    return row[KEY]  # type: ignore[no-any-return]


@inner("uint64(int64, int64)", forceinline=True)
def hand_key(player: int, hand: int) -> np.uint64:
    """Return the part of the key for a hand."""
    return NONE if hand == NO_LIMIT else HAND_KEYS[player, hand]


@kernel("uint64(uint64[::1])")
def fresh_key(row: Row) -> np.uint64:
    """Return the same computed from scratch, without the key in the row."""
    size = size_of(row)
    found = GAME_KEYS[row[GAME]] ^ MOVER_KEYS[mover(row)]
    for player in range(players_of(row)):
        found ^= PAWN_KEYS[player, pawn_of(row, player)]
        found ^= hand_key(player, hand_of(row, player))
    for axis in range(2):
        for place in range(size * size):
            square = int(SQUARE[size, place])
            if has_place(row, axis, place) and has_wall(row, axis, square):
                found ^= WALL_KEYS[axis, square]
    return found  # type: ignore[no-any-return]


# --- building a row ------------------------------------------------------------------------------


@inner("void(uint64[::1], int64, int64)", forceinline=True)
def move_pawn(row: Row, player: int, square: int) -> None:
    """Move a pawn that is on the board and stays there."""
    old = pawn_of(row, player)
    row[PAWNS] ^= np.uint64(old ^ square) << 16 * player
    row[KEY] ^= PAWN_KEYS[player, old] ^ PAWN_KEYS[player, square]


@kernel("void(uint64[::1], int64, int64)")
def set_pawn(row: Row, player: int, square: int) -> None:
    """Set the place of a pawn: a square, `NOT_CHOSEN` or `GONE`."""
    move_pawn(row, player, square)
    row[TURN] &= ~(ONE << (8 + player) | ONE << (12 + player))
    if square == NOT_CHOSEN:
        row[TURN] |= ONE << (8 + player)
    elif square == GONE:
        row[TURN] |= ONE << (12 + player)


@kernel("void(uint64[::1], int64, int64)", forceinline=True)
def set_hand(row: Row, player: int, hand: int) -> None:
    """Set the number of walls of a player, or `NO_LIMIT`."""
    old = hand_of(row, player)
    row[HANDS] ^= np.uint64(old ^ hand) << 16 * player
    row[KEY] ^= hand_key(player, old) ^ hand_key(player, hand)


@kernel("void(uint64[::1], int64)", forceinline=True)
def set_mover(row: Row, player: int) -> None:
    """Set the player to move."""
    row[KEY] ^= MOVER_KEYS[mover(row)] ^ MOVER_KEYS[player]
    row[TURN] = row[TURN] & ~np.uint64(3) | np.uint64(player)


@kernel("void(uint64[::1], int64, int64, int64)")
def clear(row: Row, rules: int, size: int, players: int) -> None:
    """Make an empty board: no start square is chosen, no hand limited, and player 0 is to move."""
    row[GAME] = np.uint64(rules | players << 2 | size << 5)
    row[TURN] = row[PAWNS] = row[HANDS] = NONE
    for player in range(players):
        row[TURN] |= ONE << (8 + player)
        row[PAWNS] |= np.uint64(NOT_CHOSEN) << 16 * player
        row[HANDS] |= np.uint64(NO_LIMIT) << 16 * player
    if size <= NARROW:
        narrow_clear(row, size)
    else:
        wide_clear(row, size)
    row[KEY] = fresh_key(row)


@kernel("boolean(uint64[::1], int64)", forceinline=True)
def put_wall(row: Row, action: int) -> bool:
    """Put a wall on the board, whoever owns it and whoever is to move.

    Returns: whether all pawns may be trapped now, which must then be checked.
    """
    size = size_of(row)
    area = size * size
    axis = int(action >= 2 * area)
    place = action - area - axis * area
    square = int(SQUARE[size, place])
    row[KEY] ^= WALL_KEYS[axis, square]
    if size <= NARROW:
        return narrow_put_wall(row, axis, square)
    wide_put_wall(row, axis, square)
    return rules_of(row) != QUORIDOR


@inner("boolean(uint64[::1])")
def has_way(row: Row) -> bool:
    """Return whether some player has a way to the goal."""
    return narrow_find_witness(row) if size_of(row) <= NARROW else wide_has_way(row)


@inner("void(uint64[::1], uint64)", forceinline=True)
def set_result(row: Row, code: np.uint64) -> None:
    """Set the result of the play."""
    row[TURN] = row[TURN] & ~np.uint64(28) | code << 2


@kernel("boolean(uint64[::1], int64)", forceinline=True)
def at_goal(row: Row, player: int) -> bool:
    """Return whether a player's pawn stands on its goal side."""
    square = pawn_of(row, player)
    if square in (NOT_CHOSEN, GONE):
        return False
    return bool(EDGES[size_of(row), square] >> GOALS[players_of(row), player] & 1)


@kernel("void(uint64[::1])")
def judge(row: Row) -> None:
    """Set the result, found from scratch."""
    players = players_of(row)
    last = (mover(row) + players - 1) % players
    while not is_playing(row, last):
        last = (last + players - 1) % players
    set_result(row, NONE)
    if at_goal(row, last):
        set_result(row, np.uint64(last + 1))
    elif rules_of(row) != QUORIDOR and not is_in_setup(row) and not has_way(row):
        set_result(row, DRAWN)


# --- playing -------------------------------------------------------------------------------------


@kernel("void(uint64[::1], int64)", forceinline=True)
def do(row: Row, action: int) -> None:
    """Change a row by a legal action."""
    player, size = mover(row), size_of(row)
    area = size * size
    if action < area:
        start, target = pawn_of(row, player), int(SQUARE[size, action])
        if start == NOT_CHOSEN:
            set_pawn(row, player, target)
        else:
            move_pawn(row, player, target)
            if size <= NARROW and row[HANDS] != NONE:
                extend_ways(row, player, start, target)
            if EDGES[size, target] >> GOALS[players_of(row), player] & 1:
                set_result(row, np.uint64(player + 1))
    elif action < 3 * area:
        hand = hand_of(row, player)
        if hand != NO_LIMIT:
            set_hand(row, player, hand - 1)
        if put_wall(row, action) and not has_way(row):
            set_result(row, DRAWN)
    after = player
    while True:
        after = after + 1 if after + 1 < players_of(row) else 0
        if is_playing(row, after):
            break
    set_mover(row, after)


@kernel("void(uint64[::1], uint64[::1])", forceinline=True)
def copy(row: Row, after: Row) -> None:
    """Copy a row to another."""
    if size_of(row) <= NARROW:
        for word in range(NARROW_STATE):
            after[word] = row[word]
    else:
        for word in range(WORDS):
            after[word] = row[word]
