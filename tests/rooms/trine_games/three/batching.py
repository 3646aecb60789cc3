"""The plaque for many games at once."""

from trine.core.contract import BatchKernel
from trine_games.three.kernel import batch

BATCH = BatchKernel(shape=batch.shape, see=batch.see)
