"""The heuristics of TZAAR; importing them compiles or loads the kernel."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.contract import Heuristics, NetInputs
from trine.core.contract.heuristics import weighted, weights_of
from trine.games.tzaar.kernel.evaluation import evaluate
from trine.games.tzaar.kernel.inputs import BUCKETS, MAX_ACTIVE, MIRRORED, bucket, inputs
from trine.games.tzaar.kernel.ordering import score_moves
from trine.games.tzaar.kernel.tactics import must_act, null_move, tactical
from trine.games.tzaar.kernel.terms import TERMS
from trine.games.tzaar.kernel.wins import detect_win
from trine.games.tzaar.knowledge.strategy import opening

FUTILITY_MARGIN: Final = 60
"""Units: points; more than a quiet action is likely to gain. Guess."""

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
    opening=opening,
    must_act=must_act,
    net=NetInputs("tzaar", "relations 1", MAX_ACTIVE, MIRRORED, inputs, BUCKETS, bucket),
)
