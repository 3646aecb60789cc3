"""Every rule as a sentence."""

from __future__ import annotations

from typing import Final

from trine.core.contract.clause import Clause, Example, Try
from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import text
from trine_games.three.rules import PLAIN

_GAME: Final = text("Three in a row")
CLAUSES: Final = (
    Clause(
        _GAME,
        text("Cross and Nought mark empty squares by turns."),
        PLAIN.source,
        example=Example(".../.x./...", (Try("a1"), Try("b2", "b2 is marked already"))),
    ),
    Clause(
        _GAME,
        text("Three marks of one player in a row win."),
        PLAIN.source,
        example=Example("x.o/.x./o..", (Try("c1", outcome=Outcome(0, Reason.GOAL)),)),
    ),
    Clause(_GAME, text("A full board without such a row is a draw."), PLAIN.source),
)
