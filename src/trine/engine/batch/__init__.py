"""Vectorized play: many games at once in arrays, for training and statistics.

>>> from trine.engine.batch import Batch
>>> batch = Batch("tzaar/official", games=4, seed=1)
>>> seen = batch.reset()
>>> seen.observations.shape, seen.masks.shape
((4, 13, 9, 9), (4, 3781))
>>> seen = batch.step(batch.random_actions())
>>> seen.movers.tolist(), seen.rewards.tolist()[0], seen.done.tolist()
([1, 1, 1, 1], [0.0, 0.0], [False, False, False, False])

Actions are the numbers of the game's ``encoding.py``; the planes of observations are listed at the
top of its ``kernel/observation.py``. The game's page in ``docs/reference`` has both.
"""

from __future__ import annotations

from trine.core.contract.score import ONGOING as ONGOING
from trine.engine.batch.batch import DEFAULT_LIMIT as DEFAULT_LIMIT
from trine.engine.batch.batch import NO_ACTION as NO_ACTION
from trine.engine.batch.batch import Batch as Batch
from trine.engine.batch.game_arrays import STOPPED as STOPPED
from trine.engine.batch.game_arrays import Transition as Transition
