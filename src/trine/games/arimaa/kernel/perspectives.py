"""The board in the perspective of the player to move, who goes north: for searches within a turn.

A *perspective* is four planes: the strengths as in a row, then the pieces of the player to move.
For Silver the board is flipped, so that the same code finds the goals and captures of both sides.
Traps stay traps, and neighbours stay neighbours; ranks 1 and 8 change places.
"""

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, lowest
from trine.core.compiled.rows import RowPointer, inlined
from trine.games.arimaa.kernel import layout, sets

Perspective = tuple[Word, Word, Word, Word]
STEPS_IN_TURN: Final = 4

# Flipping a board reverses the bytes of a word.
_BYTES: Final = np.uint64(0x00FF00FF00FF00FF)
_PAIRS: Final = np.uint64(0x0000FFFF0000FFFF)
_PAIR: Final = np.uint64(16)
_HALF: Final = np.uint64(32)
FLIP_MASK: Final = 56  # the image of a square on the flipped board is the square xor this


@inlined()
def flipped(squares: Word) -> Word:
    squares = (squares >> sets.RANK & _BYTES) | (squares & _BYTES) << sets.RANK
    squares = (squares >> _PAIR & _PAIRS) | (squares & _PAIRS) << _PAIR
    return squares >> _HALF | squares << _HALF


@inlined()
def perspective_of(row: RowPointer) -> Perspective:
    low, middle, high, silver = layout.planes(row)
    if row[layout.STATE] & layout.MOVER:
        return flipped(low), flipped(middle), flipped(high), flipped(silver)
    return low, middle, high, (low | middle | high) & ~silver


@inlined()
def steps_left(row: RowPointer) -> int:
    return STEPS_IN_TURN - np.int64((row[layout.STATE] & layout.STEPS) >> layout.STEPS_AT)


@inlined()
def followers_of(row: RowPointer) -> tuple[Word, Word]:
    """Return the pieces that may take the square just left, and that square, in the perspective."""
    followers = row[layout.FOLLOWERS]
    left = ONE << (row[layout.STATE] >> layout.LEFT_AT & layout.LAST_SQUARE)
    if row[layout.STATE] & layout.MOVER:
        return flipped(followers), flipped(left)
    return followers, left


@inlined()
def absolute_step(action: int, state: Word) -> int:
    """Return the number of an orthogonal step, given its number in the perspective."""
    if not state & layout.MOVER:
        return action
    direction = action & 3
    if direction == layout.NORTH:
        direction = layout.SOUTH
    elif direction == layout.SOUTH:
        direction = layout.NORTH
    return (action >> 2 ^ FLIP_MASK) * 4 + direction


@inlined()
def moved(perspective: Perspective, origin: Word, target: Word, is_own: bool) -> Perspective:
    """Return a perspective after one piece has moved and the traps have acted.

    ``origin`` and ``target`` are sets of one square; an empty target is off the board.
    """
    low, middle, high, own = perspective
    both = origin | target
    low ^= both if low & origin else NONE
    middle ^= both if middle & origin else NONE
    high ^= both if high & origin else NONE
    own ^= both if is_own else NONE
    side = own if is_own else (low | middle | high) & ~own
    kept = ~(side & sets.TRAP_SQUARES & ~sets.beside(side))
    return low & kept, middle & kept, high & kept, own & kept


@inlined()
def reach(squares: Word, state: Word) -> Word:
    """Return the squares whose pieces can freeze, push or pull pieces of a set."""
    found = sets.beside(squares)
    if state & layout.IS_DIAGONAL:
        sides = (squares & sets.NOT_H) << ONE | (squares & sets.NOT_A) >> ONE
        found |= sides << sets.RANK | sides >> sets.RANK
    return found


@inlined()
def widened(squares: Word, state: Word) -> Word:
    """Return a set of squares, and all squares within `reach` of it."""
    return squares | reach(squares, state)


# --- actions in a view ---------------------------------------------------------------------------
#
# Own steps, pushes and pulls all begin with a piece that goes from an origin to an empty target; a
# second piece, of the other side, may then take the origin. In a push the second is the pusher.


@inlined()
def lowest_of(squares: Word) -> Word:
    """Return the lowest square of a set, as a set; empty if the set is empty."""
    return squares & ~(squares - ONE)


@inlined()
def free_of(perspective: Perspective, state: Word) -> Word:
    """Return own pieces that are not frozen."""
    low, middle, high, own = perspective
    enemies = (low | middle | high) & ~own
    return sets.unfrozen(own, low, middle, high, enemies, state & layout.IS_DIAGONAL != NONE)


@inlined()
def first_movers(perspective: Perspective, free: Word, left: int, state: Word) -> Word:
    """Return the pieces that can go first: free own pieces, and enemies that can be pushed."""
    low, middle, high, own = perspective
    occupied = low | middle | high
    found = free & sets.beside(~occupied)
    if left >= 2:
        pushed = (
            sets.outmatched(free, low, middle, high, state & layout.IS_DIAGONAL != NONE)
            & occupied
            & ~own
        )
        found |= pushed & sets.beside(~occupied)
        if state & layout.IS_EJECTION:
            found |= pushed & low & ~(middle | high) & (sets.RANK_1 | sets.RANK_8)
    return found


@inlined()
def targets_of(perspective: Perspective, origin: Word) -> Word:
    """Return the target squares of a piece that goes first."""
    low, middle, high, own = perspective
    targets = sets.beside(origin) & ~(low | middle | high)
    if origin & own & low & ~(middle | high):
        targets &= ~(origin >> sets.RANK)
    return targets


@inlined()
def off_board(perspective: Perspective, origin: Word, state: Word) -> Word:
    """Return the piece that goes first if it can be pushed off the board; else the empty set."""
    low, middle, high, own = perspective
    if state & layout.IS_EJECTION:
        return origin & low & ~(middle | high | own) & (sets.RANK_1 | sets.RANK_8)
    return NONE


@inlined()
def seconds_of(perspective: Perspective, free: Word, origin: Word, state: Word) -> Word:
    """Return the pieces that can go second: enemies that the first can pull, or its pushers."""
    low, middle, high, own = perspective
    strength = layout.piece_on(np.uint64(lowest(origin)), low, middle, high, NONE)
    near = reach(origin, state)
    if origin & own:
        enemies = (low | middle | high) & ~own
        return near & enemies & sets.weaker_than(strength, low, middle, high)
    return near & free & sets.stronger_than(strength, low, middle, high)
