"""Move ordering on a wide board: `trine.games.corridor.kernel.ordering` once more."""

from __future__ import annotations

from typing import Final

from trine.core.bits import NONE, ONE, count
from trine.core.jit import inner
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
    worth_of,
)
from trine.games.corridor.kernel.row import (
    MOST_RANKS,
    QUORIDOR,
    SQUARE,
    WIDE,
    Numbers,
    Row,
    mover,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.wide import set_sides, wide_distance
from trine.games.corridor.kernel.wide_ways import (
    AFTER,
    FREE,
    begin_walk,
    go_on,
    new_sheet,
    wipe,
    write_after,
    write_rings,
    write_sides,
)

# A bundle (see `trine.games.corridor.kernel.bundles`) is seven sets one after the other.
CROSSED: Final = 0
"""The sides that it crosses: north, and east."""
PARTING: Final = 2 * MOST_RANKS
"""The walls each of which cuts all its ways: lying, and standing."""
FIRST_STEP: Final = 4 * MOST_RANKS
SECOND_STEP: Final = 5 * MOST_RANKS
OWN: Final = FREE
OTHER: Final = FREE + 6 * MOST_RANKS
SIDES: Final = FREE + 12 * MOST_RANKS
"""Two sets: the sides between two levels, north and east."""


@inner("boolean(uint64[::1], int64, int64)", forceinline=True)
def is_in(sheet: Row, place: int, square: int) -> bool:
    """Return whether a square is in a set."""
    return bool(sheet[place + square // WIDE] >> (square % WIDE) & ONE)


@inner("boolean(uint64[::1], int64, int64, int64, int64)")
def is_across(sheet: Row, bundle: int, length: int, axis: int, square: int) -> bool:
    """Return whether a wall of a length shuts a side that a bundle crosses."""
    sides = bundle + CROSSED + axis * MOST_RANKS
    if is_in(sheet, sides, square):
        return True
    return length == 2 and is_in(sheet, sides, square + (WIDE if axis else 1))


@inner("boolean(uint64[::1], int64, int64, int64, int64)")
def may_part(sheet: Row, bundle: int, length: int, axis: int, square: int) -> bool:
    """Return whether a wall may cut all ways of a bundle; if not, it certainly does not."""
    if is_in(sheet, bundle + PARTING + axis * MOST_RANKS, square):
        return True
    sides = bundle + CROSSED + axis * MOST_RANKS
    if length == 1 or not is_in(sheet, sides, square):
        return False
    return is_in(sheet, sides, square + (WIDE if axis else 1))


@inner("void(uint64[::1], int64, int64)")
def add_parting(sheet: Row, bundle: int, length: int) -> None:
    """Add the walls each of which shuts all sides between the level and the next."""
    sides = NONE
    lying = standing = 0
    for rank in range(MOST_RANKS):
        lying += count(sheet[SIDES + rank])
        standing += count(sheet[SIDES + MOST_RANKS + rank])
    if lying + standing > length or (lying > 0 and standing > 0):
        return
    both = lying + standing == 2
    for rank in range(MOST_RANKS):
        sides = sheet[SIDES + rank]
        if length == 2:
            sides = sides & sides >> 1 if both else sides | sides >> 1
        sheet[bundle + PARTING + rank] |= sides
        sides = sheet[SIDES + MOST_RANKS + rank]
        if length == 2:
            above = sheet[SIDES + MOST_RANKS + rank + 1] if rank + 1 < MOST_RANKS else NONE
            sides = sides & above if both else sides | above
        sheet[bundle + PARTING + MOST_RANKS + rank] |= sides


@inner("int64(uint64[::1], uint64[::1], int64, int64, int64)")
def write_bundle(row: Row, sheet: Row, player: int, bundle: int, length: int) -> int:
    """Write the bundle of a player; return the number of steps of its ways, -1 if there is none."""
    for place in range(6):
        wipe(sheet, bundle + place * MOST_RANKS)
    steps = write_rings(row, sheet, player)
    begin_walk(row, sheet, player)
    for level in range(steps):
        write_after(row, sheet, steps - level - 1)
        write_sides(row, sheet, SIDES, SIDES + MOST_RANKS)
        for word in range(2 * MOST_RANKS):
            sheet[bundle + CROSSED + word] |= sheet[SIDES + word]
        add_parting(sheet, bundle, length)
        if level < 2:
            place = bundle + (FIRST_STEP if level == 0 else SECOND_STEP)
            for rank in range(MOST_RANKS):
                sheet[place + rank] = sheet[AFTER + rank]
        go_on(sheet)
    return steps


@inner("int64(uint64[::1], int64, int64, int64)")
def wide_steps_with_wall(row: Row, player: int, axis: int, square: int) -> int:
    """Return the steps of a player if a legal wall stood; -1 if there were no way."""
    set_sides(row, axis, square // WIDE, square % WIDE, False)
    steps = wide_distance(row, player)
    set_sides(row, axis, square // WIDE, square % WIDE, True)
    return steps


@inner("void(uint64[::1], int64, int32[::1], int64, int32[::1])")
def wide_prefer(row: Row, rival: int, actions: Numbers, total: int, scores: Numbers) -> None:
    """`score_moves` on a wide board, once all start squares are chosen."""
    sheet = new_sheet()
    player, size = mover(row), size_of(row)
    area, length = size * size, 2 if rules_of(row) == QUORIDOR else 1
    own_steps = write_bundle(row, sheet, player, OWN, length)
    steps = write_bundle(row, sheet, rival, OTHER, length)
    ahead = own_steps >= 0 and (steps < 0 or own_steps <= steps)
    for index in range(total):
        action = int(actions[index])
        if action < area:
            square = int(SQUARE[size, action])
            if is_in(sheet, OWN + FIRST_STEP, square):
                scores[index] = STEP if ahead else STEP_BEHIND
            else:
                scores[index] = JUMP if is_in(sheet, OWN + SECOND_STEP, square) else OTHER_MOVE
            continue
        if action >= 3 * area:
            scores[index] = 0
            continue
        axis = int(action >= 2 * area)
        square = int(SQUARE[size, action - area - axis * area])
        hurts = is_across(sheet, OWN, length, axis, square)
        if may_part(sheet, OTHER, length, axis, square):
            gained = longer_by(wide_steps_with_wall(row, rival, axis, square), steps)
            lost = 0
            if hurts:
                lost = longer_by(wide_steps_with_wall(row, player, axis, square), own_steps)
            if gained > 0:
                scores[index] = worth_of(gained, lost)
                continue
        if is_across(sheet, OTHER, length, axis, square):
            score = CROSSES
        elif length == 2 and is_in(sheet, OWN + PARTING + (1 - axis) * MOST_RANKS, square):
            score = GUARDS
        elif is_close(row, player, square) or is_close(row, rival, square):
            score = CLOSE
        else:
            score = APART
        scores[index] = score + (IN_OWN_WAY if hurts else 0)


@inner("boolean(uint64[::1], int64)")
def wide_gains_by_jump(row: Row, square: int) -> bool:
    """Return whether the player to move gains a step by a jump to a square."""
    sheet = new_sheet()
    write_bundle(row, sheet, mover(row), OWN, 1)
    return is_in(sheet, OWN + SECOND_STEP, square)
