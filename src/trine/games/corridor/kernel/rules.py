"""The compiled rules of Corridor: rows of words instead of positions, numbers instead of actions.

They repeat the rules of the referee (`trine.games.corridor.referee`); tests compare the two. Rows:
`trine.games.corridor.kernel.layout`. Numbers: `trine.games.corridor.encoding`. The rule set, the
size of the board and the number of players are data in the row. Repetition is ignored.

`clear`, `put_wall`, `refresh_result` and the setters of `layout` build any position; `play` plays a
turn.

A row belongs to one thread, because generating legal actions caches known paths in it.
"""

from __future__ import annotations

import numpy as np

from trine.core.compiled.arrays import Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.kernel import layout
from trine.games.corridor.kernel.shortest_paths import closed_by, find_path
from trine.games.corridor.kernel.squares import (
    all_sides,
    along,
    first_of,
    goal_of,
    has,
    one,
    open_sides,
    open_sides_at_first,
    read,
    south_of,
    walls_on_board,
    west_of,
    without_first,
    write,
    write_pair,
)
from trine.games.corridor.kernel.walls import join

# --- walls and known paths -----------------------------------------------------------------------


@kernel_only()
def forget_path(row: Row, player: int) -> None:
    """Mark a player's known path as unknown."""
    write_pair(row, layout.PATHS + 4 * player, all_sides())


@kernel_only()
def find_witness(row: Row) -> bool:
    """Find a player with a path to the goal, and store it; return whether there is one."""
    sides, player = open_sides(row), layout.witness_of(row)
    for _ in range(layout.players_of(row)):
        if layout.is_playing(row, player):
            path = find_path(sides, layout.pawn_of(row, player), goal_of(row, player))
            write_pair(row, layout.PATH, path)
            if row[layout.PATH] != layout.UNKNOWN:
                row[layout.TURN] = (
                    row[layout.TURN] & ~layout.WITNESS | np.uint64(player) << layout.WITNESS_AT
                )
                return True
        player = layout.player_after(row, player)
    return False


@kernel_only(forceinline=True)
def extend_path(row: Row, player: int, start: int, target: int) -> None:
    """Update the known path of a pawn after it moved from a square to another.

    A step adds the side that it crosses, for a step back; after a jump the path is unknown.
    """
    gap = target - start
    is_step = gap in (layout.STRIDE, -layout.STRIDE, 1, -1)
    axis = int(gap in (1, -1))
    side = min(start, target)
    if layout.rules_of(row) == layout.QUORIDOR:
        if is_step:
            at = layout.PATHS + 2 * (2 * player + axis)
            step = one(side)
            write(row, at, read(row, at) | step | (south_of(step) if axis else west_of(step)))
        else:
            forget_path(row, player)
    elif player == layout.witness_of(row):
        if is_step:
            at = layout.PATH + 2 * axis
            write(row, at, read(row, at) | one(side))
        else:
            write_pair(row, layout.PATH, all_sides())


@kernel_only()
def clear_board(row: Row) -> None:
    """Remove all walls, by the rules in the head of the row."""
    write_pair(row, layout.NORTH_OPEN, open_sides_at_first(row))
    for word in range(layout.HORIZONTAL, layout.WORDS):
        row[word] = NONE
    if layout.rules_of(row) == layout.QUORIDOR:
        for player in range(4):
            forget_path(row, player)
    else:
        write_pair(row, layout.PATH, all_sides())


@kernel_only(forceinline=True)
def put_on_board(row: Row, axis: int, square: int) -> bool:
    """Put a wall on the board; return whether it cuts the witness's path, false in Quoridor."""
    long = layout.rules_of(row) == layout.QUORIDOR
    at = layout.NORTH_OPEN + 2 * axis
    write(row, at, read(row, at) & ~closed_by(axis, square, long))
    if long:
        at = layout.HORIZONTAL + 2 * axis
        write(row, at, read(row, at) | one(square))
        for player in range(layout.players_of(row)):
            at = layout.PATHS + 2 * (2 * player + axis)
            if has(read(row, at), square):
                forget_path(row, player)
        return False
    if layout.rules_of(row) == layout.GREAT_WALL:
        join(row, axis, square)
    return has(read(row, layout.PATH + 2 * axis), square)


# --- keys ----------------------------------------------------------------------------------------


@kernel()
def has_wall(row: Row, axis: int, square: int) -> bool:
    return has(along(walls_on_board(row), axis), square)


@kernel()
def fresh_key(row: Row) -> Word:
    """Return the key computed from scratch, not from the key in the row."""
    found = layout.GAME_KEYS[row[layout.GAME]] ^ layout.MOVER_KEYS[layout.mover(row)]
    for player in range(layout.players_of(row)):
        found ^= layout.PAWN_KEYS[player, layout.pawn_of(row, player)]
        found ^= layout.hand_key(player, layout.hand_of(row, player))
    for axis in range(2):
        walls = along(walls_on_board(row), axis)
        while walls:
            found ^= layout.WALL_KEYS[axis, first_of(walls)]
            walls = without_first(walls)
    if row[layout.TURN] & layout.GOES_ROUND:
        found ^= layout.ROUND_KEY
    return found  # type: ignore[no-any-return]


# --- building a row ------------------------------------------------------------------------------


@kernel()
def clear(row: Row, rules: int, size: int, players: int) -> None:
    """Write an empty board: no start square chosen, no hand limited, player 0 to move."""
    row[layout.GAME] = np.uint64(rules | players << 2 | size << 5)
    row[layout.TURN] = row[layout.PAWNS] = row[layout.HANDS] = NONE
    for player in range(players):
        row[layout.TURN] |= ONE << (8 + player)
        row[layout.PAWNS] |= np.uint64(layout.NOT_CHOSEN) << 16 * player
        row[layout.HANDS] |= np.uint64(layout.NO_LIMIT) << 16 * player
    clear_board(row)
    row[layout.KEY] = fresh_key(row)


@kernel(forceinline=True)
def put_wall(row: Row, action: int) -> bool:
    """Put a wall on the board, of any owner, whichever player is to move.

    Returns: whether all pawns may be trapped now, so that the caller must check it.
    """
    axis, square = layout.wall_of(row, action)
    row[layout.KEY] ^= layout.WALL_KEYS[axis, square]
    return put_on_board(row, axis, square)


@kernel()
def refresh_result(row: Row) -> None:
    """Compute the result from scratch, and set it."""
    players = layout.players_of(row)
    last = (layout.mover(row) + players - 1) % players
    while not layout.is_playing(row, last):
        last = (last + players - 1) % players
    layout.set_result(row, NONE)
    if layout.at_goal(row, last):
        layout.set_result(row, np.uint64(last + 1))
    elif (
        layout.rules_of(row) != layout.QUORIDOR
        and not layout.is_in_setup(row)
        and not find_witness(row)
    ):
        layout.set_result(row, layout.DRAWN)


# --- playing -------------------------------------------------------------------------------------


@kernel(forceinline=True)
def do(row: Row, action: int) -> None:
    player, size = layout.mover(row), layout.size_of(row)
    area = size * size
    if action < area:
        start, target = layout.pawn_of(row, player), int(layout.SQUARE[size, action])
        if start == layout.NOT_CHOSEN:
            layout.set_pawn(row, player, target)
        else:
            layout.move_pawn(row, player, target)
            if row[layout.HANDS] != NONE:
                extend_path(row, player, start, target)
            if layout.is_goal(row, player, target):
                layout.set_result(row, np.uint64(player + 1))
    elif action < 3 * area:
        hand = layout.hand_of(row, player)
        if hand != layout.NO_LIMIT:
            layout.set_hand(row, player, hand - 1)
        if put_wall(row, action) and not find_witness(row):
            layout.set_result(row, layout.DRAWN)
    layout.pass_turn(row)


@kernel(forceinline=True)
def copy(row: Row, after: Row) -> None:
    for word in range(layout.STATE):
        after[word] = row[word]


@kernel()
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row after a legal action to the next row."""
    row, after = rows[ply], rows[ply + 1]
    copy(row, after)
    do(after, action)


@kernel(forceinline=True)
def play_in_place(rows: Rows, action: int) -> bool:
    """Play an action; return whether it is a wall, so that no earlier position can recur."""
    row = rows[0]
    do(row, action)
    area = layout.size_of(row) * layout.size_of(row)
    return area <= action < 3 * area
