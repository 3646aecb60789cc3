"""What the room knows about playing well, as the floors above see it; importing it compiles."""

from __future__ import annotations

from typing import Final

from trine.core.doors import NO_MATTER, Heuristics
from trine.games.tzaar.kernel.evaluation import evaluate
from trine.games.tzaar.kernel.forced import foresee
from trine.games.tzaar.kernel.ordering import prefer
from trine.games.tzaar.kernel.tactics import skip, tactical
from trine.games.tzaar.knowledge.openings import opening
from trine.games.tzaar.knowledge.terms import MEMORY, TERMS

MARGIN: Final = 60
"""Units: points; what a quiet action can hardly gain. Guess."""

HEURISTICS = Heuristics(
    terms=TERMS,
    memory=MEMORY,
    evaluate=evaluate,
    tactical=tactical,
    prefer=prefer,
    foresee=foresee,
    skip=skip,
    margin=MARGIN,
    third_time=lambda position: NO_MATTER,
    opening=opening,
)
