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

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.rows import BufferPointer, RowPointer, inlined
from trine.core.contract.score import DRAW, ONGOING
from trine.games.arimaa.kernel import layout, sets
from trine.games.arimaa.kernel.layout import SEVEN

MAX_ACTIONS: Final = 137
"""An upper bound: four steps for each of 32 pieces, four pulls and four completions of pushes over
corners, the end of the turn. In the setup there are at most 96."""


# --- the side to move, and the result ------------------------------------------------------------


@inlined()
def mover_of(row: RowPointer) -> int:
    return np.int64(row[layout.STATE] >> layout.MOVER_AT & ONE)


@inlined()
def result_on_board(row: RowPointer) -> int:
    """Return the result by goals and rabbits, as if the other side had just ended a turn."""
    low, middle, high, silver = layout.planes(row)
    rabbits = low & ~(middle | high)
    gold_goal = rabbits & ~silver & sets.GOLD_GOAL != NONE
    silver_goal = rabbits & silver & sets.SILVER_GOAL != NONE
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
    if row[layout.STATE] & layout.IS_LOSING:
        if gold_left or silver_left:
            return 0 if gold_left else 1
        return 1 - to_move
    return ONGOING if gold_left or silver_left else DRAW


@inlined()
def can_move(row: RowPointer) -> bool:
    """Return whether the side to move has a first step, regardless of repetition."""
    low, middle, high, silver = layout.planes(row)
    state = row[layout.STATE]
    diagonal = state & layout.IS_DIAGONAL != NONE
    occupied = low | middle | high
    empty = ~occupied
    own = silver if state & layout.MOVER else occupied & ~silver
    free = sets.unfrozen(own, low, middle, high, occupied ^ own, diagonal)
    rabbits = low & ~(middle | high)
    forward = (
        (free & rabbits) >> sets.RANK if state & layout.MOVER else (free & rabbits) << sets.RANK
    )
    sideways = (free & sets.NOT_H) << ONE | (free & sets.NOT_A) >> ONE
    if (sets.beside(free & ~rabbits) | forward | sideways) & empty:
        return True
    pushed = sets.outmatched(free, low, middle, high, diagonal) & (occupied ^ own)
    if sets.beside(pushed) & empty:
        return True
    return (
        state & layout.IS_EJECTION != NONE
        and pushed & rabbits & (sets.RANK_1 | sets.RANK_8) != NONE
    )


@inlined()
def result_of(row: RowPointer) -> int:
    if row[layout.STATE] & (layout.IN_SETUP | layout.STEPS):
        return ONGOING
    outcome = result_on_board(row)
    if outcome == ONGOING and not can_move(row):
        return 1 - mover_of(row)
    return outcome


# --- legal actions -------------------------------------------------------------------------------


@inlined()
def write_steps(squares: Word, direction: int, out: BufferPointer, total: int) -> int:
    """Append the steps from all squares of a set in a direction; return the new total."""
    while squares:
        out[total] = lowest(squares) * 4 + direction
        squares &= squares - ONE
        total += 1
    return total


@inlined()
def write_followers(followers: Word, left: Word, out: BufferPointer, total: int) -> int:
    """Append the steps of neighbours, even diagonal ones, onto a square; return the new total."""
    while followers:
        square = lowest(followers)
        out[total] = square * 4 + layout.STEP_OVER[np.int64(left) - square + 9]
        followers &= followers - ONE
        total += 1
    return total


@inlined()
def generate_placements(row: RowPointer, out: BufferPointer) -> int:
    state = row[layout.STATE]
    side = state >> layout.MOVER_AT & ONE
    empty = ~(row[layout.BOARD] | row[layout.BOARD + 1] | row[layout.BOARD + 2])
    empty &= sets.SILVER_HOME if side else sets.GOLD_HOME
    total = 0
    hand = NONE
    for kind in range(len(layout.HAND_MASK)):
        left = state >> layout.HAND_AT[side, kind] & layout.HAND_MASK[kind]
        hand |= left
        squares = empty if left else NONE
        while squares:
            out[total] = layout.PLACEMENT + kind * 64 + lowest(squares)
            squares &= squares - ONE
            total += 1
    if hand == NONE:
        out[0] = layout.END
        total = 1
    return total


@inlined()
def changed(row: RowPointer) -> Word:
    """Return the squares that the open turn has changed."""
    return (
        (row[layout.BOARD] ^ row[layout.START])
        | (row[layout.BOARD + 1] ^ row[layout.START + 1])
        | (row[layout.BOARD + 2] ^ row[layout.START + 2])
        | (row[layout.BOARD + 3] ^ row[layout.START + 3])
    )


@inlined()
def piece_of(row: RowPointer, board: int, square: Word) -> Word:
    """Return the piece on a square, now (`BOARD`) or at the start of the turn (`START`)."""
    return layout.piece_on(square, *layout.planes_at(row, board))


@inlined()
def undoing(row: RowPointer, difference: Word) -> tuple[Word, Word]:
    """Return the origin and target of the one step that restores the board as the turn began.

    Both are sets of one square, or empty. As a fourth step it is illegal, since the turn would
    change nothing.
    """
    occupied = row[layout.BOARD] | row[layout.BOARD + 1] | row[layout.BOARD + 2]
    begun = row[layout.START] | row[layout.START + 1] | row[layout.START + 2]
    origin, target = difference & ~begun, difference & ~occupied
    if count(difference) == 2 and origin and target:
        square, goal = np.uint64(lowest(origin)), np.uint64(lowest(target))
        if piece_of(row, layout.BOARD, square) == piece_of(row, layout.START, goal):
            return origin, target
    return NONE, NONE


@inlined()
def undoing_push(row: RowPointer, difference: Word, free: Word) -> tuple[Word, Word]:
    """Return the victim and target of the push that, as steps 3 and 4, would undo the first two.

    Both are sets of one square, or empty. They are also empty if another piece can complete the
    push, which would change the board.
    """
    if count(difference) != 3:
        return NONE, NONE
    occupied = row[layout.BOARD] | row[layout.BOARD + 1] | row[layout.BOARD + 2]
    begun = row[layout.START] | row[layout.START + 1] | row[layout.START + 2]
    victim, target, by = occupied & begun, begun & ~occupied, occupied & ~begun
    victim, target, by = victim & difference, target & difference, by & difference
    if victim == NONE or target == NONE or by == NONE:
        return NONE, NONE
    square, goal, pusher = lowest(victim), lowest(target), lowest(by)
    piece = piece_of(row, layout.BOARD, np.uint64(square))
    if piece != piece_of(row, layout.START, np.uint64(goal)):
        return NONE, NONE
    if piece_of(row, layout.BOARD, np.uint64(pusher)) != piece_of(
        row, layout.START, np.uint64(square)
    ):
        return NONE, NONE
    stronger = sets.stronger_than(
        piece & SEVEN, row[layout.BOARD], row[layout.BOARD + 1], row[layout.BOARD + 2]
    )
    if stronger & free & sets.REACH[row[layout.STATE] & layout.IS_DIAGONAL, square] != by:
        return NONE, NONE
    return victim, target


@inlined()
def generate_steps(row: RowPointer, out: BufferPointer) -> int:
    """Write the legal actions after the setup, regardless of the result of the last turn."""
    low, middle, high, silver = layout.planes(row)
    state = row[layout.STATE]
    steps = state & layout.STEPS
    followers = row[layout.FOLLOWERS]
    left = state >> layout.LEFT_AT & layout.LAST_SQUARE
    difference = changed(row)
    total = 0
    back_from, back_to = NONE, NONE
    if steps == layout.THREE_STEPS:
        back_from, back_to = undoing(row, difference)
        if followers and back_to == ONE << left:
            followers &= ~back_from
    if state & layout.DUE:
        return write_followers(followers, left, out, total)
    if steps and difference:
        out[total] = layout.END
        total += 1
    if steps == layout.FOUR_STEPS:
        return total
    diagonal = state & layout.IS_DIAGONAL != NONE
    occupied = low | middle | high
    empty = ~occupied
    own = silver if state & layout.MOVER else occupied & ~silver
    enemies = occupied ^ own
    free = sets.unfrozen(own, low, middle, high, enemies, diagonal)
    rabbits = low & ~(middle | high)

    # Steps of own pieces; rabbits never backward.
    north = free & ~rabbits if state & layout.MOVER else free
    south = free if state & layout.MOVER else free & ~rabbits
    east, west = free, free
    if steps < layout.THREE_STEPS:
        # First halves of pushes.
        pushed = sets.outmatched(free, low, middle, high, diagonal) & enemies
        if state & layout.IS_EJECTION:
            total = write_steps(pushed & rabbits & sets.RANK_8, layout.NORTH, out, total)
            total = write_steps(pushed & rabbits & sets.RANK_1, layout.SOUTH, out, total)
        pushed_north = pushed & empty >> sets.RANK
        pushed_south = pushed & empty << sets.RANK
        pushed_east = pushed & (empty & sets.NOT_A) >> ONE
        pushed_west = pushed & (empty & sets.NOT_H) << ONE
        if steps == layout.TWO_STEPS:
            victim, target = undoing_push(row, difference, free)
            pushed_north &= ~(victim & target >> sets.RANK)
            pushed_south &= ~(victim & target << sets.RANK)
            pushed_east &= ~(victim & (target & sets.NOT_A) >> ONE)
            pushed_west &= ~(victim & (target & sets.NOT_H) << ONE)
        north |= pushed_north
        south |= pushed_south
        east |= pushed_east
        west |= pushed_west
    north &= empty >> sets.RANK & ~(back_from & back_to >> sets.RANK)
    south &= empty << sets.RANK & ~(back_from & back_to << sets.RANK)
    east &= (empty & sets.NOT_A) >> ONE & ~(back_from & (back_to & sets.NOT_A) >> ONE)
    west &= (empty & sets.NOT_H) << ONE & ~(back_from & (back_to & sets.NOT_H) << ONE)
    if followers:
        # Second halves of pulls, or of pushes. Orthogonal ones may be among the steps above.
        hole = ONE << left
        north |= followers & hole >> sets.RANK
        south |= followers & hole << sets.RANK
        east |= followers & (hole & sets.NOT_A) >> ONE
        west |= followers & (hole & sets.NOT_H) << ONE
        if diagonal:
            corners = followers & ~sets.BESIDE_SQUARE[left]
            total = write_followers(corners, left, out, total)
    total = write_steps(north, layout.NORTH, out, total)
    total = write_steps(east, layout.EAST, out, total)
    total = write_steps(south, layout.SOUTH, out, total)
    return write_steps(west, layout.WEST, out, total)


@inlined()
def generate_from(row: RowPointer, out: BufferPointer) -> int:
    if row[layout.STATE] & layout.IN_SETUP:
        return generate_placements(row, out)
    if row[layout.STATE] & layout.STEPS == NONE and result_on_board(row) != ONGOING:
        return 0
    return generate_steps(row, out)
