"""The inputs of Arimaa's nets: pieces by class and square, and traps.

The class of a piece is the number of stronger enemy pieces: so a camel changes its class if the
enemy loses the elephant. For each trap an input says how many pieces of each side are beside it,
and which side has the strongest of them. The side to move and the steps left are terms of the
evaluation, which the net takes as well.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word, count
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import inlined
from trine.core.contract.heuristics import NetInputs
from trine.games.arimaa.board import ARMY_SIZE, SIDES, TRAPS
from trine.games.arimaa.kernel.army import kinds_of
from trine.games.arimaa.kernel.layout import BOARD, IN_SETUP, STATE, STEPS, STEPS_AT
from trine.games.arimaa.kernel.sets import beside
from trine.games.arimaa.kernel.traps import TRAP_BITS

PIECE_CLASSES: Final = 6
"""The classes of a piece: 0, 1, 2 to 3, 4 to 5, more stronger enemy pieces; or a rabbit."""
MAX_HOLDERS: Final = 3  # a higher number of a side's pieces beside a trap counts as this number
STRONGEST_STATES: Final = 3
"""The side with the strongest piece beside a trap: neither, Gold or Silver."""
TRAP_INPUTS: Final = (MAX_HOLDERS + 1) ** 2 * STRONGEST_STATES
FIRST_TRAP_INPUT: Final = len(SIDES) * PIECE_CLASSES * 64
INPUTS: Final = FIRST_TRAP_INPUT + len(TRAPS) * TRAP_INPUTS
MAX_PIECES: Final = len(SIDES) * ARMY_SIZE
MAX_ACTIVE: Final = MAX_PIECES + len(TRAPS)
BUCKETS: Final = 4
"""The number of sets of output weights; the number of pieces on the board selects one."""

CLASS_BY_STRONGER: Final = np.array([0, 1, 2, 2, 3, 3] + [4] * ARMY_SIZE, np.int64)
"""Shapes: number of stronger enemy pieces. The class of a piece other than a rabbit."""
RABBIT: Final = PIECE_CLASSES - 1


def _image(number: int, *, swapped: bool, mirrored: bool) -> int:
    """Return the image of an input if the colours are swapped, or files a to h reversed."""
    if number < FIRST_TRAP_INPUT:
        word, square = divmod(number, 64)
        word = (word + swapped * PIECE_CLASSES) % (2 * PIECE_CLASSES)
        return word * 64 + (square ^ (56 * swapped | 7 * mirrored))
    trap, rest = divmod(number - FIRST_TRAP_INPUT, TRAP_INPUTS)
    holders, strongest = divmod(rest, STRONGEST_STATES)
    gold, silver = divmod(holders, MAX_HOLDERS + 1)
    if swapped:
        gold, silver, strongest = silver, gold, -strongest % STRONGEST_STATES
    holders = gold * (MAX_HOLDERS + 1) + silver
    trap ^= 2 * swapped | mirrored
    return FIRST_TRAP_INPUT + trap * TRAP_INPUTS + holders * STRONGEST_STATES + strongest


def _images(*, swapped: bool = False, mirrored: bool = False) -> list[int]:
    return [_image(number, swapped=swapped, mirrored=mirrored) for number in range(INPUTS)]


MIRRORED: Final = np.array(_images(swapped=True), np.int32)
"""Shapes: input. The image of each input if the colours are swapped."""
SYMMETRIES: Final = np.array([_images(), _images(mirrored=True)], np.int32)
"""Shapes: symmetry, input. The inputs themselves, and their images with files a to h reversed."""


PIECE_TYPES: Final = len(SIDES) * PIECE_CLASSES
BLOCKS: Final = 16  # number of blocks of 2 × 2 squares
FIRST_TYPE_GROUP: Final = PIECE_TYPES * BLOCKS


def _groups() -> list[list[int]]:
    """Return the groups of inputs that share weights: pieces in a block, pieces anywhere, traps."""
    blocks, kinds = [], []
    for number in range(INPUTS):
        if number < FIRST_TRAP_INPUT:
            piece, square = divmod(number, 64)
            block = (square >> 4) * 4 + (square >> 1 & 3)
            blocks.append(piece * BLOCKS + block)
            kinds.append(FIRST_TYPE_GROUP + piece)
        else:
            blocks.append(-1)
            kinds.append(FIRST_TYPE_GROUP + PIECE_TYPES + (number - FIRST_TRAP_INPUT) % TRAP_INPUTS)
    return [blocks, kinds]


FACTORIZER: Final = np.array(_groups(), np.int32)
"""Shapes: grouping, input. Equal pieces share weights within a block of 2 × 2 squares, and on the
whole board; all traps share the weights of equal neighbours."""


@inlined()
def greatest(pieces: Word, low: Word, middle: Word, high: Word) -> int:
    """Return the greatest strength of some pieces; 0 if there are none."""
    strength = 0
    for plane, bit in ((high, 4), (middle, 2), (low, 1)):
        if pieces & plane:
            pieces &= plane
            strength += bit
    return strength


@inlined()
def write_traps(out: Row, low: Word, middle: Word, high: Word, silver: Word) -> None:
    gold = (low | middle | high) & ~silver
    for trap in range(len(TRAP_BITS)):
        ring = beside(TRAP_BITS[trap])
        of_gold, of_silver = gold & ring, silver & ring
        best = greatest(of_gold, low, middle, high)
        best_of_silver = greatest(of_silver, low, middle, high)
        strongest = 1 if best > best_of_silver else 2 if best < best_of_silver else 0
        holders = min(count(of_gold), MAX_HOLDERS) * (MAX_HOLDERS + 1)
        holders += min(count(of_silver), MAX_HOLDERS)
        number = FIRST_TRAP_INPUT + trap * TRAP_INPUTS + holders * STRONGEST_STATES + strongest
        out[number >> 6] |= ONE << np.uint64(number & 63)


@kernel()
def inputs(row: Row, out: Row) -> None:
    """Write the active inputs in Gold's perspective, a bit each; none in the setup."""
    for word in range(len(out)):
        out[word] = NONE
    if row[STATE] & IN_SETUP:
        return
    low, middle, high, silver = row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3]
    gold = (low | middle | high) & ~silver
    for side in range(2):
        own, enemies = (silver, gold) if side else (gold, silver)
        perspective = (low, middle, high, own)
        kinds, others, stronger = kinds_of(perspective, own), kinds_of(perspective, enemies), 0
        for kind in range(RABBIT):
            out[side * PIECE_CLASSES + CLASS_BY_STRONGER[stronger]] |= kinds[kind]
            stronger += count(others[kind])
        out[side * PIECE_CLASSES + RABBIT] = kinds[RABBIT]
    write_traps(out, low, middle, high, silver)


@kernel()
def bucket(row: Row) -> int:
    """Return the index of the output weights, from the number of pieces on the board."""
    pieces = count(row[BOARD] | row[BOARD + 1] | row[BOARD + 2])
    return max(0, pieces - 1) * BUCKETS // MAX_PIECES


@kernel()
def stage(row: Row) -> int:
    """Return the stage of a turn: the number of its actions so far."""
    return np.int64((row[STATE] & STEPS) >> STEPS_AT)


NET: Final = NetInputs(
    "arimaa",
    "standings 2",
    MAX_ACTIVE,
    MIRRORED,
    inputs,
    BUCKETS,
    bucket,
    symmetries=SYMMETRIES,
    stage=stage,
    antisymmetric=True,
    takes_terms=True,
    factorizer=FACTORIZER,
)
