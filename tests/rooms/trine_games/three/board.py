"""The board of three in a row: nine squares, eight lines, two players. No rules."""

from typing import Final

from trine.core.contract.position import Seat
from trine.core.text.sentence import ctext

WIDTH: Final = 3
SIZE: Final = WIDTH * WIDTH
FILES: Final = "abc"
NAMES: Final = tuple(f"{file}{rank}" for rank in range(1, WIDTH + 1) for file in FILES)
"""The squares, a1 first, along the rank and then up."""
LINES: Final = (
    *((3 * rank, 3 * rank + 1, 3 * rank + 2) for rank in range(WIDTH)),
    *((file, file + 3, file + 6) for file in range(WIDTH)),
    (0, 4, 8),
    (2, 4, 6),
)
"""The rows of three squares that win."""

CROSS, NOUGHT = 0, 1
EMPTY: Final = "."
LETTERS: Final = "xo"
"""The letters on squares, by player."""
SEATS: Final = (
    Seat(ctext("player", "Cross"), "Cross", "x"),
    Seat(ctext("player", "Nought"), "Nought", "o"),
)
