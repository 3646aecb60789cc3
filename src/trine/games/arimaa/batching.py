"""The batch kernel of the room as the floors above see it; importing it compiles the code."""

from __future__ import annotations

from typing import Final

from trine.core.contract import BatchKernel, RepetitionKernel
from trine.core.contract.score import FORBIDDEN, LOSES, NO_MATTER
from trine.games.arimaa.kernel import batch
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Repetition

RULES: Final = {
    Repetition.FREE: NO_MATTER,
    Repetition.LOSES: LOSES,
    Repetition.ILLEGAL: FORBIDDEN,
}


def repetition_rule(position: Position) -> int:
    """Return what a third occurrence of a position means by its rule set."""
    return RULES[position.rules.repetition]


BATCH = BatchKernel(
    shape=batch.shape,
    see=batch.see,
    repetition=RepetitionKernel(
        rule=repetition_rule,
        can_stand_again=batch.can_stand_again,
        longest_turn=batch.LONGEST_TURN,
    ),
    advance=batch.advance,
)
