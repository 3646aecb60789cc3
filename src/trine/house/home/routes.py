"""The home page: a first game for beginners, against the computer; for others, their games.

A first game can be played at once; the house stores it after the person's first tap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.sentence import Text, text
from trine.engine.puzzles.puzzle import Puzzle
from trine.games import ROOMS, first_games
from trine.house.games.live import commands
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import CommandContext
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import LiveGame, NoGameError
from trine.house.games.storage.own_games import OwnGames, Running
from trine.house.games.storage.tables import SeatKind, SeatRow, Stage, games_of
from trine.house.games.view.game_page import GamePages
from trine.house.games.view.scenes import ViewerGroup, scene_after
from trine.house.games.view.snapshot import Snapshot, snapshot_of
from trine.house.games.view.views import whole_message
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import strength
from trine.house.lobby.new_game import game_pictures
from trine.house.people.tables import Person
from trine.house.puzzles.routes import path_after, path_of, stage_values
from trine.house.search.search import Search
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.visitors import preferences_of
from trine.play.session.seats import BOT


def _onward(
    person: Person | None, own: Sequence[Running], begun: Set[str | None]
) -> tuple[str, str, Text]:
    """Return the next step for a person: a game to move in, a first game, or a new game.

    Returns: the path of the page, the path of a picture, and the words; ``begun`` are the names of
        the first games that the person has begun.
    """
    if own and own[0].to_move:
        game = own[0].game
        seat = [person and row.person == person.id for row in own[0].seats].index(True)
        return (f"/game/{game}", f"/game/{game}/picture.svg?seat={seat}", text("Continue"))
    for name, (_, first) in first_games().items():
        if name not in begun:
            return (f"/first/{name}", start_address(name), first.invitation)
    return ("/new", f"/new/start.svg?game={ROOMS[0]}", text("New game"))


@dataclass(frozen=True)
class HomePages:
    """The routes of the home page."""

    frame: Frame[Person]
    store: Store
    games: Games
    own_games: OwnGames
    first_games: FirstGamePages
    challenges: Challenges
    elsewhere: Callable[[], Sequence[Snapshot]]
    """A function that returns the games to watch in other processes."""
    daily: Callable[[str, str], Puzzle | None]
    """A function that returns the puzzle of the day for a game."""
    search: Search

    def routes(self) -> list[Route]:
        return [
            Route("/", self.home),
            Route("/next", self.next),
            Route("/name", self.rename, methods=["POST"]),
        ]

    async def home(self, request: Request) -> Response:
        """Return the first game, or, for a person who has played, an overview of games."""
        person = await self.frame.person_of(request)
        played = await self.store.fetch(games_of, person.id) if person else []
        challenges = self.challenges.of(person.id if person else None)
        if not (played or challenges):
            return await self.first_games.show(request, next(iter(first_games())))
        listed = [*self.games.listed, *self.elsewhere()]
        listed.sort(key=lambda snapshot: (-strength(snapshot), -snapshot.at))
        own = await self.own_games.of(person)
        language = self.frame.language(request)
        daily = self.daily(played[0].room, language.code) if played else None
        puzzle = None if own and own[0].to_move else daily
        wish = {"mine": "1", "result": "over"}
        finished, _ = await self.search.games(wish, person) if person else ((), "")
        stage: dict[str, Any] = {"puzzle": None}
        if puzzle:
            stage = stage_values(puzzle, language, path_of(puzzle), path_after(puzzle))
        return await self.frame.show(
            request,
            "home.html",
            games=listed[:20],
            own=own,
            onward=_onward(person, own, {row.terms.get("first") for row in played}),
            daily=daily,
            finished=finished[:3],
            challenges=challenges,
            home=True,
            game_pictures=game_pictures(language.code),
            **stage,
        )

    async def next(self, request: Request) -> Response:
        """Redirect to the most urgent game where the person is to move."""
        self.frame.charge(request, 5)
        person = await self.frame.person_of(request)
        game = await self.own_games.next_to_move(person, request.query_params.get("but", ""))
        return RedirectResponse(f"/game/{game}" if game else "/", 303)

    async def rename(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        _, token = await self.frame.known(request, form.get("name", ""))
        return self.frame.remember(request, RedirectResponse("/", 303), token)


OPPONENT = SeatRow(SeatKind.BOT, f"{BOT}1")
OWN = frozenset({0})  # the seat of the beginner


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
