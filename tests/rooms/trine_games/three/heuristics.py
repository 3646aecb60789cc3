"""The plaque of what is known about playing well; importing it compiles."""

import numpy as np

from trine.core.contract import Heuristics
from trine.core.contract.score import NO_MATTER
from trine.core.contract.terms import weighted, weights_of
from trine_games.three.kernel import evaluation
from trine_games.three.kernel.terms import TERMS
from trine_games.three.knowledge.openings import opening

_WEIGHTS = weights_of(__package__, (term.name for term in TERMS))

HEURISTICS = Heuristics(
    terms=weighted(TERMS, _WEIGHTS),
    weights=np.array([*_WEIGHTS.values()], np.float32),
    evaluate=evaluation.evaluate,
    tactical=evaluation.tactical,
    score_moves=evaluation.score_moves,
    detect_win=evaluation.detect_win,
    null_move=evaluation.null_move,
    futility_margin=400,
    repetition_rule=lambda position: NO_MATTER,
    opening=opening,
)
