"""The pages of sent moments: visitors solve them without an account, and play on from there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.contract.attempt import AttemptState
from trine.core.text.language import open_language
from trine.engine.players.assessment import percent
from trine.engine.puzzles.exercise import exercise
from trine.engine.puzzles.puzzle import Puzzle
from trine.house.job_pool import JobPool
from trine.house.lessons.messages import LessonState, Trial
from trine.house.lessons.trial import still_scene
from trine.house.people.tables import read_person
from trine.house.puzzles.routes import PuzzlePages
from trine.house.puzzles.sent_moments import SentMoment, SentMoments, drop_moment, puzzle_in
from trine.house.web.headers import AN_HOUR
from trine.play.draw.svg import can_draw, draw_svg, png_of

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
            "name": sender.name if sender else "",
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
