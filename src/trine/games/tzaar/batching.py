"""The batch kernel of the room as the floors above see it; importing it compiles the code."""

from trine.core.contract import BatchKernel
from trine.games.tzaar.kernel import batch

BATCH = BatchKernel(shape=batch.shape, see=batch.see)
