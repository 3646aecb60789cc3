"""The compiled rules of Corridor: rows of words instead of positions, numbers instead of actions.

They repeat the rules of the referee (`trine.games.corridor.referee`); tests compare the two. Rows:
`trine.games.corridor.kernel.layout`. Numbers: `trine.games.corridor.compiled`. The rule set, the
size of the board and the number of players are data in the row. Repetition is ignored.

`clear`, `put_wall`, `refresh_result` and the setters of `layout` build any position; `play` plays a
turn.

A row belongs to one thread, because generating legal actions caches known paths in it.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel, kernel_only
from trine.core.contract.score import ONGOING
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES
from trine.games.corridor.board import WEST as WEST_SIDE
from trine.games.corridor.kernel import layout, sets
from trine.games.corridor.kernel.shortest_paths import closed_by, find_path, open_sides_of
from trine.games.corridor.kernel.walls import great_walls, join, quoridor_walls

MAX_ACTIONS: Final = 8 + 2 * layout.STRIDE * (layout.STRIDE - 1)
"""An upper bound of the legal actions: through each of four open sides a pawn reaches at most two
squares, and a wall is between two squares. There are fewer start squares."""

# The targets of a pawn are twelve bits: one step to each of the four sides, two steps to each, and
# the diagonal squares: south-west, north-west, north-east, south-east.
TARGETS: Final = 12
STRAIGHT: Final = 4
DIAGONAL: Final = 8
DELTAS: Final = np.array(
    [step * times for times in (1, 2) for step in (-layout.STRIDE, -1, layout.STRIDE, 1)]
    + [-layout.STRIDE - 1, layout.STRIDE - 1, layout.STRIDE + 1, 1 - layout.STRIDE],
    np.int64,
)
"""The number of each target minus that of the pawn's square."""

# --- moves ---------------------------------------------------------------------------------------


@kernel()
def jumps(row: Row, over: int, side: int) -> int:
    """Return the targets of a jump over the pawn on a square, towards a side."""
    sides = open_sides_of(row, over)
    if sides >> side & 1 and not layout.has_pawn_on(row, over + int(DELTAS[side])):
        return 1 << (STRAIGHT + side)
    if layout.rules_of(row) != layout.QUORIDOR:
        return 0
    targets = 0
    after, before = (side + 1) & 3, (side - 1) & 3
    if sides >> after & 1 and not layout.has_pawn_on(row, over + int(DELTAS[after])):
        targets |= 1 << (DIAGONAL + side)
    if sides >> before & 1 and not layout.has_pawn_on(row, over + int(DELTAS[before])):
        targets |= 1 << (DIAGONAL + before)
    return targets


@kernel(forceinline=True)
def pawn_targets(row: Row, square: int) -> int:
    """Return the squares that the mover's pawn could reach from a square, as bits (`TARGETS`)."""
    beside = 0
    for player in range(layout.players_of(row)):
        gap = layout.pawn_of(row, player) - square
        beside |= (
            (gap == -layout.STRIDE)
            | (gap == -1) << 1
            | (gap == layout.STRIDE) << 2
            | (gap == 1) << 3
        )
    sides = open_sides_of(row, square)
    targets = sides & ~beside
    if sides & beside:
        for side in SIDES:
            if sides & beside & 1 << side:
                targets |= jumps(row, square + int(DELTAS[side]), side)
    return targets


@kernel_only(forceinline=True)
def legal_targets(row: Row) -> int:
    return pawn_targets(row, layout.pawn_of(row, layout.mover(row)))


@kernel_only(forceinline=True)
def target_number(row: Row, target: int) -> int:
    return int(
        layout.NUMBER[
            layout.size_of(row), layout.pawn_of(row, layout.mover(row)) + int(DELTAS[target])
        ]
    )


@kernel_only()
def nth_choice(row: Row, number: int) -> int:
    """Return the legal start square at an index, or -1 if there are fewer."""
    size = layout.size_of(row)
    side = layout.START_SIDES[layout.players_of(row), layout.mover(row)]
    first = size * (size - 1) if side == NORTH_SIDE else size - 1 if side == EAST_SIDE else 0
    step = size if side in (WEST_SIDE, EAST_SIDE) else 1
    for place in range(first, first + step * size, step):
        if not layout.has_pawn_on(row, int(layout.SQUARE[size, place])):
            if number == 0:
                return place
            number -= 1
    return -1


# --- walls ---------------------------------------------------------------------------------------


@kernel_only(forceinline=True)
def walls_of(row: Row) -> sets.Sides:
    """Return the walls that the player to move can place, if any are in hand."""
    if layout.rules_of(row) == layout.QUORIDOR:
        return quoridor_walls(row)
    if layout.rules_of(row) == layout.GREAT_WALL:
        return sets.without(sets.open_sides(row), great_walls(row))
    return sets.open_sides(row)


@kernel_only(forceinline=True)
def list_axis(row: Row, axis: int, walls: sets.Squares, out: Buffer, found: int) -> int:
    """Write the walls of an axis into a list from an index on; return the next index."""
    size = layout.size_of(row)
    first = size * size * (1 + axis)
    for word in range(2):
        bits = sets.word_of(walls, word)
        while bits:
            out[found] = first + layout.NUMBER[size, 64 * word + lowest(bits)]
            found += 1
            bits &= bits - ONE
    return found


@kernel_only()
def list_walls(row: Row, out: Buffer, found: int) -> int:
    """Write the legal walls into a list from an index on; return the next index."""
    if layout.hand_of(row, layout.mover(row)) == 0:
        return found
    walls = walls_of(row)
    found = list_axis(row, 0, walls.north, out, found)
    return list_axis(row, 1, walls.east, out, found)


@kernel()
def generate(row: Row, out: Buffer) -> int:
    """Write the legal actions, each once: moves, then horizontal walls, then vertical walls."""
    if layout.result(row) != ONGOING:
        return 0
    found = 0
    if layout.is_in_setup(row):
        while True:
            choice = nth_choice(row, found)
            if choice < 0:
                return found
            out[found] = choice
            found += 1
    targets = legal_targets(row)
    for target in range(TARGETS):
        if targets >> target & 1:
            out[found] = target_number(row, target)
            found += 1
    found = list_walls(row, out, found)
    if found == 0:
        size = layout.size_of(row)
        out[0] = 3 * size * size  # a pass
        return 1
    return found


@kernel()
def count_actions(row: Row) -> int:
    if layout.result(row) != ONGOING:
        return 0
    if layout.is_in_setup(row):
        found = 0
        while nth_choice(row, found) >= 0:
            found += 1
        return found
    walls = 0 if layout.hand_of(row, layout.mover(row)) == 0 else sets.number_in(walls_of(row))
    return max(1, count(np.uint64(legal_targets(row))) + walls)


# --- walls and known paths -----------------------------------------------------------------------


@kernel_only()
def forget_path(row: Row, player: int) -> None:
    sets.write_pair(row, layout.PATHS + 4 * player, sets.all_sides())


@kernel_only()
def find_witness(row: Row) -> bool:
    """Find a player with a path to the goal, and store it; return whether there is one."""
    sides, player = sets.open_sides(row), layout.witness_of(row)
    for _ in range(layout.players_of(row)):
        if layout.is_playing(row, player):
            path = find_path(sides, layout.pawn_of(row, player), sets.goal_of(row, player))
            sets.write_pair(row, layout.PATH, path)
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
            step = sets.one(side)
            sets.write(
                row,
                at,
                sets.read(row, at) | step | (sets.south_of(step) if axis else sets.west_of(step)),
            )
        else:
            forget_path(row, player)
    elif player == layout.witness_of(row):
        if is_step:
            at = layout.PATH + 2 * axis
            sets.write(row, at, sets.read(row, at) | sets.one(side))
        else:
            sets.write_pair(row, layout.PATH, sets.all_sides())


@kernel_only()
def clear_board(row: Row) -> None:
    """Remove all walls, by the rules in the head of the row."""
    sets.write_pair(row, layout.NORTH_OPEN, sets.open_sides_at_first(row))
    for word in range(layout.HORIZONTAL, layout.WORDS):
        row[word] = NONE
    if layout.rules_of(row) == layout.QUORIDOR:
        for player in range(4):
            forget_path(row, player)
    else:
        sets.write_pair(row, layout.PATH, sets.all_sides())


@kernel_only(forceinline=True)
def put_on_board(row: Row, axis: int, square: int) -> bool:
    """Put a wall on the board; return whether it cuts the witness's path, false in Quoridor."""
    long = layout.rules_of(row) == layout.QUORIDOR
    at = layout.NORTH_OPEN + 2 * axis
    sets.write(row, at, sets.read(row, at) & ~closed_by(axis, square, long))
    if long:
        at = layout.HORIZONTAL + 2 * axis
        sets.write(row, at, sets.read(row, at) | sets.one(square))
        for player in range(layout.players_of(row)):
            at = layout.PATHS + 2 * (2 * player + axis)
            if sets.has(sets.read(row, at), square):
                forget_path(row, player)
        return False
    if layout.rules_of(row) == layout.GREAT_WALL:
        join(row, axis, square)
    return sets.has(sets.read(row, layout.PATH + 2 * axis), square)


@kernel()
def has_wall(row: Row, axis: int, square: int) -> bool:
    return sets.has(sets.along(sets.walls_on_board(row), axis), square)


@kernel()
def fresh_key(row: Row) -> Word:
    """Return the key computed from scratch, not from the key in the row."""
    found = layout.GAME_KEYS[row[layout.GAME]] ^ layout.MOVER_KEYS[layout.mover(row)]
    for player in range(layout.players_of(row)):
        found ^= layout.PAWN_KEYS[player, layout.pawn_of(row, player)]
        found ^= layout.hand_key(player, layout.hand_of(row, player))
    for axis in range(2):
        walls = sets.along(sets.walls_on_board(row), axis)
        while walls:
            found ^= layout.WALL_KEYS[axis, sets.first_of(walls)]
            walls = sets.without_first(walls)
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
