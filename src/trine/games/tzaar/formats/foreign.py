"""Code shared by the formats of other programs.

Neither format says whether an action captures or stacks: the board decides. Readers follow the
board without judging legality, which is left to the referee. Both play `official`.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.record import Record
from trine.games.tzaar.board import PIECES
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS, Capture, Stacking

OFFICIAL: Final = RULE_SETS["official"]
RESIGN: Final = "resign"
"""The word for a resignation, in our records and in both formats."""


def new_record(line: int, file: str) -> Record:
    return Record({"Game": "tzaar", "Rules": OFFICIAL.name}, line=line, file=file)


def moved(position: Position, origin: int, target: int) -> Capture | Stacking:
    """Return the action that moves a stack to a point: the board decides its kind."""
    own = position.tops[target] in PIECES[position.mover]
    return Stacking(origin, target) if own else Capture(origin, target)
