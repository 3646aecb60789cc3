"""What the room knows about playing well, as the floors above see it; importing it compiles."""

from __future__ import annotations

from typing import Final

from trine.core.doors import NO_MATTER, Mind
from trine.games.tzaar.evaluation import MEMORY, TERMS
from trine.games.tzaar.kernel_evaluation import evaluate
from trine.games.tzaar.kernel_forced import foresee
from trine.games.tzaar.kernel_promises import prefer
from trine.games.tzaar.kernel_tactics import skip, tactical
from trine.games.tzaar.openings import opening

MARGIN: Final = 60
"""Units: points; what a quiet action can hardly gain. Guess."""

MIND = Mind(
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
