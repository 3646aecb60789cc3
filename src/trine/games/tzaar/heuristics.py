"""The heuristics of TZAAR; importing them compiles or loads the kernel."""

from typing import Final

import numpy as np

from trine.core.contract.heuristics import Heuristics, weighted, weights_of
from trine.games.tzaar.kernel import evaluation, inputs, ordering, wins
from trine.games.tzaar.knowledge import strategy

FUTILITY_MARGIN: Final = 60  # points; more than a quiet action is likely to gain. Guess

_WEIGHTS: Final = weights_of(__package__, (term.name for term in evaluation.TERMS))

HEURISTICS = Heuristics.of(
    evaluation,
    ordering,
    wins,
    inputs,
    strategy,
    terms=weighted(evaluation.TERMS, _WEIGHTS),
    weights=np.array([*_WEIGHTS.values()], np.float32),
    futility_margin=FUTILITY_MARGIN,
)
