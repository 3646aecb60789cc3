"""The pages of lessons: the games, the lessons of a rule set, and one with its board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.doors import Room
from trine.core.errors import TrineError
from trine.core.language import Language, open_language
from trine.core.lesson import Lesson
from trine.games import ROOMS, known_rules, open_room
from trine.web import words
from trine.web.headers import AN_HOUR, FRESH, PICTURE, SVG, packed
from trine.web.learn_words import LEARN
from trine.web.stills import boards_of, shape, still, still_scene
from trine.web.trial import Trial, lesson_data, read_trial
from trine.web.visitors import asked_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from trine.web.site import Site

COST = 5
"""Units: credits of an address; a trial is answered with a whole view."""


def routes(site: Site) -> list[Route]:
    """The pages of lessons."""
    learn = _Learn(site)
    return [
        Route("/learn", learn.games),
        Route("/learn/{game}", learn.lessons),
        Route("/learn/{game}/{rules}", learn.lessons),
        Route("/learn/{game}/{rules}/board/{digest}", learn.board),
        Route("/learn/{game}/{rules}/{lesson}", learn.lesson),
        Route("/learn/{game}/{rules}/{lesson}/try", learn.attempt, methods=["POST"]),
        Route("/learn/{game}/{rules}/{lesson}/picture.svg", learn.picture),
    ]


class _Learn:
    """The answers to requests about lessons."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def games(self, request: Request) -> Response:
        """All games."""
        return await self._show(request, "learn.html", richest=_richest())

    async def lessons(self, request: Request) -> Response:
        """The lessons of a rule set."""
        room, rules = opened(request)
        return await self._show(
            request, "lessons.html", room=room, rules=rules, lessons=room.lessons(rules)
        )

    async def lesson(self, request: Request) -> Response:
        """One lesson."""
        room, rules, lesson = _meant(request)
        lessons = room.lessons(rules)
        number = [one.name for one in lessons].index(lesson.name)
        language = open_language(self._site.language_of(request))
        board = still_scene(room.name, rules, lesson.position).board
        state = lesson_data(room, rules, lesson, Trial(), language)
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
            state=msgspec.json.encode(state).decode(),
            alt=state["view"]["alt"],
            **shape(board),
        )

    async def attempt(self, request: Request) -> Response:
        """The result of an attempt."""
        room, rules, lesson = _meant(request)

        def judged(trial: Trial, language: Language) -> dict[str, Any]:
            return lesson_data(room, rules, lesson, trial, language)

        return await answered(self._site, request, judged)

    async def picture(self, request: Request) -> Response:
        """The position of a lesson."""
        room, rules, lesson = _meant(request)
        return pictured(self._site, request, room.name, rules, lesson.position)

    async def board(self, request: Request) -> Response:
        """A board on which lessons and examples of a rule set stand."""
        room, rules = opened(request)
        digest = request.path_params["digest"]
        if digest not in self._site.boards:
            for board in boards_of(room.name, rules):
                self._site.boards.keep(board)
        return self._site.boards.answer(request, digest)

    async def _show(self, request: Request, name: str, **about: Any) -> Response:
        return await self._site.show(
            request, name, learn=words.said(LEARN, self._site.language_of(request)), **about
        )


def opened(request: Request) -> tuple[Room, str]:
    """The game and the rule set that are asked for.

    Raises:
        TrineError: there is none of the name.
    """
    room = open_room(request.path_params["game"])
    return room, known_rules(room, request.path_params.get("rules", room.default_rules))


@cache
def _richest() -> Mapping[str, Lesson]:
    """Return the lesson of each game that has the most to be seen, for its picture."""
    rooms = map(open_room, ROOMS)
    return {
        room.name: max(room.lessons(room.default_rules), key=lambda one: len(one.position))
        for room in rooms
    }


def _meant(request: Request) -> tuple[Room, str, Lesson]:
    room, rules = opened(request)
    for lesson in room.lessons(rules):
        if lesson.name == request.path_params["lesson"]:
            return room, rules, lesson
    raise HTTPException(HTTPStatus.NOT_FOUND)


async def answered(
    site: Site, request: Request, judged: Callable[[Trial, Language], dict[str, Any]]
) -> Response:
    """The result of a trial; a refusal is a sentence under ``why``."""
    body = await site.body_of(request, COST)
    language = open_language(site.language_of(request))
    try:
        data, status = judged(read_trial(body), language), HTTPStatus.OK
    except TrineError as error:
        data, status = {"why": language.say(error.text)}, HTTPStatus.BAD_REQUEST
    answer = packed(request, msgspec.json.encode(data), "application/json", FRESH)
    answer.status_code = status
    return answer


def pictured(site: Site, request: Request, game: str, rules: str, position: str) -> Response:
    """A position as a picture."""
    drawn = still(game, rules, position, asked_for(request))
    return packed(request, drawn, SVG, AN_HOUR | PICTURE)
