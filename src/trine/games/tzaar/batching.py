"""The plaque of the room for many games at once; importing it compiles or fetches the code."""

from trine.core.doors import BatchKernel
from trine.games.tzaar.kernel import batch

BATCH = BatchKernel(shape=batch.shape, see=batch.see)
