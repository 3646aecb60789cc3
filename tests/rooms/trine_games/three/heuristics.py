"""The game's `Heuristics`; importing it compiles or loads the code."""

import numpy as np

from trine.core.contract.heuristics import Aspect, Heuristics, Term, weighted, weights_of
from trine.core.text.sentence import text
from trine_games.three.kernel import evaluation

TERMS = (
    Term("open_lines", text("lines that can still be filled"), Aspect("lines", text("the lines"))),
)
_WEIGHTS = weights_of(__package__, (term.name for term in TERMS))

HEURISTICS = Heuristics.of(
    evaluation,
    terms=weighted(TERMS, _WEIGHTS),
    weights=np.array([*_WEIGHTS.values()], np.float32),
    futility_margin=400,
)
