"""What the room knows about playing well, as the floors above see it."""

from __future__ import annotations

from random import Random
from typing import Final

from trine.core.doors import DRAWS, Mind
from trine.games.corridor.evaluation import MEMORY, TERMS
from trine.games.corridor.kernel_evaluation import evaluate
from trine.games.corridor.kernel_races import foresee
from trine.games.corridor.kernel_tactics import prefer, skip, tactical
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Choice
from trine.games.corridor.strategy import choose_start

MARGIN: Final = 60
"""Units: points; what a quiet action can hardly gain. Guess."""


def opening(position: Position, chance: Random) -> tuple[Choice, ...]:
    """A start square, while start squares are to be chosen."""
    return (choose_start(position, chance),) if position.in_setup else ()


MIND = Mind(
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
