"""The one thing to learn about three in a row."""

from __future__ import annotations

from typing import Final

from trine.core.contract.lesson import Lesson, wins
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import text

LESSONS: Final = (
    Lesson(
        name="row",
        title=text("Three in a row"),
        words=text("Rows lead along the ranks, the files and the two diagonals."),
        task=text("You are Cross. Win."),
        position="x.o/.x./o..",
        goal=wins(Reason.GOAL),
        solution=("c1",),
        success=text("A diagonal."),
        hints=(text("Two of your marks stand on a diagonal already."), text("c1")),
        wrong=("b2", "b1"),
    ),
)
