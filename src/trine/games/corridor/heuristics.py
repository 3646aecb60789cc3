"""The game's `Heuristics`: evaluation, move ordering, and inputs of nets."""

from typing import Final

import numpy as np

from trine.core.contract.heuristics import Heuristics, weighted, weights_of
from trine.games.corridor.kernel import evaluation, inputs, ordering, wins
from trine.games.corridor.knowledge import strategy

FUTILITY_MARGIN: Final = 60  # points; more than a quiet action is likely to gain. Guess

SEARCH_CONSTANTS: Final = {"quiescence_tt": 1}
"""Without the table in quiescence the net gained nothing in equal time: −5 Elo ± 20, 1,200 games of
4,000 nodes; with it +32 ± 14, 1,800 games. Without a net the table makes no difference."""

OVERLOOK_RATES: Final = {1: 800}
"""Units: 1/1024. With 830, level 2 beat level 1 by 291 and 308 Elo in `corridor` and `corridor-8`;
with 780, by 86 in `quoridor`. With 800, the three differences are between 145 and 235."""

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
    search_constants=SEARCH_CONSTANTS,
    overlook_rates=OVERLOOK_RATES,
)
