"""The ideas of whole turns of Arimaa.

Many turns of Arimaa differ only in irrelevant actions. So turns are compared by their achievements,
a list of numbers: a turn shares the idea of another if none of its numbers is less.
"""

from typing import Final

import numpy as np

from mining import kernel
from trine.core.compiled.arrays import Buffers, Row, Rows
from trine.games.arimaa.kernel.layout import WORDS
from trine.games.arimaa.kernel.rules import BOARD_WORDS, DEFAULT_TABLE_SIZE, turn_results

ACHIEVEMENTS: Final = {
    "trap": kernel.CAPTURED,
    "freeze": kernel.FROZEN,
    "hostage": kernel.HELD,
    "save": kernel.SAVED,
    "rescue": kernel.STOPPED,
    "threat": kernel.THREATENED,
}
"""The index of an achievement, by the name of its theme (`Book.themes`)."""


def every_turn(row: Row) -> Rows:
    """Return the rows after all distinct turns from the beginning of a turn, after the setup."""
    size, found = DEFAULT_TABLE_SIZE, -1
    while found < 0:
        boards = np.zeros((size // 2, BOARD_WORDS), np.uint64)
        found = turn_results(row, boards, np.zeros(size, np.uint64))
        size *= 2
    after = np.zeros((found, WORDS), np.uint64)
    for number in range(found):
        kernel.end_with(row, boards, number + 1, after[number])
    return after


def achieved(before: Row, after: Rows, name: str) -> Buffers:
    """Return how much turns achieve of one idea. Shapes: turn, number."""
    out = np.zeros((len(after), kernel.KINDS), np.int32)
    kernel.count_achieved(before, after, ACHIEVEMENTS[name], out)
    return out
