"""Other programs' formats for records of TZAAR: Little Golem, Boardspace and bare lists.

They can be read but not written, since no program is known that reads one of them.
"""

from collections.abc import Mapping
from typing import Final

from trine.core.contract.notation import Format, position_format
from trine.core.text.sentence import text
from trine.games.tzaar.diagrams import format_position, parse_position
from trine.games.tzaar.formats.boardspace import BOARDSPACE
from trine.games.tzaar.formats.lists import LISTS
from trine.games.tzaar.formats.littlegolem import LITTLEGOLEM
from trine.games.tzaar.grids import write_grid

GRID: Final = position_format(
    "tzaar-grid",
    text("a full board without stacks, as nine rows of cells"),
    game="tzaar",
    whose="jeroenmaas/tzaar-python-ai, as its start",
    example="w1 w1 w1 w1 b1 n n n n ⏎ …",
    parse=parse_position,
    format_start=format_position,
    write=lambda position: write_grid(position.tops, position.stage.value),
)
FORMATS: Final[Mapping[str, Format]] = {
    form.name: form for form in (LITTLEGOLEM, BOARDSPACE, LISTS, GRID)
}
