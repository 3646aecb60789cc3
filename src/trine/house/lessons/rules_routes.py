"""The rule books, each clause with its source and a position to try it on; and solved boards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.contract.clause import Clause, Example
from trine.core.contract.verdict import verdict_on
from trine.core.scene.scene import Board
from trine.core.text.sentence import Text, ctext, text
from trine.games import open_room
from trine.house.lessons.learn_routes import answered, opened, pictured
from trine.house.lessons.messages import ExampleState, Trial, Why
from trine.house.lessons.trial import example_state, mover_text, still_scene
from trine.house.people.tables import Person
from trine.house.web.boards import shape
from trine.house.web.frame import Frame

DIAGRAM: Final = ("diagonal", "classic")
"""The rule sets of Arimaa whose documents have the same diagram."""
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


def routes(frame: Frame[Person]) -> list[Route]:
    rules = _Rules(frame)
    return [
        Route("/rules", rules.books),
        Route("/diagram", rules.diagram),
        Route("/rules/{game}/{rules}", rules.book),
        Route("/rules/{game}/{rules}/{number:int}/try", rules.tried, methods=["POST"]),
        Route("/rules/{game}/{rules}/{number:int}/picture.svg", rules.picture),
    ]


class Tried(NamedTuple):
    """Something to try, as the page shows it."""

    line: str
    legal: bool
    told: Text
    """The referee's answer."""
    said: Text | None
    """The words of a document on it."""


@dataclass(frozen=True)
class Shown:
    """An example as the page shows it."""

    board: Board
    alt: Text
    mover: Text
    tries: tuple[Tried, ...]

    @property
    def shape(self) -> dict[str, object]:
        """The size of its board."""
        return shape(self.board)


@dataclass(frozen=True)
class Numbered:
    """A clause, its number in the rule book, and its example."""

    number: int
    clause: Clause
    shown: Shown | None


@cache
def chapters(game: str, rules: str) -> tuple[tuple[Text, tuple[Numbered, ...]], ...]:
    """Return the clauses of a rule set by chapter, judged once for all readers."""
    found: list[tuple[Text, list[Numbered]]] = []
    for number, clause in enumerate(open_room(game).rulebook(rules), 1):
        if not found or found[-1][0] != clause.chapter:
            found.append((clause.chapter, []))
        shown = _shown(game, rules, clause.example) if clause.example else None
        found[-1][1].append(Numbered(number, clause, shown))
    return tuple((chapter, tuple(clauses)) for chapter, clauses in found)


def _shown(game: str, rules: str, example: Example) -> Shown:
    room = open_room(game)
    scene = still_scene(game, rules, example.position)
    verdicts = [(one, verdict_on(room, rules, example.position, one.line)) for one in example.tries]
    return Shown(
        scene.board,
        scene.alt,
        mover_text(room.rules.parse_position(example.position, rules)),
        tuple(
            Tried(one.line, verdict.legal, verdict.about(one.line), one.said)
            for one, verdict in verdicts
        ),
    )


class _Rules:
    """The answers to requests about rules."""

    def __init__(self, frame: Frame[Person]) -> None:
        self._frame = frame

    async def books(self, request: Request) -> Response:
        """All rule sets, by game and document."""
        return await self._frame.show(request, "rulebooks.html")

    async def book(self, request: Request) -> Response:
        """The rule book of a rule set."""
        room, rules = opened(request)
        return await self._frame.show(
            request,
            "rules.html",
            room=room,
            rules=rules,
            chapters=chapters(room.name, rules),
            diagram=bool(_said(room.name, rules)),
            solved=room.rules.solved is not None,
        )

    async def diagram(self, request: Request) -> Response:
        """The sentences of two documents about one position, by the rules of each."""
        sides = [(rules, said) for rules in DIAGRAM if (said := _said("arimaa", rules))]
        return await self._frame.show(request, "diagram.html", sides=sides)

    async def tried(self, request: Request) -> Response:
        """Answer with the referee's judgement of a trial."""
        room, rules = opened(request)
        example = _example(request)

        def judged(trial: Trial) -> ExampleState | Why:
            return example_state(room, rules, example, trial)

        return await answered(self._frame, request, judged)

    async def picture(self, request: Request) -> Response:
        room, rules = opened(request)
        return pictured(request, room.name, rules, _example(request).position)


def _said(game: str, rules: str) -> list[Numbered]:
    """Return the clauses in which sentences of a document are tried."""
    return [
        clause
        for _, clauses in chapters(game, rules)
        for clause in clauses
        if clause.shown and any(tried.said for tried in clause.shown.tries)
    ]


def _example(request: Request) -> Example:
    room, rules = opened(request)
    clauses, number = room.rulebook(rules), request.path_params["number"]
    example: Example | None = clauses[number - 1].example if 1 <= number <= len(clauses) else None
    if not example:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return example


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


def solved_routes(frame: Frame[Person]) -> list[Route]:
    """The page of solved boards."""

    async def solved(request: Request) -> Response:
        rows = [(walls, [WORDS[sign] for sign in signs]) for walls, signs in enumerate(STARTS)]
        return await frame.show(
            request, "solved.html", questions=QUESTIONS, boards=BOARDS, rows=rows
        )

    return [Route("/solved", solved)]
