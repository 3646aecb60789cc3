"""What the room knows about playing well, as the floors above see it."""

from __future__ import annotations

from typing import Final

from trine.core.doors import DRAWS, Heuristics
from trine.games.corridor.kernel.evaluation import evaluate
from trine.games.corridor.kernel.ordering import prefer, skip, tactical
from trine.games.corridor.kernel.races import foresee
from trine.games.corridor.knowledge.openings import opening
from trine.games.corridor.knowledge.terms import MEMORY, TERMS

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
    third_time=lambda position: DRAWS,
    opening=opening,
)
