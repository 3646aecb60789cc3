"""What the room knows about playing well, as the floors above see it; importing it compiles."""

from __future__ import annotations

from typing import Final

from trine.core.doors import LOSES, NO_MATTER, Heuristics
from trine.games.arimaa.kernel.evaluation import evaluate
from trine.games.arimaa.kernel.goals import foresee
from trine.games.arimaa.kernel.ordering import prefer, skip, tactical
from trine.games.arimaa.knowledge.openings import opening
from trine.games.arimaa.knowledge.terms import MEMORY, TERMS
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Repetition

MARGIN: Final = 20
"""Units: points; what a quiet step can hardly gain. Guess, in proportion to the weights; those won
their match with it."""


def third_time(position: Position) -> int:
    """What it means that a position stands for the third time.

    Nothing in `diagonal`; in `classic` who brings it about loses, else it is illegal.
    """
    return NO_MATTER if position.rules.repetition is Repetition.FREE else LOSES


HEURISTICS = Heuristics(
    terms=TERMS,
    memory=MEMORY,
    evaluate=evaluate,
    tactical=tactical,
    prefer=prefer,
    foresee=foresee,
    skip=skip,
    margin=MARGIN,
    third_time=third_time,
    opening=opening,
)
