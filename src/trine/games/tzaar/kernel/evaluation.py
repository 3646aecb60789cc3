"""The evaluation of a position of TZAAR: terms counted for both sides, each times its weight.

Every term is the player's count less the other side's. All are counted on the present board, as if
either side could capture now; only the last two depend on the side to move.
"""

import math
from typing import Final

import numpy as np

from trine.core.compiled.arrays import Floats, Row
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.contract.heuristics import Aspect, Term, places_of
from trine.core.text.sentence import text
from trine.games.tzaar.board import ARMY_SIZE, BLACK, KINDS, WHITE
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.attacks import higher_than, next_below, tallest, to_points
from trine.games.tzaar.kernel.rules import MAX_ACTIONS, digits_used, height_order

_TOWERS: Final = Aspect("towers", text("the height of the stacks"))
_DANGER: Final = Aspect("danger", text("the safety of the tall stacks"))
_CAPTURES: Final = Aspect("no_capture", text("the captures to choose from"))
_KINDS: Final = Aspect("extinction", text("the safety from losing the last piece of a kind"))

TERMS: Final = (
    Term("stacks", text("stacks")),
    Term("buried", text("pieces within stacks"), _TOWERS),
    Term("tallest", text("height of the tallest stack"), _TOWERS),
    Term("towers", text("stacks that no enemy is tall enough for"), _TOWERS),
    Term("captures", text("possible captures, in doublings"), _CAPTURES),
    Term("stackings", text("pairs of own stacks that face each other, in doublings")),
    Term("attacked_buried", text("pieces within stacks that can be captured now"), _DANGER),
    Term("sole", text("kinds in sight on one stack only"), _KINDS),
    Term("reserve_tott", text("how far the Totts are from being wiped out, in doublings"), _KINDS),
    Term(
        "reserve_tzarra", text("how far the Tzarras are from being wiped out, in doublings"), _KINDS
    ),
    Term(
        "reserve_tzaar", text("how far the Tzaars are from being wiped out, in doublings"), _KINDS
    ),
    Term(
        "late_tallest", text("height of the tallest stack, times the share of stacks that are gone")
    ),
    Term(
        "late_captures",
        text("possible captures, in doublings, times the share of stacks that are gone"),
    ),
    Term(
        "late_reserve",
        text("how far all kinds are from being wiped out, times the share of stacks that are gone"),
    ),
    Term("first_action", text("at the beginning of the turn")),
    Term("second_action", text("within the turn")),
)
"""In the order of the counts. Doublings are binary logarithms of one plus a number. Terms without
an aspect are not given as reasons, since players would not understand them; the ``late`` terms
change with every stack that is gone, wherever it was."""


TERM: Final = places_of(TERMS)  # the index of each term in the counts

MAX_SCORE: Final = np.float32(20_000)
DOUBLINGS: Final = np.array([math.log2(1 + number) for number in range(MAX_ACTIONS)], np.float32)
"""Shapes: number. Binary logarithms of one plus the number: one more counts more if there are few.
"""
RECIPROCALS: Final = np.array([1 / (1 + number) for number in range(ARMY_SIZE + 1)], np.float32)
LOG_OFFSET: Final = np.float32(0.01)
"""Keeps the logarithm of a reserve finite after the loss of a kind."""


@layout.inlined()
def buried(row: Row, stacks: Word, digits: int) -> int:
    total = 0
    for digit in range(digits):
        total += count(stacks & row[layout.BELOW + digit]) << digit
    return total


@layout.inlined()
def reserve(row: Row, stacks: Word, attacked: Word, enemies: Word, digits: int) -> np.float32:
    """Return the safety of a kind from being wiped out, in doublings.

    Each stack of the kind counts 1 / (1 + n) if n enemy stacks, anywhere, are tall enough to take
    it; half of that if it can be taken now. So a tower that no enemy can take is worth as much as
    many single pieces that a whole army can take.
    """
    number = count(enemies)
    low = stacks & ~layout.tall(row)
    total = np.float32(count(low) + count(low & ~attacked)) * RECIPROCALS[number]
    high = stacks & ~low
    while high:
        point = np.uint64(lowest(high))
        able = count(higher_than(row, enemies, layout.below(row, point) - ONE, digits))
        total += RECIPROCALS[able] if attacked >> point & ONE else np.float32(2) * RECIPROCALS[able]
        high &= high - ONE
    return np.float32(math.log2(total / np.float32(2) + LOG_OFFSET))


@layout.inlined()
def weigh_side(
    row: Row, counts: Floats, side: int, sign: int, attacked: Word, towers: Word, digits: int
) -> None:
    own, enemies = row[side], row[1 - side]
    counts[TERM.stacks] += sign * count(own)
    for kind in range(len(KINDS)):
        stacks = layout.stacks_of(row, side, kind)
        counts[TERM.reserve_tott + kind] += sign * reserve(row, stacks, attacked, enemies, digits)
        if stacks & (stacks - ONE) == NONE:
            counts[TERM.sole] += sign
    if digits:
        counts[TERM.buried] += sign * buried(row, own, digits)
        counts[TERM.attacked_buried] += sign * buried(row, attacked, digits)
        counts[TERM.towers] += sign * count(towers)


@layout.inlined()
def weigh_board(row: Row, counts: Floats, sign: int) -> None:
    """Add the terms of the board: White's times a sign, Black's times the opposite sign."""
    digits = digits_used(row)
    white_attacked = black_attacked = NONE
    white_captures = black_captures = white_pairs = black_pairs = 0
    for direction in range(layout.DIRECTIONS):
        white, black = row[direction * layout.FIELD + WHITE], row[direction * layout.FIELD + BLACK]
        occupied = white | black
        above_white = layout.next_above(white, occupied, direction)
        above_black = layout.next_above(black, occupied, direction)
        lower_wins, upper_wins = height_order(row, direction, digits)
        up, down = above_white & black & lower_wins, above_black & white & upper_wins
        white_captures += count(up) + count(down)
        black_attacked |= to_points(up | next_below(down, occupied, direction), direction)
        up, down = above_black & white & lower_wins, above_white & black & upper_wins
        black_captures += count(up) + count(down)
        white_attacked |= to_points(up | next_below(down, occupied, direction), direction)
        white_pairs += count(above_white & white)
        black_pairs += count(above_black & black)
    white_height = tallest(row, row[WHITE], digits)
    black_height = tallest(row, row[BLACK], digits)
    towers = higher_than(row, row[WHITE], black_height, digits)
    weigh_side(row, counts, WHITE, sign, white_attacked, towers, digits)
    towers = higher_than(row, row[BLACK], white_height, digits)
    weigh_side(row, counts, BLACK, -sign, black_attacked, towers, digits)
    counts[TERM.tallest] = sign * (np.int64(white_height) - np.int64(black_height))
    counts[TERM.captures] = sign * (DOUBLINGS[white_captures] - DOUBLINGS[black_captures])
    counts[TERM.stackings] = sign * (DOUBLINGS[white_pairs] - DOUBLINGS[black_pairs])


@kernel()
def evaluate(row: Row, player: int, weights: Floats, counts: Floats) -> int:
    """Return the score of a position for a player, and write the terms as counted for that player.

    All terms are 0 during the placement.
    """
    for term in range(len(TERM)):
        counts[term] = 0
    if layout.stage(row) == layout.STAGE_PLACE:
        return 0
    weigh_board(row, counts, 1 if player == WHITE else -1)
    late = np.float32(1) - np.float32(count(row[WHITE] | row[BLACK])) / np.float32(layout.SIZE)
    counts[TERM.late_tallest] = late * counts[TERM.tallest]
    counts[TERM.late_captures] = late * counts[TERM.captures]
    counts[TERM.late_reserve] = late * (
        counts[TERM.reserve_tott] + counts[TERM.reserve_tzarra] + counts[TERM.reserve_tzaar]
    )
    tempo = TERM.second_action if layout.stage(row) == layout.STAGE_TWO else TERM.first_action
    counts[tempo] = 1 if layout.mover(row) == player else -1
    total = np.float32(0)
    for term in range(len(TERM)):
        total += weights[term] * counts[term]
    return np.int64(np.rint(min(max(total, -MAX_SCORE), MAX_SCORE)))
