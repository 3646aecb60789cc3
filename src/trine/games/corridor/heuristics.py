"""The game's `Heuristics`: evaluation, move ordering, and inputs of nets."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.contract import Heuristics, NetInputs
from trine.core.contract.heuristics import weighted, weights_of
from trine.games.corridor.board import USUAL_SIZE
from trine.games.corridor.kernel.evaluation import evaluate
from trine.games.corridor.kernel.inputs import (
    BUCKETS,
    MAX_ACTIVE,
    MIRRORED,
    SYMMETRIES,
    bucket,
    inputs,
)
from trine.games.corridor.kernel.ordering import score_moves
from trine.games.corridor.kernel.tactics import null_move, tactical
from trine.games.corridor.kernel.terms import TERMS
from trine.games.corridor.kernel.wins import detect_win
from trine.games.corridor.knowledge.strategy import opening

FUTILITY_MARGIN: Final = 60
"""Units: points; more than a quiet action is likely to gain. Guess."""

SEARCH_CONSTANTS: Final = {"quiescence_tt": 1}
"""Without the table in quiescence the net gained nothing in equal time: −5 Elo ± 20, 1,200 games of
4,000 nodes; with it +32 ± 14, 1,800 games. Without a net the table makes no difference."""

OVERLOOK_RATES: Final = {1: 800}
"""Units: 1/1024. With 830, level 2 beat level 1 by 291 and 308 Elo in `corridor` and `corridor-8`;
with 780, by 86 in `quoridor`. With 800, the three differences are between 145 and 235."""


_WEIGHTS: Final = weights_of(__package__, (term.name for term in TERMS))

HEURISTICS = Heuristics(
    terms=weighted(TERMS, _WEIGHTS),
    weights=np.array([*_WEIGHTS.values()], np.float32),
    evaluate=evaluate,
    tactical=tactical,
    score_moves=score_moves,
    detect_win=detect_win,
    null_move=null_move,
    futility_margin=FUTILITY_MARGIN,
    search_constants=SEARCH_CONSTANTS,
    opening=opening,
    overlook_rates=OVERLOOK_RATES,
    net=NetInputs(
        "corridor",
        "races 2",
        MAX_ACTIVE,
        MIRRORED,
        inputs,
        BUCKETS,
        bucket,
        lambda position: position.size == USUAL_SIZE,
        SYMMETRIES,
    ),
)
