"""First games for beginners: a page to play on at once; its first tap creates the game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.games import first_games
from trine.house.games.live import commands
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import CommandContext, NoGameError
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import LiveGame
from trine.house.games.storage.tables import SeatKind, SeatRow, Stage
from trine.house.games.view.game_page import GamePages
from trine.house.games.view.scenes import ViewerGroup, scene_after
from trine.house.games.view.snapshot import Snapshot, snapshot_of
from trine.house.games.view.views import whole_message
from trine.house.people.tables import Person
from trine.house.store.secrets import new_id
from trine.house.web.frame import Frame
from trine.house.web.visitors import preferences_of
from trine.play.session.seats import BOT

OPPONENT = SeatRow(SeatKind.BOT, f"{BOT}1")
OWN = frozenset({0})
"""The seat of the beginner."""


@cache
def agreement_on(name: str) -> Agreement:
    room, first = first_games()[name]
    return Agreement.make(room.name, first.rules, position=first.position, first=name)


def start_address(name: str) -> str:
    """Return the URL of a picture of the starting position of a first game."""
    room, first = first_games()[name]
    start = {"game": room.name, "rules": first.rules, "position": first.position}
    return f"/new/start.svg?{urlencode(start)}"


def seats_for(person_id: str | None) -> tuple[SeatRow, SeatRow]:
    """Return the seats: a beginner, named after the side, and a bot of the lowest level."""
    return SeatRow(SeatKind.PERSON, "", person_id), OPPONENT


def not_made(name: str, game_id: str = "") -> Snapshot:
    """Return a first game that is not stored, with the id for the stored game."""
    waiting = LiveGame(game_id, agreement_on(name), seats_for(None), Stage.WAITING)
    begun = commands.begin(waiting, CommandContext(0.0))
    assert begun
    return snapshot_of(begun.after)


@dataclass(frozen=True)
class FirstGamePages:
    """The routes of first games."""

    frame: Frame[Person]
    games: Games
    pages: GamePages

    def routes(self) -> list[Route]:
        return [
            Route("/first/{name}", self.page),
            Route("/first/{name}", self.begin, methods=["POST"]),
            Route("/first/{name}/board/{digest}", self.board),
        ]

    async def page(self, request: Request) -> Response:
        return await self.show(request, _meant(request))

    async def show(self, request: Request, name: str) -> Response:
        self.frame.charge(request, 5)
        language, pieces = self.frame.language(request), preferences_of(request).pieces
        snapshot = not_made(name, new_id())
        message = whole_message(snapshot, ViewerGroup(OWN, 0, language.code, pieces=pieces))
        return await self.pages.show(
            request,
            snapshot,
            OWN,
            begins=msgspec.json.encode(message, enc_hook=language.say).decode(),
            picture=start_address(name),
            boards=f"/first/{name}/board/{{}}",
        )

    async def begin(self, request: Request) -> Response:
        """Create the game with the id that the page has."""
        name, form = _meant(request), await self.frame.form_of(request)
        if not re.fullmatch("[0-9A-Za-z]{12}", form["game"]):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        token = ""
        try:
            await self.games.actor(form["game"])  # the form was sent twice
        except NoGameError:
            person, token = await self.frame.known(request, "")
            await self.games.admit(person)
            seats = seats_for(person.id)
            await self.games.create_with(agreement_on(name), seats, name=form["game"])
        there = RedirectResponse(f"/game/{form['game']}", 303)
        return self.frame.remember(request, there, token)

    async def board(self, request: Request) -> Response:
        name, digest = _meant(request), request.path_params["digest"]
        if digest not in self.frame.boards:
            snapshot = not_made(name)
            for pieces in ("", *snapshot.room.view.piece_sets):
                self.frame.boards.keep(scene_after(snapshot, 0, 0, pieces).board)
        return self.frame.boards.answer(request, digest)


def _meant(request: Request) -> str:
    name: str = request.path_params["name"]
    if name not in first_games():
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return name
