"""The batch kernel of the room as the floors above see it; importing it compiles the code."""

from trine.core.contract import BatchKernel, RepetitionKernel
from trine.core.contract.score import DRAWS, NO_MATTER
from trine.games.corridor.kernel import batch

BATCH = BatchKernel(
    shape=batch.shape,
    see=batch.see,
    repetition=RepetitionKernel(
        rule=lambda position: NO_MATTER if position.rules.goes_round else DRAWS,
        can_stand_again=batch.can_stand_again,
    ),
    advance=batch.advance,
)
