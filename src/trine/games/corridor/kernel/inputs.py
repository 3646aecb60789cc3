"""The inputs of a net for Corridor: the race, and the walls near each pawn.

Each player has a block of inputs, seen in the player's direction of play: the closed sides of
squares around the pawn, the square of the pawn, the place of the other pawn, the steps to the goal,
the walls in hand and the turn. If walls are one square long, the block also has sides farther away,
and the number of walls that trap. After the blocks come joint inputs of both players, because the
pair means more than each number alone: both steps, both hands, and both hands by the lead in steps.

Walls of all lengths are closed sides; smaller boards are a corner of the usual one. Larger boards
have no inputs.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel, kernel_only
from trine.core.contract.heuristics import NetInputs
from trine.games.corridor.board import USUAL_SIZE
from trine.games.corridor.kernel import layout, sets
from trine.games.corridor.kernel.shortest_paths import steps_and_exits

PLAYERS: Final = 2

# --- the words of a block ------------------------------------------------------------------------

HORIZONTAL: Final = 0
"""The word of the closed north sides around the pawn, rank by rank, from the pawn's own side on."""
VERTICAL: Final = 1  # the word of the closed east sides
BEHIND: Final = 3
AHEAD: Final = 4
ASIDE: Final = 3  # squares; the maximum distances from the pawn of sides that are inputs
LONG_REACH: Final = 2
"""Units: squares; the maximum distance in all directions, if walls are two squares long."""
HORIZONTAL_RANKS: Final = BEHIND + AHEAD + 2
HORIZONTAL_FILES: Final = 2 * ASIDE + 1
VERTICAL_RANKS: Final = BEHIND + AHEAD + 1
VERTICAL_FILES: Final = 2 * ASIDE + 2
PAWN: Final = 2  # the word of the pawn's square, for the first 64 squares
COUNTS_WORD: Final = 3
"""The word of the pawn's square, for the last squares; then the steps, the hand, the turn, and the
number of walls that trap: 0, 1, 2, more."""
STEPS_AT: Final = USUAL_SIZE * USUAL_SIZE - 64
MAX_STEPS: Final = 22  # longer paths count as this length; the next bit means no path
HAND_AT: Final = STEPS_AT + MAX_STEPS + 2
MAX_HAND: Final = 10  # larger and unlimited hands count as this number of walls
TURN_AT: Final = HAND_AT + MAX_HAND + 1
EXITS_AT: Final = TURN_AT + 1
MAX_EXITS: Final = 3
OTHER_PAWN: Final = 4
"""The word of the other pawn: a bit for each near square, then bits for far directions."""
NEAR_DISTANCE: Final = 3  # squares; the maximum difference of ranks or files that is near
NEAR_FILES: Final = 2 * NEAR_DISTANCE + 1
FAR_AT: Final = NEAR_FILES * NEAR_FILES
BLOCK_WORDS: Final = 5  # words; the length of one player's block

# --- after the blocks ----------------------------------------------------------------------------

RACE: Final = PLAYERS * BLOCK_WORDS * 64  # the first input for both players' steps
RACE_STEPS: Final = 16  # number of classes of steps; the last class is no path
HANDS: Final = RACE + RACE_STEPS * RACE_STEPS  # the first input for the pair of both hands
LEAD: Final = HANDS + (MAX_HAND + 1) ** 2
"""The first input for the lead of the first player in steps, with both hands."""
MAX_LEAD: Final = 5
HAND_CLASSES: Final = 7
HAND_CLASS: Final = np.array([0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6], np.int64)
"""The class of a hand, by its number of walls, up to `MAX_HAND`."""
WORDS: Final = -(-(LEAD + (2 * MAX_LEAD + 1) * HAND_CLASSES**2) // 64)
INPUTS: Final = WORDS * 64
MAX_ACTIVE: Final = (
    PLAYERS * (HORIZONTAL_RANKS * HORIZONTAL_FILES + VERTICAL_RANKS * VERTICAL_FILES + 6) + 3
)

BUCKETS: Final = 8
"""The sets of output weights, by the walls in both hands; if hands are unlimited, on the board."""
HANDS_PER_BUCKET: Final = 3
WALLS_PER_BUCKET: Final = 8

_RANK: Final = np.uint64((1 << layout.STRIDE) - 1)
_INPUT_FILES: Final = np.array(
    [
        [(1 << 2 * reach + more) - 1 << ASIDE - reach for more in (1, 2)]
        for reach in (ASIDE, LONG_REACH)
    ],
    np.uint64,
)
"""For short and for long walls: the files whose north sides, and whose east sides are inputs. The
first bit is `ASIDE` files to the left of the pawn, for east sides one more."""


def _mirrored() -> NDArray[np.int32]:
    """Return the number of each input from North's perspective: the players change places."""
    numbers = np.arange(INPUTS, dtype=np.int32)
    numbers[:RACE] = np.roll(numbers[:RACE], RACE // PLAYERS)
    race, hands = slice(RACE, HANDS), slice(HANDS, LEAD)
    numbers[race] = numbers[race].reshape(RACE_STEPS, RACE_STEPS).T.ravel()
    numbers[hands] = numbers[hands].reshape(MAX_HAND + 1, MAX_HAND + 1).T.ravel()
    shape = (2 * MAX_LEAD + 1, HAND_CLASSES, HAND_CLASSES)
    lead = slice(LEAD, LEAD + int(np.prod(shape)))
    numbers[lead] = numbers[lead].reshape(shape)[::-1].transpose(0, 2, 1).ravel()
    return numbers


def _left_for_right() -> NDArray[np.int32]:
    """Return the number of each input after left and right are swapped, on the usual board."""
    numbers = np.arange(INPUTS, dtype=np.int32)
    for player in range(PLAYERS):
        at = player * BLOCK_WORDS * 64
        for begin, ranks, files in (
            (HORIZONTAL * 64, HORIZONTAL_RANKS, HORIZONTAL_FILES),
            (VERTICAL * 64, VERTICAL_RANKS, VERTICAL_FILES),
            (PAWN * 64, USUAL_SIZE, USUAL_SIZE),
            (OTHER_PAWN * 64, NEAR_FILES, NEAR_FILES),
        ):
            part = slice(at + begin, at + begin + ranks * files)
            numbers[part] = numbers[part].reshape(ranks, files)[:, ::-1].ravel()
    return numbers


MIRRORED: Final = _mirrored()
"""Shapes: input. For each input from South's perspective, the input from North's."""
SYMMETRIES: Final = np.stack([np.arange(INPUTS, dtype=np.int32), _left_for_right()])
"""Shapes: symmetry, input. The identity, and the swap of left and right."""


@kernel_only(forceinline=True)
def rank_of(squares: sets.Squares, rank: int) -> Word:
    """Return a rank of a set: a bit for each file."""
    return sets.first_word(squares >> layout.STRIDE * rank) & _RANK


@kernel_only(forceinline=True)
def closed_around(row: Row, size: int, player: int, pawn: int) -> tuple[Word, Word]:
    """Return the closed sides around a pawn; the border counts as closed, except the goal."""
    north, east = sets.closed_sides(row)
    rank, file = pawn // layout.STRIDE, np.uint64(pawn % layout.STRIDE)
    if player:
        rank = size - 1 - rank
    long = int(layout.rules_of(row) == layout.QUORIDOR)
    behind, ahead = (LONG_REACH, LONG_REACH) if long else (BEHIND, AHEAD)
    window, horizontal = _INPUT_FILES[long, 0], NONE
    for below in range(max(-1, rank - behind - 1), min(size - 1, rank + ahead + 1)):
        files = (ONE << np.uint64(size)) - ONE
        if below >= 0:
            files = rank_of(north, size - 2 - below if player else below)
        files = files << np.uint64(ASIDE) >> file & window
        horizontal |= files << np.uint64(HORIZONTAL_FILES * (below + BEHIND + 1 - rank))
    edges = (ONE | ONE << np.uint64(size)) << np.uint64(ASIDE)
    window, vertical = _INPUT_FILES[long, 1], NONE
    for beside in range(max(0, rank - behind), min(size, rank + ahead + 1)):
        files = rank_of(east, size - 1 - beside if player else beside)
        files = (files << np.uint64(ASIDE + 1) | edges) >> file & window
        vertical |= files << np.uint64(VERTICAL_FILES * (beside + BEHIND - rank))
    return horizontal, vertical


@kernel_only(forceinline=True)
def other_pawn(player: int, own: int, other: int) -> Word:
    """Return the bit for the place of the other pawn."""
    up, right = (
        other // layout.STRIDE - own // layout.STRIDE,
        other % layout.STRIDE - own % layout.STRIDE,
    )
    if player:
        up = -up
    if abs(up) <= NEAR_DISTANCE and abs(right) <= NEAR_DISTANCE:
        return ONE << np.uint64((up + NEAR_DISTANCE) * NEAR_FILES + right + NEAR_DISTANCE)
    ahead = int(up > 0) - int(up < 0) + 1
    return ONE << np.uint64(FAR_AT + 3 * min(2, abs(right) // 2) + ahead)


@kernel_only(forceinline=True)
def hand_in(row: Row, player: int) -> int:
    """Return the walls in hand, at most `MAX_HAND`."""
    hand = layout.hand_of(row, player)
    return MAX_HAND if hand == layout.NO_LIMIT else min(hand, MAX_HAND)


@kernel_only()
def write_block(row: Row, out: Row, player: int) -> int:
    """Write a player's block of inputs; return the steps to the goal, -1 if there is no path."""
    size, pawn, block = layout.size_of(row), layout.pawn_of(row, player), player * BLOCK_WORDS
    out[block + HORIZONTAL], out[block + VERTICAL] = closed_around(row, size, player, pawn)
    out[block + OTHER_PAWN] = other_pawn(player, pawn, layout.pawn_of(row, 1 - player))
    steps, exits = steps_and_exits(row, player)
    rest = ONE << np.uint64(STEPS_AT + (MAX_STEPS + 1 if steps < 0 else min(steps, MAX_STEPS)))
    rest |= ONE << np.uint64(HAND_AT + hand_in(row, player))
    if layout.rules_of(row) != layout.QUORIDOR:
        rest |= ONE << np.uint64(EXITS_AT + min(exits, MAX_EXITS))
    if layout.mover(row) == player:
        rest |= ONE << np.uint64(TURN_AT)
    rank, file = pawn // layout.STRIDE, pawn % layout.STRIDE
    square = (size - 1 - rank if player else rank) * USUAL_SIZE + file
    if square < 64:
        out[block + PAWN] = ONE << np.uint64(square)
    else:
        rest |= ONE << np.uint64(square - 64)
    out[block + COUNTS_WORD] = rest
    return steps


@kernel_only(forceinline=True)
def put(out: Row, number: int) -> None:
    out[number >> 6] |= ONE << np.uint64(number & 63)


@kernel()
def inputs(row: Row, out: Row) -> None:
    """Write the active inputs of a game of two players from South's perspective, a bit each.

    No input is active while starts are chosen, or on boards larger than the usual one.
    """
    for word in range(len(out)):
        out[word] = NONE
    if layout.size_of(row) > USUAL_SIZE or layout.is_in_setup(row):
        return
    south, north = write_block(row, out, 0), write_block(row, out, 1)
    south = RACE_STEPS - 1 if south < 0 else min(south, RACE_STEPS - 2)
    north = RACE_STEPS - 1 if north < 0 else min(north, RACE_STEPS - 2)
    own, other = hand_in(row, 0), hand_in(row, 1)
    lead = max(-MAX_LEAD, min(MAX_LEAD, south - north)) + MAX_LEAD
    put(out, RACE + south * RACE_STEPS + north)
    put(out, HANDS + own * (MAX_HAND + 1) + other)
    sizes = HAND_CLASS[own] * HAND_CLASSES + HAND_CLASS[other]
    put(out, LEAD + lead * HAND_CLASSES * HAND_CLASSES + sizes)


@kernel()
def bucket(row: Row) -> int:
    if layout.hand_of(row, 0) != layout.NO_LIMIT:
        hands = layout.hand_of(row, 0) + layout.hand_of(row, 1)
        return min(BUCKETS - 1, (hands + HANDS_PER_BUCKET - 1) // HANDS_PER_BUCKET)
    if layout.size_of(row) > USUAL_SIZE:
        return 0
    return min(BUCKETS - 1, sets.number_in(sets.closed_sides(row)) // WALLS_PER_BUCKET)


NET: Final = NetInputs(
    "corridor",
    "races 2",
    MAX_ACTIVE,
    MIRRORED,
    inputs,
    BUCKETS,
    bucket,
    lambda position: position.size == USUAL_SIZE,
    SYMMETRIES,
)
