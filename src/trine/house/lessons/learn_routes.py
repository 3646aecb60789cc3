"""The pages of lessons: the games, the lessons of a rule set, and a lesson with its board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.contract import Room
from trine.core.contract.attempt import AttemptState
from trine.core.contract.lesson import Lesson
from trine.core.errors import TrineError
from trine.core.text.language import open_language
from trine.games import ROOMS, known_rules, open_room
from trine.house.lessons.messages import ExampleState, LessonState, Trial, Why
from trine.house.lessons.progress import Progress, ladder
from trine.house.lessons.trial import (
    boards_of,
    goal_cells,
    lesson_state,
    read_trial,
    solution_paths,
    still,
    still_scene,
)
from trine.house.people.tables import Person
from trine.house.web.boards import shape
from trine.house.web.frame import Frame
from trine.house.web.headers import AN_HOUR, FRESH, PICTURE, SVG, packed
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import asked_for

COST = 5
"""Units: credits of an address; the cost of a trial, answered with a whole view."""


def routes(frame: Frame[Person], progress: Progress) -> list[Route]:
    """The pages of lessons."""
    learn = _Learn(frame, progress)
    return [
        Route("/learn", learn.games),
        Route("/learn/{game}", learn.lessons),
        Route("/learn/{game}/ladder", learn.ladder),
        Route("/learn/{game}/{rules}", learn.lessons),
        Route("/learn/{game}/{rules}/board/{digest}", learn.board),
        Route("/learn/{game}/{rules}/{lesson}", learn.lesson),
        Route("/learn/{game}/{rules}/{lesson}/try", learn.attempt, methods=["POST"]),
        Route("/learn/{game}/{rules}/{lesson}/picture.svg", learn.picture),
    ]


class _Learn:
    """The answers to requests about lessons."""

    def __init__(self, frame: Frame[Person], progress: Progress) -> None:
        self._frame, self._progress = frame, progress

    async def games(self, request: Request) -> Response:
        person = await self._frame.person_of(request)
        return await self._show(
            request,
            "learn.html",
            richest=_richest(self._frame.language_of(request)),
            known=await self._progress.lessons(person),
            beaten=await self._progress.beaten(person),
        )

    async def ladder(self, request: Request) -> Response:
        """The ladder of levels of a game."""
        code = self._frame.language_of(request)
        room = open_room(request.path_params["game"])
        beaten = await self._progress.beaten(await self._frame.person_of(request))
        return await self._show(
            request,
            "ladder.html",
            room=room,
            rules=room.document(code).rules,
            rungs=ladder(beaten.get(room.name, set())),
        )

    async def lessons(self, request: Request) -> Response:
        """The lessons of a rule set."""
        room, rules = opened(request, self._frame.language_of(request))
        known = await self._progress.lessons(await self._frame.person_of(request))
        return await self._show(
            request,
            "lessons.html",
            room=room,
            rules=rules,
            lessons=room.lessons(rules),
            known=known,
        )

    async def lesson(self, request: Request) -> Response:
        """One lesson."""
        room, rules, lesson = _meant(request)
        lessons = room.lessons(rules)
        number = [one.name for one in lessons].index(lesson.name)
        language = open_language(self._frame.language_of(request))
        board = still_scene(room.name, rules, lesson.position).board
        state = lesson_state(
            room, rules, lesson, Trial(), goal_cells(room.name, rules, lesson.name)
        )
        assert isinstance(state, LessonState)
        return await self._show(
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
            arrows=solution_paths(room, rules, lesson),
            alt=language.say(state.view.alt),
            **shape(board),
        )

    async def attempt(self, request: Request) -> Response:
        """Answer with the result of an attempt."""
        room, rules, lesson = _meant(request)

        solved = False

        def judged(trial: Trial) -> LessonState | Why:
            nonlocal solved
            state = lesson_state(
                room, rules, lesson, trial, goal_cells(room.name, rules, lesson.name)
            )
            solved = isinstance(state, LessonState) and state.state == AttemptState.SOLVED.value
            return state

        answer = await answered(self._frame, request, judged)
        if solved and (person := await self._frame.person_of(request)):
            await self._progress.note(person, room.name, lesson.name)
        return answer

    async def picture(self, request: Request) -> Response:
        room, rules, lesson = _meant(request)
        return pictured(request, room.name, rules, lesson.position)

    async def board(self, request: Request) -> Response:
        """A board on which lessons and examples of a rule set stand."""
        room, rules = opened(request)
        digest = request.path_params["digest"]
        if digest not in self._frame.boards:
            for board in boards_of(room.name, rules):
                self._frame.boards.keep(board)
        return self._frame.boards.answer(request, digest)

    async def _show(self, request: Request, name: str, **about: Any) -> Response:
        return await self._frame.show(request, name, **about)


def opened(request: Request, language: str = "en") -> tuple[Room, str]:
    """Return the requested game and rule set; if none is named, that of a language's document.

    Raises:
        TrineError: there is none of the name.
    """
    room = open_room(request.path_params["game"])
    return room, known_rules(room, request.path_params.get("rules", room.document(language).rules))


@cache
def _richest(language: str) -> Mapping[str, Lesson]:
    """Return the lesson of each game with the longest position, for its picture."""
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


async def answered(
    frame: Frame[Person],
    request: Request,
    judged: Callable[[Trial], LessonState | ExampleState | Why],
) -> Response:
    """Return the answer to a trial; a refusal is a sentence under ``why``."""
    body = await frame.body_of(request, COST)
    language = open_language(frame.language_of(request))
    try:
        told, status = judged(read_trial(body)), HTTPStatus.OK
    except TrineError as error:
        told, status = Why(refusal_of(error).text), HTTPStatus.BAD_REQUEST
    plain = msgspec.json.encode(told, enc_hook=language.say)
    answer = packed(request, plain, "application/json", FRESH)
    answer.status_code = status
    return answer


def pictured(request: Request, game: str, rules: str, position: str) -> Response:
    drawn = still(game, rules, position, asked_for(request))
    return packed(request, drawn, SVG, AN_HOUR | PICTURE)
