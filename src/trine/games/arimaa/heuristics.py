"""What the room knows about playing well, as the floors above see it; importing it compiles."""

from __future__ import annotations

from typing import Final

from trine.core.doors import Heuristics
from trine.core.score import LOSES, NO_MATTER
from trine.games.arimaa.kernel.evaluation import evaluate
from trine.games.arimaa.kernel.goals import detect_win
from trine.games.arimaa.kernel.ordering import null_move, score_moves, tactical
from trine.games.arimaa.knowledge.openings import opening
from trine.games.arimaa.knowledge.terms import TERMS, WEIGHTS
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Repetition

FUTILITY_MARGIN: Final = 20
"""Units: points; what a quiet step can hardly gain. Guess, in proportion to the weights; those won
their match with it."""


def repetition_rule(position: Position) -> int:
    """What it means that a position stands for the third time.

    Nothing in `diagonal`; in `classic` who brings it about loses, else it is illegal.
    """
    return NO_MATTER if position.rules.repetition is Repetition.FREE else LOSES


HEURISTICS = Heuristics(
    terms=TERMS,
    weights=WEIGHTS,
    evaluate=evaluate,
    tactical=tactical,
    score_moves=score_moves,
    detect_win=detect_win,
    null_move=null_move,
    futility_margin=FUTILITY_MARGIN,
    repetition_rule=repetition_rule,
    opening=opening,
)
