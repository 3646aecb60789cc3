"""The pages of puzzles, of the moments of a game, and of sent moments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.contract.attempt import AttemptState
from trine.core.play import Play
from trine.core.text.language import Language, open_language
from trine.core.text.sentence import NOTHING, text
from trine.engine.players.assessment import percent
from trine.engine.puzzles.exercise import Answer, exercise, side_text, themes_text
from trine.engine.puzzles.puzzle import STAKES, Puzzle, theme_title
from trine.games import ROOMS, open_room
from trine.house.job_pool import JobPool
from trine.house.lessons.routes import ATTEMPT_COST, judge_attempt, picture_response
from trine.house.lessons.trial import Gestures, LessonState, Trial, Why, lesson_state, still_scene
from trine.house.people.tables import Person, read_person
from trine.house.puzzles.moments import (
    Moments,
    SentMoment,
    SentMoments,
    drop_moment,
    moments_of,
    puzzle_in,
)
from trine.house.puzzles.puzzles import (
    STRENGTHS,
    Puzzles,
    PuzzleStream,
    known_puzzles,
    puzzle_state,
    solution_of,
)
from trine.house.web.assets import shape
from trine.house.web.frame import Frame
from trine.house.web.headers import AN_HOUR
from trine.play.draw.svg import can_draw, draw_svg, png_of

SEARCHED: Final = 20  # credits of an address; the cost of a search for the answer to a turn


@dataclass(frozen=True)
class PuzzlePages:
    """The pages of puzzles."""

    frame: Frame[Person]
    puzzles: Puzzles
    moments: Moments

    def routes(self) -> list[Route]:
        return [
            Route("/puzzles", self.hall),
            Route("/puzzles/{game}/next", self.next),
            Route("/puzzles/{game}/{name}", self.puzzle),
            Route("/game/{id}/moments", self.first_moment),
            Route("/game/{id}/moments/{number:int}", self.moment),
            *self.board_routes("/puzzles/{game}/{name}"),
            *self.board_routes("/game/{id}/moments/{number:int}"),
        ]

    def board_routes(self, place: str) -> list[Route]:
        return [
            Route(f"{place}/try", self.attempt, methods=["POST"]),
            Route(f"{place}/solution", self.solution),
            Route(f"{place}/picture.svg", self.picture),
            Route(f"{place}/board/{{digest}}", self.board),
        ]

    async def hall(self, request: Request) -> Response:
        """Show each game's puzzle of the day, and its series of puzzles."""
        person, language = await self.frame.person_of(request), self.frame.language_of(request)
        games = [
            (open_room(name), daily, _series_sizes(name))
            for name in ROOMS
            if (daily := self.puzzles.daily(name, language))
        ]
        sent = await self.puzzles.store.fetch(moments_of, person.id) if person else []
        return await self.frame.show(
            request,
            "puzzles.html",
            games=games,
            standings=await self.puzzles.standings(person),
            sent=sent,
            theme_title=theme_title,
        )

    async def next(self, request: Request) -> Response:
        stream, after = _stream(request), request.query_params.get("after", "")
        person = await self.frame.person_of(request)
        if not stream.rules:
            code = self.frame.language_of(request)
            stream = await self.puzzles.usual(stream, person, code)
        puzzle = await self.puzzles.next(stream, person, after)
        if puzzle is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return RedirectResponse(f"{path_of(puzzle)}{_query(stream)}", 303)

    async def puzzle(self, request: Request) -> Response:
        puzzle, stream = await self._meant(request), _stream(request)
        following = path_after(puzzle, _query(stream))
        themes = [theme_title(puzzle.room, name) for name in (stream.theme,) if name]
        rating = await self.puzzles.rating(puzzle)
        return await self._show(request, puzzle, following, rating=rating, themes=themes)

    async def first_moment(self, request: Request) -> Response:
        """Redirect to the first moment of a game, or show the progress of its review."""
        game = request.path_params["id"]
        person = await self.frame.person_of(request)
        found = await self.moments.of(game, person, self._charge(request))
        if found.puzzles:
            return RedirectResponse(f"/game/{game}/moments/1", 303)
        return await self.frame.show(
            request,
            "moments.html",
            game=game,
            plays=await self.moments.seats_of(game, person),
            progress=found.progress,
            ready=found.ready,
        )

    async def moment(self, request: Request) -> Response:
        puzzle = await self._meant(request)
        game, number = request.path_params["id"], request.path_params["number"]
        person = await self.frame.person_of(request)
        count = len((await self.moments.of(game, person, self._charge(request))).puzzles)
        following = f"/game/{game}/moments/{number + 1}" if number < count else ""
        played = puzzle.tries[0][0]
        about = {
            "moment": (game, number, count),
            "plays": await self.moments.seats_of(game, person),
            "played": puzzle.written(played),
            "chances": [percent(chance) for chance in puzzle.chances],
        }
        return await self._show(request, puzzle, following, **about)

    async def attempt(self, request: Request) -> Response:
        async def judged(trial: Trial) -> LessonState | Why | Gestures:
            puzzle = await self._meant(request)
            state = await puzzle_state(puzzle, trial, partial(self._search, request, puzzle))
            if isinstance(state, LessonState):
                await self._note(request, puzzle, trial, state)
            return state

        return await judge_attempt(self.frame, request, judged)

    async def solution(self, request: Request) -> Response:
        self.frame.charge(request, ATTEMPT_COST)
        return self.frame.answer(request, solution_of(await self._meant(request)))

    async def picture(self, request: Request) -> Response:
        puzzle = await self._meant(request)
        return picture_response(request, puzzle.game, puzzle.rules, exercise(puzzle).position)

    async def board(self, request: Request) -> Response:
        boards, digest = self.frame.boards, request.path_params["digest"]
        if digest not in boards:
            puzzle = await self._meant(request)
            boards.keep(still_scene(puzzle.game, puzzle.rules, exercise(puzzle).position).board)
        return boards.answer(request, digest)

    async def _meant(self, request: Request) -> Puzzle:
        asked = request.path_params
        if "name" in asked:
            puzzle = known_puzzles().get(asked["name"])
            if puzzle and puzzle.game == asked["game"]:
                return puzzle
            raise HTTPException(HTTPStatus.NOT_FOUND)
        person = await self.frame.person_of(request)
        found = await self.moments.of(asked["id"], person, self._charge(request))
        if not 1 <= asked["number"] <= len(found.puzzles):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        number: int = asked["number"]
        return found.puzzles[number - 1]

    async def _show(
        self, request: Request, puzzle: Puzzle, following: str, **about: Any
    ) -> Response:
        language = self.frame.language(request)
        values = stage_values(puzzle, language, request.url.path, following)
        shown: dict[str, Any] = {"rating": 0, "themes": (), **values, **about}
        return await self.frame.show(request, "puzzle.html", **shown)

    async def _search(
        self, request: Request, puzzle: Puzzle, play: Play
    ) -> tuple[Answer, Sequence[str]] | None:
        self.frame.charge(request, SEARCHED)
        return await self.puzzles.answer(puzzle.start.mover, play)

    def _charge(self, request: Request) -> Callable[[float], None]:
        return partial(self.frame.charge, request)

    async def _note(
        self, request: Request, puzzle: Puzzle, trial: Trial, state: LessonState
    ) -> None:
        """Rate an account's first attempt; an attempt with a hint counts as not solved."""
        if state.state == AttemptState.OPEN.value or "name" not in request.path_params:
            return
        person = await self.frame.person_of(request)
        if not person or not person.has_account:
            return
        solved = state.state == AttemptState.SOLVED.value and not trial.helped
        if tried := await self.puzzles.note(person, puzzle, solved):
            now, before = tried.after.rating, tried.before.rating if tried.before else 1500.0
            state.rated = text(
                "your rating: {rating} ({change})",
                rating=round(now),
                change=f"{round(now) - round(before):+d}",
            )


def stage_values(puzzle: Puzzle, language: Language, place: str, following: str) -> dict[str, Any]:
    """Return the template values of a puzzle's live board.

    ``place`` is the path of the puzzle, ``following`` that of the next one; empty for none.
    """
    lesson = exercise(puzzle)
    state = lesson_state(puzzle.room, puzzle.rules, lesson, Trial())
    assert isinstance(state, LessonState)
    return {
        "moment": None,
        "sent": None,
        "puzzle": puzzle,
        "lesson": lesson,
        "place": place,
        "following": following,
        "hints": [language.say(hint) for hint in lesson.hints],
        "told_themes": themes_text(puzzle),
        "side_text": side_text,
        "state": msgspec.json.encode(state, enc_hook=language.say).decode(),
        "alt": language.say(state.view.alt),
        **shape(still_scene(puzzle.game, puzzle.rules, lesson.position).board),
    }


def path_of(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.game}/{puzzle.name}"


def path_after(puzzle: Puzzle, query: str = "") -> str:
    """Return the path of the puzzle after this one in a series, given as a query."""
    return f"/puzzles/{puzzle.game}/next{query}{'&' if query else '?'}after={puzzle.name}"


def _stream(request: Request) -> PuzzleStream:
    asked, game = request.query_params, request.path_params["game"]
    room = open_room(game)
    rules, theme, strength = (asked.get(name, "") for name in ("rules", "theme", "strength"))
    known = {"", *room.rule_sets}, {"", *STAKES, *room.handbook.themes}, {"", *STRENGTHS}
    if any(one not in of for one, of in zip((rules, theme, strength), known, strict=True)):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return PuzzleStream(game, rules, theme, strength)


def _query(stream: PuzzleStream) -> str:
    asked = {"rules": stream.rules, "theme": stream.theme, "strength": stream.strength}
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"?{query}" if query else ""


def _series_sizes(game_name: str) -> dict[str, dict[str, int]]:
    """Return the number of puzzles in each series of a game: by theme, strength and rule set."""
    room = open_room(game_name)
    known = {
        "theme": [*STAKES, *room.handbook.themes],
        "strength": STRENGTHS,
        "rules": room.rule_sets,
    }
    return {
        what: {
            name: count
            for name in names
            if (count := len(PuzzleStream(game_name, **{what: name}).puzzles))
        }
        for what, names in known.items()
    }


PLACE = "/moment/{id}"


@dataclass(frozen=True)
class SentMomentPages(PuzzlePages):
    """The pages of sent moments."""

    sent: SentMoments
    helpers: JobPool

    def routes(self) -> list[Route]:
        return [
            Route("/game/{id}/moments/send", self.send, methods=["POST"]),
            Route(PLACE, self.puzzle),
            Route(f"{PLACE}/delete", self.delete, methods=["POST"]),
            *([Route(f"{PLACE}/picture.png", self.preview)] if can_draw() else []),
            *self.board_routes(PLACE),
        ]

    async def send(self, request: Request) -> Response:
        """Send a player's costliest moment, or the chosen one, once the game is reviewed."""
        form, game = await self.frame.form_of(request), request.path_params["id"]
        person = await self.frame.person_of(request)
        number = int(form["number"]) if form["number"] in {"1", "2", "3"} else 1
        sent = await self.sent.send(game, number, person, self._charge(request))
        return RedirectResponse(f"/moment/{sent}" if sent else f"/game/{game}/moments", 303)

    async def puzzle(self, request: Request) -> Response:
        moment = await self._moment(request)
        puzzle = puzzle_in(moment.record)
        person = await self.frame.person_of(request)
        sender = await self.sent.store.fetch(read_person, moment.owner)
        base = self.frame.origins.origin_of(request.headers, request.url.scheme)
        start = {"game": puzzle.game, "rules": puzzle.rules, "position": exercise(puzzle).position}
        side = {"side": puzzle.start.mover}
        about: dict[str, Any] = {
            "about": moment,
            "own": person is not None and person.id == moment.owner,
            "name": sender.display_name if sender else NOTHING,
            "link": f"{base}/moment/{moment.id}",
            "onward": f"/new?{urlencode(start | side)}",
            "played": puzzle.written(puzzle.tries[0][0]),
            "better": puzzle.written(puzzle.line[0]),
            "chances": [percent(chance) for chance in puzzle.chances],
        }
        return await self._show(request, puzzle, "", sent=about)

    async def delete(self, request: Request) -> Response:
        await self.frame.form_of(request)
        if person := await self.frame.person_of(request):
            await self.sent.store.commit(drop_moment, request.path_params["id"], person.id)
        return RedirectResponse("/puzzles", 303)

    async def preview(self, request: Request) -> Response:
        """Return the picture that messengers show beside the link."""
        self.frame.charge(request, 40)
        puzzle = await self._meant(request)
        scene = still_scene(puzzle.game, puzzle.rules, exercise(puzzle).position)
        picture = draw_svg(scene, language=open_language("en"))
        key, address = sha256(picture.encode()).digest(), self.frame.address_of(request)
        drawn = await self.helpers.run_cached(address, key, partial(png_of, picture))
        return Response(drawn, headers=AN_HOUR, media_type="image/png")

    async def _moment(self, request: Request) -> SentMoment:
        return await self.sent.one(request.path_params["id"])

    async def _meant(self, request: Request) -> Puzzle:
        return puzzle_in((await self._moment(request)).record)

    async def _note(
        self, request: Request, puzzle: Puzzle, trial: Trial, state: LessonState
    ) -> None:
        """Count a visitor's attempt; the sender's own attempts do not count."""
        if state.state == AttemptState.OPEN.value:
            return
        person, moment = await self.frame.person_of(request), await self._moment(request)
        if person and person.id == moment.owner:
            return
        solved = state.state == AttemptState.SOLVED.value and not trial.helped
        visitor = person.id if person else self.frame.address_of(request)
        await self.sent.note(moment.id, visitor, solved=solved)
