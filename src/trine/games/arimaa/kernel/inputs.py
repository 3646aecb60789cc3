"""The inputs of a net that sees a position of Arimaa: pieces by their standing, and traps.

A piece is told by its side, by how many enemy pieces are stronger, and by its square: so a camel is
another piece once the enemy's elephant is gone. For each trap a net sees how many pieces of both
sides are beside it, and which side has the strongest of them. Whose turn it is and how many steps
are left, the terms tell, which it sees besides.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import ARMY_SIZE, SIDES, TRAPS
from trine.games.arimaa.kernel.army import kinds_of
from trine.games.arimaa.kernel.row import BOARD, IN_SETUP, STATE, STEPS, STEPS_AT, Words, inlined
from trine.games.arimaa.kernel.sets import beside
from trine.games.arimaa.kernel.threats import TRAP_BITS

STANDINGS: Final = 6
"""The standings of a piece: none, one, two or three, four or five, more enemy pieces are stronger,
or it is a rabbit."""
MOST_HOLDERS: Final = 3
"""More pieces beside a trap count as this many."""
STRONGEST: Final = 3
"""Neither side has the strongest piece beside a trap, Gold has, Silver has."""
TRAP_INPUTS: Final = (MOST_HOLDERS + 1) ** 2 * STRONGEST
FIRST_OF_TRAPS: Final = len(SIDES) * STANDINGS * 64
INPUTS: Final = FIRST_OF_TRAPS + len(TRAPS) * TRAP_INPUTS
MOST_PIECES: Final = len(SIDES) * ARMY_SIZE
MOST_SET: Final = MOST_PIECES + len(TRAPS)
"""No position has more inputs set."""
BUCKETS: Final = 4
"""The sets of output weights, by the number of pieces on the board."""

STANDING: Final = np.array([0, 1, 2, 2, 3, 3] + [4] * ARMY_SIZE, np.int64)
"""Shapes: number of stronger enemy pieces."""
RABBIT: Final = STANDINGS - 1


def _image(number: int, *, swapped: bool, mirrored: bool) -> int:
    """Return an input of a position with the colours swapped, or seen in a mirror."""
    if number < FIRST_OF_TRAPS:
        word, square = divmod(number, 64)
        word = (word + swapped * STANDINGS) % (2 * STANDINGS)
        return word * 64 + (square ^ (56 * swapped | 7 * mirrored))
    trap, rest = divmod(number - FIRST_OF_TRAPS, TRAP_INPUTS)
    holders, strongest = divmod(rest, STRONGEST)
    gold, silver = divmod(holders, MOST_HOLDERS + 1)
    if swapped:
        gold, silver, strongest = silver, gold, -strongest % STRONGEST
    holders = gold * (MOST_HOLDERS + 1) + silver
    trap ^= 2 * swapped | mirrored
    return FIRST_OF_TRAPS + trap * TRAP_INPUTS + holders * STRONGEST + strongest


def _images(*, swapped: bool = False, mirrored: bool = False) -> list[int]:
    return [_image(number, swapped=swapped, mirrored=mirrored) for number in range(INPUTS)]


MIRRORED: Final = np.array(_images(swapped=True), np.int32)
"""Shapes: input. The input that Silver has in place of each of Gold's."""
SYMMETRIES: Final = np.array([_images(), _images(mirrored=True)], np.int32)
"""Shapes: symmetry, input. The board as it is, and in a mirror along its files."""


PIECES_TOLD: Final = len(SIDES) * STANDINGS
BLOCKS: Final = 16
"""The blocks of four squares."""
FIRST_OF_KINDS: Final = PIECES_TOLD * BLOCKS


def _groups() -> list[list[int]]:
    """Return the groups of inputs that share weights: pieces of a block, kinds of piece, traps."""
    blocks, kinds = [], []
    for number in range(INPUTS):
        if number < FIRST_OF_TRAPS:
            piece, square = divmod(number, 64)
            block = (square >> 4) * 4 + (square >> 1 & 3)
            blocks.append(piece * BLOCKS + block)
            kinds.append(FIRST_OF_KINDS + piece)
        else:
            blocks.append(-1)
            kinds.append(FIRST_OF_KINDS + PIECES_TOLD + (number - FIRST_OF_TRAPS) % TRAP_INPUTS)
    return [blocks, kinds]


FACTORIZER: Final = np.array(_groups(), np.int32)
"""Shapes: way, input. A piece learns for those like it in its block of four squares, and for those
like it anywhere; what is beside a trap for the same beside other traps."""


@inlined("int64(uint64, uint64, uint64, uint64)")
def greatest(pieces: Word, low: Word, middle: Word, high: Word) -> int:
    """Return the greatest strength of some pieces; 0 if there are none."""
    strength = 0
    for plane, worth in ((high, 4), (middle, 2), (low, 1)):
        if pieces & plane:
            pieces &= plane
            strength += worth
    return strength


@inlined("void(uint64[::1], uint64, uint64, uint64, uint64)")
def write_traps(out: Words, low: Word, middle: Word, high: Word, silver: Word) -> None:
    gold = (low | middle | high) & ~silver
    for trap in range(len(TRAP_BITS)):
        ring = beside(TRAP_BITS[trap])
        of_gold, of_silver = gold & ring, silver & ring
        best = greatest(of_gold, low, middle, high)
        best_of_silver = greatest(of_silver, low, middle, high)
        strongest = 1 if best > best_of_silver else 2 if best < best_of_silver else 0
        holders = min(count(of_gold), MOST_HOLDERS) * (MOST_HOLDERS + 1)
        holders += min(count(of_silver), MOST_HOLDERS)
        number = FIRST_OF_TRAPS + trap * TRAP_INPUTS + holders * STRONGEST + strongest
        out[number >> 6] |= ONE << np.uint64(number & 63)


@kernel("void(uint64[::1], uint64[::1])")
def inputs(row: Words, out: Words) -> None:
    """Write the inputs that are set, as Gold sees them, a bit each; none in the setup."""
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
            out[side * STANDINGS + STANDING[stronger]] |= kinds[kind]
            stronger += count(others[kind])
        out[side * STANDINGS + RABBIT] = kinds[RABBIT]
    write_traps(out, low, middle, high, silver)


@kernel("int64(uint64[::1])")
def bucket(row: Words) -> int:
    """Return the set of output weights: by the number of pieces on the board."""
    pieces = count(row[BOARD] | row[BOARD + 1] | row[BOARD + 2])
    return max(0, pieces - 1) * BUCKETS // MOST_PIECES


@kernel("int64(uint64[::1])")
def stage(row: Words) -> int:
    """Return the stage of a turn: the number of its actions so far."""
    return np.int64((row[STATE] & STEPS) >> STEPS_AT)
