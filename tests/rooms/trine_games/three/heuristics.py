"""The plaque of what is known about playing well; importing it compiles."""

from trine.core.doors import Heuristics
from trine.core.score import NO_MATTER
from trine_games.three.kernel import evaluation
from trine_games.three.knowledge.openings import opening
from trine_games.three.knowledge.terms import TERMS, WEIGHTS

HEURISTICS = Heuristics(
    terms=TERMS,
    weights=WEIGHTS,
    evaluate=evaluation.evaluate,
    tactical=evaluation.tactical,
    score_moves=evaluation.score_moves,
    detect_win=evaluation.detect_win,
    null_move=evaluation.null_move,
    futility_margin=400,
    repetition_rule=lambda position: NO_MATTER,
    opening=opening,
)
