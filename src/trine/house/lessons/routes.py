"""The pages of lessons and of rule books, whose clauses have positions to try them on."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Final, NamedTuple

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.contract.attempt import AttemptState, verdict_on
from trine.core.contract.handbook import Clause, Example
from trine.core.contract.lesson import Lesson
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, ctext, text
from trine.games import ROOMS, first_games, known_rules, open_room
from trine.house.lessons import trial
from trine.house.lessons.progress import Progress, ladder
from trine.house.people.tables import Person
from trine.house.web.assets import shape
from trine.house.web.frame import Frame
from trine.house.web.headers import AN_HOUR, PICTURE, SVG, packed
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import asked_for
from trine.play.record.explained import explained

ATTEMPT_COST: Final = 5  # credits of an address; the cost of an attempt, answered with a whole view


@dataclass(frozen=True)
class LearnPages:
    """The pages of lessons."""

    frame: Frame[Person]
    progress: Progress

    def routes(self) -> list[Route]:
        return [
            Route("/learn", self.games),
            Route("/learn/{game}", self.lessons),
            Route("/learn/{game}/ladder", self.ladder),
            Route("/learn/{game}/{rules}", self.lessons),
            Route("/learn/{game}/{rules}/board/{digest}", self.board),
            Route("/learn/{game}/{rules}/{lesson}", self.lesson),
            Route("/learn/{game}/{rules}/{lesson}/try", self.attempt, methods=["POST"]),
            Route("/learn/{game}/{rules}/{lesson}/picture.svg", self.picture),
        ]

    async def games(self, request: Request) -> Response:
        person = await self.frame.person_of(request)
        return await self.frame.show(
            request,
            "learn.html",
            first_games=first_games(),
            richest=_richest(self.frame.language_of(request)),
            known=await self.progress.lessons(person),
            beaten=await self.progress.beaten(person),
        )

    async def ladder(self, request: Request) -> Response:
        code = self.frame.language_of(request)
        room = open_room(request.path_params["game"])
        beaten = await self.progress.beaten(await self.frame.person_of(request))
        return await self.frame.show(
            request,
            "ladder.html",
            room=room,
            rules=room.document(code).rules,
            rungs=ladder(beaten.get(room.name, set())),
        )

    async def lessons(self, request: Request) -> Response:
        room, rules = opened(request, self.frame.language_of(request))
        known = await self.progress.lessons(await self.frame.person_of(request))
        return await self.frame.show(
            request,
            "lessons.html",
            room=room,
            rules=rules,
            lessons=room.lessons(rules),
            known=known,
        )

    async def lesson(self, request: Request) -> Response:
        room, rules, lesson = _meant(request)
        lessons = room.lessons(rules)
        number = [one.name for one in lessons].index(lesson.name)
        language = self.frame.language(request)
        board = trial.still_scene(room.name, rules, lesson.position).board
        goal = trial.goal_cells(room.name, rules, lesson.name)
        state = trial.lesson_state(room, rules, lesson, trial.Trial(), goal)
        assert isinstance(state, trial.LessonState)
        return await self.frame.show(
            request,
            "lesson.html",
            room=room,
            rules=rules,
            lesson=lesson,
            number=number + 1,
            count=len(lessons),
            before=lessons[number - 1] if number else None,
            after=lessons[number + 1] if number + 1 < len(lessons) else None,
            state=msgspec.json.encode(state, enc_hook=language.say).decode(),
            hints=[language.say(hint) for hint in lesson.hints],
            arrows=trial.solution_paths(room, rules, lesson),
            alt=language.say(state.view.alt),
            **shape(board),
        )

    async def attempt(self, request: Request) -> Response:
        room, rules, lesson = _meant(request)

        async def judged(tried: trial.Trial) -> trial.LessonState | trial.Why | trial.Gestures:
            goal = trial.goal_cells(room.name, rules, lesson.name)
            state = trial.lesson_state(room, rules, lesson, tried, goal)
            solved = (
                isinstance(state, trial.LessonState) and state.state == AttemptState.SOLVED.value
            )
            if solved and (person := await self.frame.person_of(request)):
                await self.progress.note(person, room.name, lesson.name)
            return state

        return await judge_attempt(self.frame, request, judged)

    async def picture(self, request: Request) -> Response:
        room, rules, lesson = _meant(request)
        return picture_response(request, room.name, rules, lesson.position)

    async def board(self, request: Request) -> Response:
        """Send a board of the lessons and examples of a rule set."""
        room, rules = opened(request)
        digest = request.path_params["digest"]
        if digest not in self.frame.boards:
            for board in trial.boards_of(room.name, rules):
                self.frame.boards.keep(board)
        return self.frame.boards.answer(request, digest)


def opened(request: Request, language: str = "en") -> tuple[Room, str]:
    """Return the requested game and rule set; by default those of the language's document."""
    room = open_room(request.path_params["game"])
    return room, known_rules(room, request.path_params.get("rules", room.document(language).rules))


@cache
def _richest(language: str) -> Mapping[str, Lesson]:
    """Return each game's lesson with the longest position text, for its picture."""
    rooms = map(open_room, ROOMS)
    return {
        room.name: max(
            room.lessons(room.document(language).rules), key=lambda one: len(one.position)
        )
        for room in rooms
    }


def _meant(request: Request) -> tuple[Room, str, Lesson]:
    room, rules = opened(request)
    for lesson in room.lessons(rules):
        if lesson.name == request.path_params["lesson"]:
            return room, rules, lesson
    raise HTTPException(HTTPStatus.NOT_FOUND)


async def judge_attempt(
    frame: Frame[Person], request: Request, judged: Callable[[trial.Trial], Awaitable[object]]
) -> Response:
    """Judge the actions in a request; a refusal is sent as a sentence under ``why``."""
    body = await frame.body_of(request, ATTEMPT_COST)
    try:
        return frame.answer(request, await judged(trial.read_trial(body)))
    except TrineError as error:
        refused = trial.Why(refusal_of(error).text)
        return frame.answer(request, refused, status=HTTPStatus.BAD_REQUEST)


def picture_response(request: Request, game_name: str, rules: str, position: str) -> Response:
    drawn = trial.still(game_name, rules, position, asked_for(request))
    return packed(request, drawn, SVG, AN_HOUR | PICTURE)


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
"""For each number of walls per player, the winner from the start of each board: ``S`` for South,
``N`` for North, ``=`` for a draw, a space if unknown. Source: ``lab/solve.py``, and
``docs/why/solved.md``."""
WORDS: Final[dict[str, Text | None]] = {
    "=": ctext("result of a board", "draw"),
    "S": ctext("result of a board", "South wins"),
    "N": ctext("result of a board", "North wins"),
    " ": None,
}


def _draw_rate(percent: int) -> Text:
    return text(
        "On nine squares the engine drew {percent} % of {games} games with itself, give or take 8.",
        percent=percent,
        games=150,
    )


QUESTIONS: Final = (
    (
        text("Is the game with many walls a draw?"),
        text("On 3 × 3 with ten walls, and on 4 × 4 with four or five, it is."),
        _draw_rate(67),
    ),
    (
        text("Does one wall fewer than the board is wide cure it?"),
        text(
            "On 4 × 4 it does: with three walls the first player wins, with four it is a draw. On "
            "3 × 3 it does not."
        ),
        _draw_rate(42),
    ),
    (
        text("Does the rule of the Great Wall cure it?"),
        text("Neither on 3 × 3 nor on 4 × 4: there the start is a draw."),
        _draw_rate(71),
    ),
)
"""A question that the author's document leaves open, the proof, and how often the engine drew."""


class TriedLine(NamedTuple):
    """A line to try, as the page shows it."""

    line: str
    legal: bool
    answer: Text  # the referee's answer
    said: Text | None  # a document's words on the line


@dataclass(frozen=True)
class ShownExample:
    """An example as the page shows it."""

    shape: Mapping[str, object]
    alt: Text
    mover: Text
    tries: Sequence[TriedLine]


@dataclass(frozen=True)
class Numbered:
    """A clause, its number in the rule book, and its example."""

    number: int
    clause: Clause
    shown: ShownExample | None


@cache
def chapters(game_name: str, rules: str) -> Mapping[Text, Sequence[Numbered]]:
    """Return the clauses of a rule set by chapter, with the verdicts on their examples (cached)."""
    found: dict[Text, list[Numbered]] = {}
    for number, clause in enumerate(open_room(game_name).rulebook(rules), 1):
        shown = _show_example(game_name, rules, clause.example) if clause.example else None
        found.setdefault(clause.chapter, []).append(Numbered(number, clause, shown))
    return found


def _show_example(game_name: str, rules: str, example: Example) -> ShownExample:
    room, scene = open_room(game_name), trial.still_scene(game_name, rules, example.position)
    verdicts = [(one, verdict_on(room, rules, example.position, one.line)) for one in example.tries]
    return ShownExample(
        shape(scene.board),
        scene.alt,
        trial.mover_text(room.rules.parse_position(example.position, rules)),
        [
            TriedLine(one.line, verdict.legal, verdict.about(one.line), one.said)
            for one, verdict in verdicts
        ],
    )


@dataclass(frozen=True)
class RulePages:
    """The pages of rule books."""

    frame: Frame[Person]

    def routes(self) -> list[Route]:
        return [
            Route("/rules", self.books),
            Route("/about/{game}", self.about),
            Route("/diagram", self.diagram),
            Route("/solved", self.solved),
            Route("/rules/{game}/{rules}", self.book),
            Route("/rules/{game}/{rules}/{number:int}/try", self.tried, methods=["POST"]),
            Route("/rules/{game}/{rules}/{number:int}/picture.svg", self.picture),
        ]

    async def books(self, request: Request) -> Response:
        return await self.frame.show(request, "rulebooks.html")

    async def about(self, request: Request) -> Response:
        room, _ = opened(request)
        return await self.frame.show(request, "about.html", room=room)

    async def book(self, request: Request) -> Response:
        room, rules = opened(request)
        return await self.frame.show(
            request,
            "rules.html",
            room=room,
            rules=rules,
            chapters=chapters(room.name, rules).items(),
            diagram=bool(_quoting_clauses(room.name, rules)),
            solved=room.rules.solved is not None,
            record=list(explained(rules)) if room.name == "arimaa" else [],
        )

    async def diagram(self, request: Request) -> Response:
        sides = [(rules, said) for rules in DIAGRAM if (said := _quoting_clauses("arimaa", rules))]
        return await self.frame.show(request, "diagram.html", sides=sides)

    async def solved(self, request: Request) -> Response:
        rows = [(walls, [WORDS[sign] for sign in signs]) for walls, signs in enumerate(STARTS)]
        return await self.frame.show(
            request, "solved.html", questions=QUESTIONS, boards=BOARDS, rows=rows
        )

    async def tried(self, request: Request) -> Response:
        room, rules = opened(request)
        example = _example(request)

        async def judged(tried: trial.Trial) -> trial.ExampleState | trial.Why | trial.Gestures:
            return trial.example_state(room, rules, example, tried)

        return await judge_attempt(self.frame, request, judged)

    async def picture(self, request: Request) -> Response:
        room, rules = opened(request)
        return picture_response(request, room.name, rules, _example(request).position)


def _quoting_clauses(game_name: str, rules: str) -> list[Numbered]:
    """Return the clauses whose examples quote sentences of a document."""
    return [
        clause
        for clauses in chapters(game_name, rules).values()
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
