"""The pages of figures: the games of this house, and how hard these games are for computers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.text.language import open_language
from trine.core.text.sentence import number
from trine.games import open_room
from trine.house.games.level_ratings import STEPS, Step
from trine.house.people.person_rows import Person
from trine.house.statistics.counting import Statistics
from trine.house.web.frame import Frame
from trine.play.record.statistics import By
from trine.play.tournament.challenge import pieces_told
from trine.play.tournament.history import HISTORY, balance


@dataclass(frozen=True)
class Choices:
    """The number of legal turns to choose from in a game."""

    game: str
    rules: str
    median: int
    most: int
    people: bool
    """Whether people played the games that were counted, and not level 5 itself."""


CHOICES: Final = (
    Choices("Arimaa", "official", 14_253, 99_163, people=True),
    Choices("Arimaa", "classic", 14_203, 97_224, people=True),
    Choices("Arimaa", "official", 18_768, 110_445, people=False),
    Choices("TZAAR", "official", 1_398, 9_070, people=False),
    Choices("TZAAR", "open", 1_768, 9_685, people=False),
    Choices("Corridor", "corridor", 136, 147, people=False),
    Choices("Corridor", "quoridor", 74, 131, people=False),
    Choices("Corridor", "great-wall", 129, 147, people=False),
)
"""Source: docs/perft.md, "Turns to choose from"."""


SHOWN: Final = (By.RULES, By.MONTH, By.CLOCK, By.RATING)
"""The property by which the games of the house are grouped."""


@dataclass(frozen=True)
class Levels:
    """How far each measured level is above the one below."""

    title: str
    rules: str
    steps: Sequence[Step]


def routes(frame: Frame[Person], statistics: Statistics) -> list[Route]:
    """The routes of the pages of figures."""

    async def show(request: Request) -> Response:
        frame.charge(request, 5)
        language = open_language(frame.language_of(request))
        try:
            by = By(request.query_params.get("by", By.RULES.value))
        except ValueError as error:
            raise HTTPException(HTTPStatus.NOT_FOUND) from error
        if by not in SHOWN:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        found = await statistics.figures(language, by)
        return await frame.show(request, "statistics.html", found=found, by=by.value)

    async def computers(request: Request) -> Response:
        frame.charge(request, 2)
        return await frame.show(
            request,
            "computers.html",
            choices=CHOICES,
            levels=[
                Levels(open_room(game).title, rules, steps)
                for (game, rules), steps in STEPS.items()
            ],
            most=max(map(len, STEPS.values())),
            history=HISTORY,
            left_out=pieces_told,
            number=number,
            balance=balance(),
        )

    return [Route("/statistics", show), Route("/computers", computers)]
