"""The inputs of TZAAR's nets: counts of stacks, whatever their points.

The stacks of a side are counted by the kind on top, by height, and by whether the other side could
capture them now. Their points do not matter, so symmetric boards have the same inputs. Each count
is a one-hot group of inputs: at most one of them is active.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word, count
from trine.core.contract.heuristics import NetInputs
from trine.games.tzaar.board import BLACK, KINDS, SIDES, WHITE
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.attacks import next_below, to_points
from trine.games.tzaar.kernel.rules import digits_used, height_order

KIND_INPUTS: Final = 16  # number of inputs of a count of stacks of a kind: one for each of 0 to 15
HEIGHT_INPUTS: Final = 8
"""The number of inputs of a count of stacks of a kind and height: one for each of 1 to 7, one for 8
or more. For 0, none of these inputs is active."""
HEIGHTS: Final = 5  # number of classes of heights: 1, 2, 3, 4, 5 or more
STAGES: Final = len(SIDES) * 2  # number of inputs of the turn: its side, and whether it begins
_KIND_INPUTS_OF_SIDE: Final = len(KINDS) * 2 * KIND_INPUTS
_HEIGHT_INPUTS_OF_SIDE: Final = len(KINDS) * HEIGHTS * 2 * HEIGHT_INPUTS
_FIRST_HEIGHT: Final = len(SIDES) * _KIND_INPUTS_OF_SIDE
_FIRST_STAGE: Final = _FIRST_HEIGHT + len(SIDES) * _HEIGHT_INPUTS_OF_SIDE
INPUTS: Final = _FIRST_STAGE + STAGES
MAX_ACTIVE: Final = len(SIDES) * len(KINDS) * (2 + 2 * HEIGHTS) + 1
"""The largest number of active inputs: one of each count, and the turn."""
BUCKETS: Final = 4
"""The number of sets of output weights; the number of stacks on the board selects one."""


def _mirrored() -> list[int]:
    """Return the image of each input if the colours are swapped."""
    numbers = list(range(INPUTS))
    for begin, end in ((0, _FIRST_HEIGHT), (_FIRST_HEIGHT, _FIRST_STAGE), (_FIRST_STAGE, INPUTS)):
        half = (begin + end) // 2
        numbers[begin:end] = [*range(half, end), *range(begin, half)]
    return numbers


MIRRORED: Final = np.array(_mirrored(), np.int32)
"""Shapes: input. The image of each input if the colours are swapped."""
_STAGE_WORD: Final = _FIRST_STAGE >> 6
_HEIGHT_WORD: Final = _FIRST_HEIGHT >> 6
assert _FIRST_HEIGHT % 64 == 0, "narrow counts begin with a word"


@layout.inlined()
def attacked_of_both(row: Row) -> tuple[Word, Word]:
    """Return the points of White's stacks, and of Black's, that could be captured now."""
    digits = digits_used(row)
    attacked_white = attacked_black = NONE
    for direction in range(layout.DIRECTIONS):
        white, black = row[direction * layout.FIELD + WHITE], row[direction * layout.FIELD + BLACK]
        occupied = white | black
        above_white = layout.next_above(white, occupied, direction)
        above_black = layout.next_above(black, occupied, direction)
        lower_wins, upper_wins = height_order(row, direction, digits)
        up, down = above_white & black & lower_wins, above_black & white & upper_wins
        attacked_black |= to_points(up | next_below(down, occupied, direction), direction)
        up, down = above_black & white & lower_wins, above_white & black & upper_wins
        attacked_white |= to_points(up | next_below(down, occupied, direction), direction)
    return attacked_white, attacked_black


@layout.inlined()
def group_of(stacks: Word) -> Word:
    """Return the inputs for the number of stacks in a set: one bit is set, or none for 0."""
    return (ONE << np.uint64(min(count(stacks), HEIGHT_INPUTS))) >> ONE


@layout.inlined()
def inputs(row: Row, out: Row) -> None:
    """Write the active inputs in White's perspective, a bit each; none during the placement."""
    for word in range(len(out)):
        out[word] = NONE
    if layout.stage(row) == layout.STAGE_PLACE:
        return
    one, two, more = row[layout.BELOW], row[layout.BELOW + 1], NONE
    for digit in range(2, layout.DIGITS):
        more |= row[layout.BELOW + digit]
    low = ~more
    by_height = (low & ~one & ~two, low & one & ~two, low & two & ~one, low & one & two, more)
    danger_of = attacked_of_both(row)
    wide = narrow = 0
    for side in range(len(SIDES)):
        danger = danger_of[side]
        for kind in range(len(KINDS)):
            stacks = layout.stacks_of(row, side, kind)
            counts = ONE << np.uint64(count(stacks))
            counts |= ONE << np.uint64(KIND_INPUTS + count(stacks & danger))
            out[wide // 64] |= counts << np.uint64(wide % 64)
            wide += 2 * KIND_INPUTS
            for height in range(HEIGHTS):
                alike = stacks & by_height[height]
                if alike:
                    pair = group_of(alike & ~danger)
                    pair |= group_of(alike & danger) << np.uint64(HEIGHT_INPUTS)
                    out[_HEIGHT_WORD + narrow // 64] |= pair << np.uint64(narrow % 64)
                narrow += 2 * HEIGHT_INPUTS
    turn = 2 * layout.mover(row) + (layout.stage(row) != layout.STAGE_ONE)
    out[_STAGE_WORD] |= ONE << np.uint64(_FIRST_STAGE % 64 + turn)


@layout.inlined()
def bucket(row: Row) -> int:
    """Return the index of the output weights, from the number of stacks on the board."""
    return max(0, count(row[WHITE] | row[BLACK]) - 1) * BUCKETS // layout.SIZE


NET: Final = NetInputs("tzaar", "relations 1", MAX_ACTIVE, MIRRORED, inputs, BUCKETS, bucket)
