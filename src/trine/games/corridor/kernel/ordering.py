"""Move ordering: steps on shortest ways, and walls across those of others.

There are about 130 walls to choose from, and few of them are good. The value of each wall that cuts
the rival's bundle of shortest ways is counted exactly; walls that touch nothing come last.
"""

from __future__ import annotations

import numpy as np

from trine.core.jit import inner, kernel
from trine.games.corridor.kernel.bundles import (
    Bundle,
    bundle_of,
    long_walls_across,
    steps_with_wall,
)
from trine.games.corridor.kernel.make import copy, set_mover
from trine.games.corridor.kernel.movegen import (
    STRAIGHT,
    TARGETS,
    legal_targets,
    target_number,
)
from trine.games.corridor.kernel.narrow import has
from trine.games.corridor.kernel.promises import (
    APART,
    CLOSE,
    CROSSES,
    GUARDS,
    IN_OWN_WAY,
    JUMP,
    OTHER_MOVE,
    STEP,
    STEP_BEHIND,
    is_close,
    longer_by,
    rival_of,
    worth_of,
)
from trine.games.corridor.kernel.row import (
    NARROW,
    QUORIDOR,
    SQUARE,
    WIDE,
    Numbers,
    Row,
    Rows,
    hand_of,
    is_in_setup,
    is_playing,
    mover,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.wide_ordering import wide_gains_by_jump, wide_prefer


@inner("boolean(UniTuple(uint64, 13), boolean, int64, int64)", forceinline=True)
def may_part(bundle: Bundle, long: bool, part: int, square: int) -> bool:
    """Return whether a wall may cut all ways of a bundle; if not, it certainly does not.

    It does where it shuts all sides between two levels. A long wall may also shut two sides between
    different levels, with all ways through one or the other.
    """
    if has(bundle[4 + part], bundle[5 + part], square):
        return True
    if not long or not has(bundle[part], bundle[part + 1], square):
        return False
    return has(bundle[part], bundle[part + 1], square + (NARROW if part else 1))


@inner("void(uint64[::1], int32[::1], int64, int32[::1])")
def narrow_prefer(row: Row, actions: Numbers, total: int, scores: Numbers) -> None:
    """`score_moves` on a narrow board, once all start squares are chosen."""
    player, rival, size = mover(row), rival_of(row), size_of(row)
    area, long = size * size, rules_of(row) == QUORIDOR
    own, other = bundle_of(row, player), bundle_of(row, rival)
    own_sides = (own[0], own[1], own[2], own[3])
    other_sides = (other[0], other[1], other[2], other[3])
    own_across = long_walls_across(own_sides) if long else own_sides
    across = long_walls_across(other_sides) if long else other_sides
    own_steps, steps = np.int64(own[12]), np.int64(other[12])
    step_worth = STEP if own_steps <= steps else STEP_BEHIND
    for index in range(total):
        action = int(actions[index])
        if action < area:
            square = int(SQUARE[size, action])
            if has(own[8], own[9], square):
                scores[index] = step_worth
            elif has(own[10], own[11], square):
                scores[index] = JUMP
            else:
                scores[index] = OTHER_MOVE
            continue
        if action >= 3 * area:
            scores[index] = 0
            continue
        axis = int(action >= 2 * area)
        square = int(SQUARE[size, action - area - axis * area])
        part = 2 * axis
        hurts = has(own_across[part], own_across[part + 1], square)
        if may_part(other, long, part, square):
            gained = longer_by(steps_with_wall(row, rival, axis, square), steps)
            lost = 0
            if hurts:
                lost = longer_by(steps_with_wall(row, player, axis, square), own_steps)
            if gained > 0:
                scores[index] = worth_of(gained, lost)
                continue
        if has(across[part], across[part + 1], square):
            score = CROSSES
        elif long and has(own[6 - part], own[7 - part], square):
            score = GUARDS
        elif is_close(row, player, square) or is_close(row, rival, square):
            score = CLOSE
        else:
            score = APART
        scores[index] = score + (IN_OWN_WAY if hurts else 0)


@kernel("void(uint64[::1], int32[::1], int64, int32[::1])")
def score_moves(row: Row, actions: Numbers, total: int, scores: Numbers) -> None:
    """Write scores of how promising actions are, from -1,000 to 1,000."""
    if is_in_setup(row):
        size = size_of(row)
        stride = NARROW if size <= NARROW else WIDE
        for index in range(total):
            square = int(SQUARE[size, actions[index]])
            ranks, files = square // stride, square % stride
            aside = min(abs(2 * ranks - size + 1), abs(2 * files - size + 1))
            scores[index] = 100 - 100 * aside // size
    elif size_of(row) <= NARROW:
        narrow_prefer(row, actions, total, scores)
    else:
        wide_prefer(row, rival_of(row), actions, total, scores)


# --- tactics -------------------------------------------------------------------------------------


@inner("boolean(uint64[::1])", forceinline=True)
def pawns_touch(row: Row) -> bool:
    """Return whether another pawn is beside the pawn of the player to move, regardless of walls."""
    stride = NARROW if size_of(row) <= NARROW else WIDE
    own = pawn_of(row, mover(row))
    found = False
    for player in range(players_of(row)):
        gap = abs(pawn_of(row, player) - own)
        found |= gap in (1, stride)
    return found


@inner("boolean(uint64[::1], int64)")
def gains_by_jump(row: Row, square: int) -> bool:
    """Return whether the player to move gains a step by a jump to a square."""
    if size_of(row) > NARROW:
        return wide_gains_by_jump(row, square)
    ways = bundle_of(row, mover(row))
    return has(ways[10], ways[11], square)


@kernel("int64(uint64[::1], int32[::1])")
def tactical(row: Row, out: Numbers) -> int:
    """Write the jumps that gain a step, and return their number."""
    if is_in_setup(row) or not pawns_touch(row):
        return 0
    targets = legal_targets(row)
    if targets <= 15:
        return 0
    found = 0
    for target in range(STRAIGHT, TARGETS):
        if targets >> target & 1:
            action = target_number(row, target)
            if gains_by_jump(row, int(SQUARE[size_of(row), action])):
                out[found] = action
                found += 1
    return found


@kernel("boolean(uint64[:, ::1], int64)")
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move of the player to move.

    Returns: false where that proves nothing, since waiting can be good: beside another pawn, or
        without walls in hand. Then nothing is written.
    """
    row, after = rows[ply], rows[ply + 1]
    if is_in_setup(row) or hand_of(row, mover(row)) == 0 or pawns_touch(row):
        return False
    copy(row, after)
    player = mover(row)
    while True:
        player = player + 1 if player + 1 < players_of(row) else 0
        if is_playing(row, player):
            break
    set_mover(after, player)
    return True
