"""The diagram of the Hungarian and the French document, as clauses: each sentence can be tried.

Source: both documents show the same position and say nearly the same of it.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.clause import Example, Try, clause
from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import ctext, join, text
from trine.games.arimaa.diagrams import NAMED_POSITIONS

CHAPTER: Final = ctext("chapter", "The diagram")
_SOURCE: Final = join([ctext("source", "French document"), ctext("source", "Hungarian document")])
_GOLD: Final = NAMED_POSITIONS["diagram"]
_SILVER: Final = _GOLD.replace("2g", "2s")

_OF_SILVER: Final = (
    Try(
        "d5s d6s",
        said=text("The elephant on d5 can go to d4 and pull the horse from d6 to d5,"),
    ),
    Try("d5w d6s", said=text("or go to c5,")),
    Try("d5e d6s", said=text("or to e5.")),
    Try(
        "a7s",
        "a6 is taken by the dog on a6",
        said=text("The rabbit on a7 is frozen; besides, its squares are taken."),
    ),
    Try("d2e", said=text("The rabbit on d2 is free: a friend is beside it.")),
    Try(
        "b6s", said=text("The dogs on a6 and b6 do not freeze each other: they are equally strong.")
    ),
    Try(
        "d6w d5n",
        said=text("Silver can capture the horse on d6 by pushing it to c6 with the elephant."),
    ),
    Try(
        "c4w c2w",
        said=text("If the rabbit on c4 and the horse on c2 go away, the rabbit on c3 is captured."),
    ),
    Try(
        "f4e f2n f1n",
        said=text(
            "The rabbit on f4 can go to g4, and the horse from f2 to f3, where it is captured; its "
            "pull of f1 is completed all the same."
        ),
    ),
)
_OF_GOLD: Final = (
    Try(
        "d2e d3s",
        said=text("The elephant on d3 can push the rabbit on d2 to e2 and then take its square."),
    ),
    Try(
        "d2s",
        "d1 is taken by the rabbit on d1",
        said=text("The rabbit on d2 cannot be pushed to d1,"),
    ),
    Try("d2w", "c2 is taken by the horse on c2", said=text("nor to c2,")),
    Try(
        "d2n",
        "d3 is taken by the elephant on d3",
        said=text("nor to d3: these squares are not empty."),
    ),
)
_AT_ONCE: Final = text("The elephant on d3 cannot push d2 to e2 and pull c3 to d3 at once.")
_OF_GOLD_TOO: Final = (
    Try(
        "b7n",
        "the rabbit on b7 is frozen by the dog on b6 (no friend beside it)",
        said=text("The rabbit on b7 is frozen;"),
    ),
    Try("d1e c1e", said=text("the cat on c1 is not, it only has no empty square.")),
    Try("a6s", said=text("The dog on a6 is free, too.")),
    Try(
        "a7n a6n b7n end",
        outcome=Outcome(0, Reason.GOAL),
        said=text(
            "Gold wins in three steps: the dog pushes the rabbit to a8, and frees the rabbit on b7."
        ),
    ),
)
_BOTH_READINGS: Final = {
    "diagonal": Try(
        "d2e d3s c3e end",
        "the push must be completed: the elephant on d2 must go to c3",
        said=_AT_ONCE,
    ),
    "classic": Try(
        "d2e d3s c3e",
        "the step that completes a push is not also the first half of a pull",
        said=_AT_ONCE,
    ),
}

CLAUSES: Final = (
    clause(
        CHAPTER,
        "What both articles say of their diagram, with Silver to move.",
        _SOURCE,
        only=tuple(_BOTH_READINGS),
        example=Example(_SILVER, _OF_SILVER),
    ),
    *(
        clause(
            CHAPTER,
            "What both articles say of their diagram, with Gold to move.",
            _SOURCE,
            only=(rules,),
            example=Example(_GOLD, (*_OF_GOLD, reading, *_OF_GOLD_TOO)),
        )
        for rules, reading in _BOTH_READINGS.items()
    ),
)
