"""The page on which a new game is chosen, its pictures, and what is chosen there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.games import ROOMS, known_rules, open_room
from trine.house.games.agreement import Agreement
from trine.house.games.games import Games
from trine.house.games.level_ratings import level_of
from trine.house.games.seat_rows import last_opponents
from trine.house.games.views import places_of
from trine.house.lobby.new_game import offers, read_offer, start_picture
from trine.house.lobby.pictures import picture_of, token
from trine.house.people.person_rows import Person
from trine.house.people.presses import Led, Presses
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.headers import FOR_EVER, FRESH, PICTURE, SVG, packed
from trine.house.web.refusing import refusal_of

FIRST_LEVEL: Final = 2
"""The level for a first game."""
PLACES: Final = ("below", "left", "above", "right")


def routes(frame: Frame[Person], store: Store, games: Games, presses: Presses) -> list[Route]:
    """The routes of new games."""
    pages = _NewGamePages(frame, store, games, presses)
    return [
        Route("/new", pages.new),
        Route("/new", pages.create, methods=["POST"]),
        Route("/new/start.svg", pages.start),
        Route("/new/{digest}/{game}/{rules}.svg", pages.differs),
    ]


class _NewGamePages:
    def __init__(self, frame: Frame[Person], store: Store, games: Games, presses: Presses) -> None:
        self._frame, self._store, self._games, self._presses = frame, store, games, presses

    async def new(self, request: Request) -> Response:
        self._frame.charge(request, 5)
        return await self._show_new(request, dict(request.query_params))

    async def _show_new(
        self, request: Request, chosen: dict[str, str], refusal: TrineError | None = None
    ) -> Response:
        about = {"token": token, **offers(chosen, self._frame.language_of(request))}
        room, seats = about["room"], about["seats"]
        start = {"game": room.name, "rules": about["rules"]} if about["refused"] else chosen
        about["query"] = urlencode(start) or f"game={ROOMS[0]}"
        about["places"] = [PLACES[place] for place in places_of(room, seats)]
        person = await self._frame.person_of(request)
        about["before"] = await self._level_before(person, room.name)
        about["recommended"] = about["before"] or FIRST_LEVEL
        about["refusal"] = None if about["refused"] else refusal
        status = HTTPStatus.BAD_REQUEST if refusal else HTTPStatus.OK
        return await self._frame.show(request, "new.html", status, **about)

    async def _level_before(self, person: Person | None, game: str) -> int | None:
        """Return the level that a person has played last; None for none."""
        bots = await self._store.fetch(last_opponents, person.id, game) if person else []
        return next((level for bot in bots if (level := level_of(bot))), None)

    async def start(self, request: Request) -> Response:
        """The picture of a start."""
        self._frame.charge(request, 5)
        chosen, language = dict(request.query_params), self._frame.language_of(request)
        return Response(start_picture(chosen, language), 200, FRESH | PICTURE, SVG)

    async def differs(self, request: Request) -> Response:
        """The picture of what differs in a rule set."""
        room = open_room(request.path_params["game"])
        digest, picture = picture_of(room.name, known_rules(room, request.path_params["rules"]))
        if digest != request.path_params["digest"]:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return packed(request, picture, SVG, FOR_EVER | PICTURE)

    async def create(self, request: Request) -> Response:
        given = await self._frame.form_of(request)
        try:
            agreement, wishes = read_offer(given)
            before = await self._frame.person_of(request)
            led = await self._presses.once(
                given, before, partial(self._create, request, given, agreement, wishes)
            )
        except TrineError as error:
            return await self._show_new(request, given, refusal_of(error))
        return self._frame.remember(request, RedirectResponse(led.path, 303), led.token)

    async def _create(
        self,
        request: Request,
        given: Mapping[str, str],
        agreement: Agreement,
        wishes: Sequence[str],
    ) -> Led:
        """Create a game; return the path of its page, with the links to its seats."""
        person, token = await self._frame.known(request, given.get("name", "").strip())
        game, links = await self._games.create(agreement, wishes, person)
        path = f"/game/{game}" + (f"?invite={'.'.join(links.values())}" if links else "")
        return Led(path, token)
