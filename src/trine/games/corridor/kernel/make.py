"""Changes to a row of Corridor: pawns, walls, hands, turns, results, and the keys.

`clear`, `set_pawn`, `set_hand`, `put_wall`, `set_mover` and `refresh_result` build any position;
`do` plays a turn.
"""

from __future__ import annotations

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.kernel.row import (
    DRAWN,
    EAST_OPEN,
    EDGES,
    GAME,
    GAME_KEYS,
    GOALS,
    GOES_ROUND,
    GONE,
    GREAT_WALL,
    HAND_KEYS,
    HANDS,
    HORIZONTAL,
    KEY,
    MOVER_KEYS,
    NO_LIMIT,
    NORTH_OPEN,
    NOT_CHOSEN,
    PATH,
    PATHS,
    PAWN_KEYS,
    PAWNS,
    QUORIDOR,
    ROUND_KEY,
    SQUARE,
    STATE,
    STRIDE,
    TURN,
    UNKNOWN,
    WALL_KEYS,
    WITNESS,
    WITNESS_AT,
    WORDS,
    hand_of,
    is_in_setup,
    is_playing,
    mover,
    pawn_of,
    players_of,
    rules_of,
    size_of,
    witness_of,
)
from trine.games.corridor.kernel.shortest_paths import closed_by, find_path, goal_of, open_sides
from trine.games.corridor.kernel.squares import (
    OPEN_SETS,
    Sides,
    empty,
    has,
    one,
    read,
    south_of,
    west_of,
    write,
)
from trine.games.corridor.kernel.walls import join

# --- walls and known paths -----------------------------------------------------------------------


@kernel_only(forceinline=True)
def set_path(row: Row, path: Sides) -> None:
    write(row, PATH, path.north)
    write(row, PATH + 2, path.east)


@kernel_only()
def forget_path(row: Row, player: int) -> None:
    """Mark a player's known path as unknown."""
    at = PATHS + 4 * player
    for word in range(at, at + 4):
        row[word] = UNKNOWN


@kernel_only()
def find_witness(row: Row) -> bool:
    """Find a player with a path to the goal, and store it; return whether there is one."""
    players, sides = players_of(row), open_sides(row)
    player = witness_of(row)
    for _ in range(players):
        if is_playing(row, player):
            path = find_path(sides, pawn_of(row, player), goal_of(row, player))
            set_path(row, path)
            if row[PATH] != UNKNOWN:
                row[TURN] = row[TURN] & ~WITNESS | np.uint64(player) << WITNESS_AT
                return True
        player = player + 1 if player + 1 < players else 0
    return False


@kernel_only(forceinline=True)
def extend_path(row: Row, player: int, start: int, target: int) -> None:
    """Update the known path of a pawn after it moved from a square to another.

    A step adds the side that it crosses, for a step back; after a jump the path is unknown.
    """
    gap = target - start
    is_step = gap in (STRIDE, -STRIDE, 1, -1)
    axis = int(gap in (1, -1))
    side = min(start, target)
    if rules_of(row) == QUORIDOR:
        if is_step:
            at = PATHS + 2 * (2 * player + axis)
            step = one(side)
            write(row, at, read(row, at) | step | (south_of(step) if axis else west_of(step)))
        else:
            forget_path(row, player)
    elif player == witness_of(row):
        if is_step:
            at = PATH + 2 * axis
            write(row, at, read(row, at) | one(side))
        else:
            set_path(row, Sides(~empty(), ~empty()))


@kernel_only()
def clear_board(row: Row) -> None:
    """Remove all walls, by the rules in the head of the row."""
    at = 4 * size_of(row)
    write(row, NORTH_OPEN, read(OPEN_SETS, at))
    write(row, EAST_OPEN, read(OPEN_SETS, at + 2))
    for word in range(HORIZONTAL, WORDS):
        row[word] = NONE
    if rules_of(row) == QUORIDOR:
        for player in range(4):
            forget_path(row, player)
    else:
        set_path(row, Sides(~empty(), ~empty()))


@kernel_only(forceinline=True)
def put_on_board(row: Row, axis: int, square: int) -> bool:
    """Put a wall on the board; return whether it cuts the witness's path, false in Quoridor."""
    long = rules_of(row) == QUORIDOR
    at = NORTH_OPEN + 2 * axis
    write(row, at, read(row, at) & ~closed_by(axis, square, long))
    if long:
        at = HORIZONTAL + 2 * axis
        write(row, at, read(row, at) | one(square))
        for player in range(players_of(row)):
            at = PATHS + 2 * (2 * player + axis)
            if has(read(row, at), square):
                forget_path(row, player)
        return False
    if rules_of(row) == GREAT_WALL:
        join(row, axis, square)
    return has(read(row, PATH + 2 * axis), square)


# --- keys ----------------------------------------------------------------------------------------


@kernel()
def has_wall(row: Row, axis: int, square: int) -> bool:
    """Return whether a wall is on the board; there must be a place for it."""
    if rules_of(row) == QUORIDOR:
        return has(read(row, HORIZONTAL + 2 * axis), square)
    return not has(read(row, NORTH_OPEN + 2 * axis), square)


@kernel()
def has_place(row: Row, axis: int, place: int) -> bool:
    """Return whether there is a place for a wall on an empty board; ``place`` counts from a1."""
    size = size_of(row)
    rank, file = place // size, place % size
    if rules_of(row) == QUORIDOR:
        return rank < size - 1 and file < size - 1
    return file < size - 1 if axis else rank < size - 1


@kernel()
def key(row: Row) -> Word:
    """Return a 64-bit hash of the position; two positions collide with a probability of 2⁻⁶⁴."""
    return row[KEY]  # type: ignore[no-any-return]


@kernel_only(forceinline=True)
def hand_key(player: int, hand: int) -> Word:
    return NONE if hand == NO_LIMIT else HAND_KEYS[player, hand]


@kernel()
def fresh_key(row: Row) -> Word:
    """Return the key computed from scratch, not from the key in the row."""
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
    if row[TURN] & GOES_ROUND:
        found ^= ROUND_KEY
    return found  # type: ignore[no-any-return]


# --- building a row ------------------------------------------------------------------------------


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


@kernel()
def clear(row: Row, rules: int, size: int, players: int) -> None:
    """Write an empty board: no start square chosen, no hand limited, player 0 to move."""
    row[GAME] = np.uint64(rules | players << 2 | size << 5)
    row[TURN] = row[PAWNS] = row[HANDS] = NONE
    for player in range(players):
        row[TURN] |= ONE << (8 + player)
        row[PAWNS] |= np.uint64(NOT_CHOSEN) << 16 * player
        row[HANDS] |= np.uint64(NO_LIMIT) << 16 * player
    clear_board(row)
    row[KEY] = fresh_key(row)


@kernel(forceinline=True)
def put_wall(row: Row, action: int) -> bool:
    """Put a wall on the board, of any owner, whichever player is to move.

    Returns: whether all pawns may be trapped now, so that the caller must check it.
    """
    size = size_of(row)
    area = size * size
    axis = int(action >= 2 * area)
    place = action - area - axis * area
    square = int(SQUARE[size, place])
    row[KEY] ^= WALL_KEYS[axis, square]
    return put_on_board(row, axis, square)


@kernel_only(forceinline=True)
def set_result(row: Row, code: Word) -> None:
    row[TURN] = row[TURN] & ~np.uint64(28) | code << 2


@kernel(forceinline=True)
def at_goal(row: Row, player: int) -> bool:
    square = pawn_of(row, player)
    if square in (NOT_CHOSEN, GONE):
        return False
    return bool(EDGES[size_of(row), square] >> GOALS[players_of(row), player] & 1)


@kernel()
def refresh_result(row: Row) -> None:
    """Compute the result from scratch, and set it."""
    players = players_of(row)
    last = (mover(row) + players - 1) % players
    while not is_playing(row, last):
        last = (last + players - 1) % players
    set_result(row, NONE)
    if at_goal(row, last):
        set_result(row, np.uint64(last + 1))
    elif rules_of(row) != QUORIDOR and not is_in_setup(row) and not find_witness(row):
        set_result(row, DRAWN)


# --- playing -------------------------------------------------------------------------------------


@kernel(forceinline=True)
def do(row: Row, action: int) -> None:
    player, size = mover(row), size_of(row)
    area = size * size
    if action < area:
        start, target = pawn_of(row, player), int(SQUARE[size, action])
        if start == NOT_CHOSEN:
            set_pawn(row, player, target)
        else:
            move_pawn(row, player, target)
            if row[HANDS] != NONE:
                extend_path(row, player, start, target)
            if EDGES[size, target] >> GOALS[players_of(row), player] & 1:
                set_result(row, np.uint64(player + 1))
    elif action < 3 * area:
        hand = hand_of(row, player)
        if hand != NO_LIMIT:
            set_hand(row, player, hand - 1)
        if put_wall(row, action) and not find_witness(row):
            set_result(row, DRAWN)
    after = player
    while True:
        after = after + 1 if after + 1 < players_of(row) else 0
        if is_playing(row, after):
            break
    set_mover(row, after)


@kernel(forceinline=True)
def copy(row: Row, after: Row) -> None:
    for word in range(STATE):
        after[word] = row[word]
