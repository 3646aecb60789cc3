"""The solved boards: what they prove of what the author of Corridor says of his game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.text.sentence import Text, ctext, text
from trine.house.people.person_rows import Person
from trine.house.web.frame import Frame

BOARDS: Final = (
    ("corridor", 3),
    ("corridor", 4),
    ("quoridor", 3),
    ("quoridor", 4),
    ("quoridor", 5),
)
STARTS: Final = ("==NSN", "=SNSN", "=SNSN", "=SNSN", "==NSN", "==NS ")
"""By the walls of each player, who wins from the start of each board: South, North, or neither, as
``lab/solve.py`` found it, and ``docs/solved.md`` has it; a space where it is not known here."""
WORDS: Final[dict[str, Text | None]] = {
    "=": ctext("result of a board", "draw"),
    "S": ctext("result of a board", "South wins"),
    "N": ctext("result of a board", "North wins"),
    " ": None,
}


@dataclass(frozen=True)
class Question:
    """A question that the author's document leaves open, with what is known."""

    asked: Text
    proved: Text
    played: Text
    """How often the engine drew with itself, on nine squares."""


def _played(percent: int) -> Text:
    return text(
        "On nine squares the engine drew {percent} % of {games} games with itself, give or take 8.",
        percent=percent,
        games=150,
    )


QUESTIONS: Final = (
    Question(
        text("Is the game with many walls a draw?"),
        text("On 3 × 3 with ten walls, and on 4 × 4 with four or five, it is."),
        _played(67),
    ),
    Question(
        text("Does one wall fewer than the board is wide cure it?"),
        text(
            "On 4 × 4 it does: with three walls the first player wins, with four it is a draw. On "
            "3 × 3 it does not."
        ),
        _played(42),
    ),
    Question(
        text("Does the rule of the Great Wall cure it?"),
        text("Neither on 3 × 3 nor on 4 × 4: there the start is a draw."),
        _played(71),
    ),
)


def routes(frame: Frame[Person]) -> list[Route]:
    """The page of solved boards."""

    async def solved(request: Request) -> Response:
        rows = [(walls, [WORDS[sign] for sign in signs]) for walls, signs in enumerate(STARTS)]
        return await frame.show(
            request, "solved.html", questions=QUESTIONS, boards=BOARDS, rows=rows
        )

    return [Route("/solved", solved)]
