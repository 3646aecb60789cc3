"""The legal actions and the result of a row.

The sets of pieces that a rule mentions (free pieces, pieces that can be pushed) are computed for
the whole board at once; the squares with a step in each direction are then four sets.

An action must leave a way to end the turn, and a turn must change the board. One or three steps
always change it: an orthogonal step takes a piece to a square of the other colour, so an odd number
of them cannot cancel out, and a diagonal step is half of a push or pull, whose two pieces would
both have to go back. So a step is illegal for this reason in two cases only: a fourth step that
undoes the other three (`undoing`), and a third step that begins a push whose only completion undoes
the turn (`undoing_push`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.contract.score import DRAW, ONGOING
from trine.games.arimaa.kernel.row import (
    BOARD,
    DUE,
    EAST,
    END,
    FOLLOWERS,
    FOUR_STEPS,
    HAND_AT,
    HAND_MASK,
    IN_SETUP,
    IS_DIAGONAL,
    IS_EJECTION,
    IS_LOSING,
    LAST_SQUARE,
    LEFT_AT,
    MOVER,
    MOVER_AT,
    NORTH,
    OUT,
    PLACEMENT,
    ROW,
    SEVEN,
    SOUTH,
    START,
    STATE,
    STEP_OVER,
    STEPS,
    THREE_STEPS,
    TWO_STEPS,
    WEST,
    Numbers,
    Words,
    inlined,
    piece_on,
)
from trine.games.arimaa.kernel.sets import (
    BESIDE_SQUARE,
    GOLD_GOAL,
    GOLD_HOME,
    NOT_A,
    NOT_H,
    RANK,
    RANK_1,
    RANK_8,
    REACH,
    SILVER_GOAL,
    SILVER_HOME,
    beside,
    outmatched,
    stronger_than,
    unfrozen,
)

MAX_ACTIONS: Final = 137
"""An upper bound: four steps for each of 32 pieces, four pulls and four completions of pushes over
corners, the end of the turn. In the setup there are at most 96."""


# --- the side to move, and the result ------------------------------------------------------------


@inlined(f"int64({ROW})")
def mover_of(row: Words) -> int:
    return np.int64(row[STATE] >> MOVER_AT & ONE)


@inlined(f"int64({ROW})")
def result_on_board(row: Words) -> int:
    """Return the result by goals and rabbits, as if the other side had just ended a turn."""
    low, middle, high, silver = row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3]
    rabbits = low & ~(middle | high)
    gold_goal = rabbits & ~silver & GOLD_GOAL != NONE
    silver_goal = rabbits & silver & SILVER_GOAL != NONE
    to_move = mover_of(row)
    if gold_goal and silver_goal:
        return 1 - to_move
    if gold_goal:
        return 0
    if silver_goal:
        return 1
    gold_left = rabbits & ~silver != NONE
    silver_left = rabbits & silver != NONE
    if gold_left and silver_left:
        return ONGOING
    if row[STATE] & IS_LOSING:
        if gold_left or silver_left:
            return 0 if gold_left else 1
        return 1 - to_move
    return ONGOING if gold_left or silver_left else DRAW


@inlined(f"boolean({ROW})")
def can_move(row: Words) -> bool:
    """Return whether the side to move has a first step, regardless of repetition."""
    low, middle, high, silver = row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3]
    state = row[STATE]
    diagonal = state & IS_DIAGONAL != NONE
    occupied = low | middle | high
    empty = ~occupied
    own = silver if state & MOVER else occupied & ~silver
    free = unfrozen(own, low, middle, high, occupied ^ own, diagonal)
    rabbits = low & ~(middle | high)
    forward = (free & rabbits) >> RANK if state & MOVER else (free & rabbits) << RANK
    sideways = (free & NOT_H) << ONE | (free & NOT_A) >> ONE
    if (beside(free & ~rabbits) | forward | sideways) & empty:
        return True
    pushed = outmatched(free, low, middle, high, diagonal) & (occupied ^ own)
    if beside(pushed) & empty:
        return True
    return state & IS_EJECTION != NONE and pushed & rabbits & (RANK_1 | RANK_8) != NONE


@inlined(f"int64({ROW})")
def result_of(row: Words) -> int:
    if row[STATE] & (IN_SETUP | STEPS):
        return ONGOING
    outcome = result_on_board(row)
    if outcome == ONGOING and not can_move(row):
        return 1 - mover_of(row)
    return outcome


# --- legal actions -------------------------------------------------------------------------------


@inlined(f"int64(uint64, int64, {OUT}, int64)")
def write_steps(squares: Word, direction: int, out: Numbers, total: int) -> int:
    """Append the steps from all squares of a set in a direction; return the new total."""
    while squares:
        out[total] = lowest(squares) * 4 + direction
        squares &= squares - ONE
        total += 1
    return total


@inlined(f"int64(uint64, uint64, {OUT}, int64)")
def write_followers(followers: Word, left: Word, out: Numbers, total: int) -> int:
    """Append the steps of neighbours, also over corners, to a square; return the new total."""
    while followers:
        square = lowest(followers)
        out[total] = square * 4 + STEP_OVER[np.int64(left) - square + 9]
        followers &= followers - ONE
        total += 1
    return total


@inlined(f"int64({ROW}, {OUT})")
def generate_placements(row: Words, out: Numbers) -> int:
    state = row[STATE]
    side = state >> MOVER_AT & ONE
    empty = ~(row[BOARD] | row[BOARD + 1] | row[BOARD + 2])
    empty &= SILVER_HOME if side else GOLD_HOME
    total = 0
    hand = NONE
    for kind in range(len(HAND_MASK)):
        left = state >> HAND_AT[side, kind] & HAND_MASK[kind]
        hand |= left
        squares = empty if left else NONE
        while squares:
            out[total] = PLACEMENT + kind * 64 + lowest(squares)
            squares &= squares - ONE
            total += 1
    if hand == NONE:
        out[0] = END
        total = 1
    return total


@inlined(f"uint64({ROW})")
def changed(row: Words) -> Word:
    """Return the squares that the open turn has changed."""
    return (
        (row[BOARD] ^ row[START])
        | (row[BOARD + 1] ^ row[START + 1])
        | (row[BOARD + 2] ^ row[START + 2])
        | (row[BOARD + 3] ^ row[START + 3])
    )


@inlined(f"uint64({ROW}, int64, uint64)")
def piece_of(row: Words, board: int, square: Word) -> Word:
    """Return the piece on a square, now (`BOARD`) or at the start of the turn (`START`)."""
    return piece_on(square, row[board], row[board + 1], row[board + 2], row[board + 3])


@inlined(f"UniTuple(uint64, 2)({ROW}, uint64)")
def undoing(row: Words, difference: Word) -> tuple[Word, Word]:
    """Return the origin and target of the one step that restores the board as the turn began.

    Both are sets of one square, or empty. As a fourth step it is illegal, since the turn would
    change nothing.
    """
    occupied = row[BOARD] | row[BOARD + 1] | row[BOARD + 2]
    begun = row[START] | row[START + 1] | row[START + 2]
    origin, target = difference & ~begun, difference & ~occupied
    if count(difference) == 2 and origin and target:
        square, goal = np.uint64(lowest(origin)), np.uint64(lowest(target))
        if piece_of(row, BOARD, square) == piece_of(row, START, goal):
            return origin, target
    return NONE, NONE


@inlined(f"UniTuple(uint64, 2)({ROW}, uint64, uint64)")
def undoing_push(row: Words, difference: Word, free: Word) -> tuple[Word, Word]:
    """Return the victim and target of the push that, as steps 3 and 4, would undo the first two.

    Both are sets of one square, or empty. They are also empty if another piece can complete the
    push, which would change the board.
    """
    if count(difference) != 3:
        return NONE, NONE
    occupied = row[BOARD] | row[BOARD + 1] | row[BOARD + 2]
    begun = row[START] | row[START + 1] | row[START + 2]
    victim, target, by = occupied & begun, begun & ~occupied, occupied & ~begun
    victim, target, by = victim & difference, target & difference, by & difference
    if victim == NONE or target == NONE or by == NONE:
        return NONE, NONE
    square, goal, pusher = lowest(victim), lowest(target), lowest(by)
    piece = piece_of(row, BOARD, np.uint64(square))
    if piece != piece_of(row, START, np.uint64(goal)):
        return NONE, NONE
    if piece_of(row, BOARD, np.uint64(pusher)) != piece_of(row, START, np.uint64(square)):
        return NONE, NONE
    stronger = stronger_than(piece & SEVEN, row[BOARD], row[BOARD + 1], row[BOARD + 2])
    if stronger & free & REACH[row[STATE] & IS_DIAGONAL, square] != by:
        return NONE, NONE
    return victim, target


@inlined(f"int64({ROW}, {OUT})")
def generate_steps(row: Words, out: Numbers) -> int:
    """Write the legal actions after the setup, regardless of the result of the last turn."""
    low, middle, high, silver = row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3]
    state = row[STATE]
    steps = state & STEPS
    followers = row[FOLLOWERS]
    left = state >> LEFT_AT & LAST_SQUARE
    difference = changed(row)
    total = 0
    back_from, back_to = NONE, NONE
    if steps == THREE_STEPS:
        back_from, back_to = undoing(row, difference)
        if followers and back_to == ONE << left:
            followers &= ~back_from
    if state & DUE:
        return write_followers(followers, left, out, total)
    if steps and difference:
        out[total] = END
        total += 1
    if steps == FOUR_STEPS:
        return total
    diagonal = state & IS_DIAGONAL != NONE
    occupied = low | middle | high
    empty = ~occupied
    own = silver if state & MOVER else occupied & ~silver
    enemies = occupied ^ own
    free = unfrozen(own, low, middle, high, enemies, diagonal)
    rabbits = low & ~(middle | high)

    # Steps of own pieces; rabbits never backward.
    north = free & ~rabbits if state & MOVER else free
    south = free if state & MOVER else free & ~rabbits
    east, west = free, free
    if steps < THREE_STEPS:
        # First halves of pushes.
        pushed = outmatched(free, low, middle, high, diagonal) & enemies
        if state & IS_EJECTION:
            total = write_steps(pushed & rabbits & RANK_8, NORTH, out, total)
            total = write_steps(pushed & rabbits & RANK_1, SOUTH, out, total)
        pushed_north = pushed & empty >> RANK
        pushed_south = pushed & empty << RANK
        pushed_east = pushed & (empty & NOT_A) >> ONE
        pushed_west = pushed & (empty & NOT_H) << ONE
        if steps == TWO_STEPS:
            victim, target = undoing_push(row, difference, free)
            pushed_north &= ~(victim & target >> RANK)
            pushed_south &= ~(victim & target << RANK)
            pushed_east &= ~(victim & (target & NOT_A) >> ONE)
            pushed_west &= ~(victim & (target & NOT_H) << ONE)
        north |= pushed_north
        south |= pushed_south
        east |= pushed_east
        west |= pushed_west
    north &= empty >> RANK & ~(back_from & back_to >> RANK)
    south &= empty << RANK & ~(back_from & back_to << RANK)
    east &= (empty & NOT_A) >> ONE & ~(back_from & (back_to & NOT_A) >> ONE)
    west &= (empty & NOT_H) << ONE & ~(back_from & (back_to & NOT_H) << ONE)
    if followers:
        # Second halves of pulls, or of pushes. Orthogonal ones may be among the steps above.
        hole = ONE << left
        north |= followers & hole >> RANK
        south |= followers & hole << RANK
        east |= followers & (hole & NOT_A) >> ONE
        west |= followers & (hole & NOT_H) << ONE
        if diagonal:
            corners = followers & ~BESIDE_SQUARE[left]
            total = write_followers(corners, left, out, total)
    total = write_steps(north, NORTH, out, total)
    total = write_steps(east, EAST, out, total)
    total = write_steps(south, SOUTH, out, total)
    return write_steps(west, WEST, out, total)


@inlined(f"int64({ROW}, {OUT})")
def generate_from(row: Words, out: Numbers) -> int:
    """Write the numbers of the legal actions; none after the end of the play."""
    if row[STATE] & IN_SETUP:
        return generate_placements(row, out)
    if row[STATE] & STEPS == NONE and result_on_board(row) != ONGOING:
        return 0
    return generate_steps(row, out)
