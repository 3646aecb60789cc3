"""Solving one layer: all positions with equal numbers of walls on the board, set by set.

Walls are never removed. So a position leads to one with the same set of walls (a pawn moves), or
with one wall more, which is solved already. The positions with a set of walls, and the same walls
in hand, are a small cyclic graph of pawns and mover.

A *value* is a byte: `DRAWN`; `FORBIDDEN`, an impossible position; else one more than the number of
actions of both players to the end, at best play: the mover wins in an odd number and loses in an
even one.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.bits import NONE, ONE, lowest
from trine.core.compiled.jit import kernel

DRAWN: Final = 0
FORBIDDEN: Final = 255
LOST: Final = 1
"""The mover has already lost: the other pawn is at its goal."""
MAX_TARGETS: Final = 5
"""The maximum number of a pawn's targets: four sides, and one more by a diagonal jump."""


@kernel("int64(uint64[::1], uint64)")
def find(sets: NDArray[Any], wanted: np.uint64) -> int:
    """Return the index of a set in a sorted list, or -1."""
    low, high = 0, len(sets)
    while low < high:
        middle = (low + high) >> 1
        if sets[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(sets) and sets[low] == wanted else -1


@kernel("uint64(uint64, int64[::1])")
def image(walls: np.uint64, places: NDArray[Any]) -> np.uint64:
    """Return the image of a set of walls."""
    found = NONE
    while walls:
        found |= ONE << np.uint64(places[lowest(walls)])
        walls &= walls - ONE
    return found


@kernel("int64(uint64, int64[:, ::1])")
def least_image(walls: np.uint64, places: NDArray[Any]) -> int:
    """Return the symmetry that maps a set of walls to the smallest number."""
    best, least = 0, walls
    for way in range(1, 4):
        other = image(walls, places[way])
        if other < least:
            best, least = way, other
    return best


@kernel("boolean(uint64, int64[:, ::1], int64[::1], int64[::1])")
def joins_sides(
    walls: np.uint64, points: NDArray[Any], border: NDArray[Any], touched: NDArray[Any]
) -> bool:
    """Return whether a line of walls joins two sides of the board; ``touched`` is scratch."""
    for point in range(len(border)):
        touched[point] = border[point]
    changed = True
    while changed:
        changed = False
        rest = walls
        while rest:
            wall = lowest(rest)
            rest &= rest - ONE
            one, other = points[wall, 0], points[wall, 1]
            # The border itself joins nothing: only sides reached by walls are passed on.
            both = touched[one] | touched[other]
            if both & (both - 1):
                return True
            if border[one] == 0 and touched[one] != both:
                touched[one], changed = both, True
            if border[other] == 0 and touched[other] != both:
                touched[other], changed = both, True
    return False


@kernel("uint64(uint64, uint64, int64[:, ::1], uint64[:, ::1])")
def spread(
    squares: np.uint64, walls: np.uint64, steps: NDArray[Any], shuts: NDArray[Any]
) -> np.uint64:
    """Return all squares with a path to a set of squares, ignoring pawns."""
    fresh = squares
    while fresh:
        square = lowest(fresh)
        fresh &= fresh - ONE
        for side in range(4):
            near = steps[square, side]
            if near >= 0 and not walls & shuts[square, side]:
                bit = ONE << np.uint64(near)
                if not squares & bit:
                    squares |= bit
                    fresh |= bit
    return squares


@kernel("void(uint64, int64[:, ::1], uint64[:, ::1], boolean, int64[:, ::1], int64[::1])")
def list_targets(
    walls: np.uint64,
    steps: NDArray[Any],
    shuts: NDArray[Any],
    diagonal: bool,
    targets: NDArray[Any],
    counts: NDArray[Any],
) -> None:
    """Write a pawn's targets for each pair of its square and the other pawn's, and their number.

    A target reached in two ways is listed twice, which changes no value.
    """
    squares = len(steps)
    for square in range(squares):
        for other in range(squares):
            pair, found = square * squares + other, 0
            for side in range(4):
                near = steps[square, side]
                if near < 0 or walls & shuts[square, side]:
                    continue
                if near != other:
                    targets[pair, found] = near
                    found += 1
                    continue
                behind = steps[near, side]
                if behind >= 0 and not walls & shuts[near, side]:
                    targets[pair, found] = behind
                    found += 1
                elif diagonal:
                    for turn in ((side + 1) & 3, (side + 3) & 3):
                        beside = steps[near, turn]
                        if beside >= 0 and not walls & shuts[near, turn]:
                            targets[pair, found] = beside
                            found += 1
            counts[pair] = found


@kernel(
    "int64(uint64[::1], int64, int64, int64, int64, uint8[::1], uint64[::1], int64, int64,"
    " uint8[::1], int64[:, ::1], uint64[:, ::1], uint64[::1], uint64[::1], int64[:, ::1],"
    " int64[:, ::1], boolean, boolean, int64[:, ::1], int64[:, ::1])"
)
def solve_sets(
    sets: NDArray[Any],
    start: int,
    stop: int,
    least: int,
    splits: int,
    values: NDArray[Any],
    more: NDArray[Any],
    more_least: int,
    more_splits: int,
    more_values: NDArray[Any],
    steps: NDArray[Any],
    shuts: NDArray[Any],
    conflicts: NDArray[Any],
    goals: NDArray[Any],
    square_images: NDArray[Any],
    place_images: NDArray[Any],
    diagonal: bool,
    may_trap: bool,
    targets: NDArray[Any],
    work: NDArray[Any],
) -> int:
    """Solve the sets of walls in a range; return the longest win found.

    Args: ``least`` and ``splits`` are the first player's minimum of walls in hand, and the number
        of ways to divide the walls in hand; ``splits`` is 0 without a limit. ``more`` has both for
        the layer with one wall more. ``targets`` ``[pairs, 5]`` and ``work`` ``[7, 2 * pairs]`` are
        scratch.
    """
    squares = len(steps)
    pairs = squares * squares
    graph = 2 * pairs
    counts, live, wins, losses, holds, exits, ends = (
        work[0],
        work[1],
        work[2],
        work[3],
        work[4],
        work[5],
        work[6],
    )
    longest = 0
    for index in range(start, stop):
        walls = sets[index]
        list_targets(walls, steps, shuts, diagonal, targets, counts)
        ways0 = spread(goals[0], walls, steps, shuts)
        ways1 = spread(goals[1], walls, steps, shuts)
        shared = max(splits, 1)
        alive = 0
        for one in range(squares):
            for two in range(squares):
                way0 = ways0 >> np.uint64(one) & ONE
                way1 = ways1 >> np.uint64(two) & ONE
                for mover in range(2):
                    state = mover * pairs + one * squares + two
                    at_goal = (
                        goals[1] >> np.uint64(two) & ONE
                        if mover == 0
                        else goals[0] >> np.uint64(one) & ONE
                    )
                    if one == two or not (may_trap or (way0 and way1)):
                        ends[state] = FORBIDDEN
                    elif at_goal:
                        ends[state] = LOST
                    else:
                        ends[state] = DRAWN
                        if way0 or way1:
                            live[alive] = state
                            alive += 1
        for split in range(shared):
            base = (index * shared + split) * graph
            for state in range(graph):
                values[base + state] = ends[state]
                wins[state], losses[state], holds[state], exits[state] = 999, 0, 0, 0
            # The values after placing each wall.
            for place in range(len(conflicts)):
                if walls & conflicts[place]:
                    continue
                after = walls | ONE << np.uint64(place)
                way = least_image(after, place_images)
                child = find(more, image(after, place_images[way]))
                if child < 0:
                    continue
                squares_to = square_images[way]
                swaps = way >= 2
                for mover in range(2):
                    more_shared, its_split = max(more_splits, 1), 0
                    if splits:
                        first = least + split
                        together = 2 * least + splits - 1  # of both hands
                        own = first if mover == 0 else together - first
                        if own == 0:
                            continue
                        first -= 1 - mover
                        if swaps:
                            first = together - 1 - first
                        its_split = first - more_least
                    to_move = mover if swaps else 1 - mover
                    its_base = (child * more_shared + its_split) * graph + to_move * pairs
                    for number in range(alive):
                        state = live[number]
                        if state // pairs != mover:
                            continue
                        pair = state - mover * pairs
                        one, two = squares_to[pair // squares], squares_to[pair % squares]
                        there = two * squares + one if swaps else one * squares + two
                        value = int(more_values[its_base + there])
                        if value == FORBIDDEN:
                            continue
                        exits[state] = 1
                        if value == DRAWN:
                            holds[state] = 1
                        elif value & 1:
                            wins[state] = min(wins[state], value + 1)
                        else:
                            losses[state] = max(losses[state], value + 1)
            # The graph of the pawns, by rising distance from the end.
            last = 1
            for number in range(alive):
                state = live[number]
                if wins[state] < 999:
                    last = max(last, wins[state])
                last = max(last, losses[state])
            left, value, changed, before = alive, 1, True, True
            while left and (value < last or changed or before):
                value += 1
                before, changed = changed, False
                kept = 0
                winning = value & 1 == 0
                for number in range(left):
                    state = live[number]
                    mover = state // pairs
                    pair = state - mover * pairs
                    one, two = pair // squares, pair % squares
                    own, other = (one, two) if mover == 0 else (two, one)
                    around = own * squares + other
                    its_base = base + (1 - mover) * pairs
                    settled = False
                    if winning:
                        settled = wins[state] == value
                        for which in range(counts[around]):
                            to = targets[around, which]
                            there = to * squares + two if mover == 0 else one * squares + to
                            if values[its_base + there] == value - 1:
                                settled = True
                        if counts[around] == 0 and not exits[state]:
                            settled = values[its_base + pair] == value - 1
                    elif not holds[state] and wins[state] == 999 and losses[state] <= value:
                        settled = True
                        for which in range(counts[around]):
                            to = targets[around, which]
                            there = to * squares + two if mover == 0 else one * squares + to
                            found = values[its_base + there]
                            if found == DRAWN or found & 1 or found >= value:
                                settled = False
                                break
                        if counts[around] == 0 and not exits[state]:
                            found = values[its_base + pair]
                            settled = found != DRAWN and found & 1 == 0 and found < value
                    if settled:
                        values[base + state] = value
                        changed = True
                        if winning:
                            longest = max(longest, value - 1)
                    else:
                        live[kept] = state
                        kept += 1
                # Settled positions stay in the list, after the others, for the next hands.
                left = kept
            if left < alive:
                alive = 0
                for state in range(graph):
                    pair = state % pairs
                    has_way = (
                        ways0 >> np.uint64(pair // squares) | ways1 >> np.uint64(pair % squares)
                    ) & ONE
                    if ends[state] == DRAWN and has_way:
                        live[alive] = state
                        alive += 1
    return longest
