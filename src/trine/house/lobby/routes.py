"""The home page, and the pages and forms of new games and challenges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.language import open_language
from trine.core.text.typed import name_in
from trine.games import ROOMS, known_rules, open_room
from trine.house.games.agreement import Agreement
from trine.house.games.games import Games
from trine.house.games.level_ratings import level_of
from trine.house.games.own_games import OwnGames
from trine.house.games.snapshot import Snapshot
from trine.house.games.tables import last_opponents
from trine.house.games.views import places_of
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import strength
from trine.house.lobby.new_game import (
    offers,
    picture_of,
    read_offer,
    read_seek,
    start_picture,
    token,
)
from trine.house.lobby.show import Show
from trine.house.people.accounts import Accounts
from trine.house.people.idempotency import IdempotencyKeys, Led
from trine.house.people.tables import Account, Person
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.headers import FOR_EVER, FRESH, PICTURE, SVG, packed
from trine.house.web.refusing import refusal_of

FIRST_LEVEL: Final = 2
"""The level for a first game."""
PLACES: Final = ("below", "left", "above", "right")


@dataclass(frozen=True)
class HomePages:
    """The routes of the home page."""

    frame: Frame[Person]
    games: Games
    own_games: OwnGames
    show_game: Show
    challenges: Challenges
    elsewhere: Callable[[], Sequence[Snapshot]]
    """Has the games to watch that other processes play."""

    def routes(self) -> list[Route]:
        return [
            Route("/", self.home),
            Route("/show", self.show),
            Route("/next", self.next),
            Route("/name", self.rename, methods=["POST"]),
        ]

    async def home(self, request: Request) -> Response:
        listed = [
            host.snapshot
            for host in self.games.hosts
            if host.agreement.listed and not host.snapshot.over and host.snapshot.state
        ]
        listed += self.elsewhere()
        listed.sort(key=lambda snapshot: (-strength(snapshot), -snapshot.at))
        on = self.show_game.running()
        person = await self.frame.person_of(request)
        language = self.frame.language_of(request)
        rules = {name: open_room(name).document(language).rules for name in ROOMS}
        return await self.frame.show(
            request,
            "home.html",
            games=listed[:20],
            own=await self.own_games.of(person),
            challenges=self.challenges.of(person.id if person else None),
            me=person,
            home=True,
            on=on.snapshot if on and len(on.snapshot.written) > 1 else None,
            rules=rules,
            documents=[
                room
                for room in map(open_room, ROOMS)
                if any(document.language == language for document in room.book.documents)
            ],
            pictures={name: picture_of(name, rules[name])[0] for name in ROOMS},
        )

    async def show(self, request: Request) -> Response:
        """Answer with the game that is on show; begin one if there is none."""
        self.frame.charge(request, 20)
        host = await self.show_game.game()
        language = open_language(self.frame.language_of(request))
        title = language.colon(name_in(language, host.snapshot.room.title))
        return JSONResponse({"game": host.id, "title": title}, headers=FRESH)

    async def next(self, request: Request) -> Response:
        """Redirect to the next game in which it is the person's turn."""
        self.frame.charge(request, 5)
        person = await self.frame.person_of(request)
        game = await self.own_games.next_to_move(person, request.query_params.get("but", ""))
        return RedirectResponse(f"/game/{game}" if game else "/", 303)

    async def rename(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        _, token = await self.frame.known(request, form.get("name", ""))
        return self.frame.remember(request, RedirectResponse("/", 303), token)


@dataclass(frozen=True)
class NewGamePages:
    """The routes of the page on which a game is made."""

    frame: Frame[Person]
    store: Store
    games: Games
    idempotency_keys: IdempotencyKeys

    def routes(self) -> list[Route]:
        return [
            Route("/new", self.new),
            Route("/new", self.create, methods=["POST"]),
            Route("/new/start.svg", self.start),
            Route("/new/{digest}/{game}/{rules}.svg", self.differs),
        ]

    async def new(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        return await self._show_new(request, dict(request.query_params))

    async def _show_new(
        self, request: Request, chosen: dict[str, str], refusal: TrineError | None = None
    ) -> Response:
        about = {"token": token, **offers(chosen, self.frame.language_of(request))}
        room, seats = about["room"], about["seats"]
        start = {"game": room.name, "rules": about["rules"]} if about["refused"] else chosen
        about["query"] = urlencode(start) or f"game={ROOMS[0]}"
        about["places"] = [PLACES[place] for place in places_of(room, seats)]
        person = await self.frame.person_of(request)
        about["before"] = await self._level_before(person, room.name)
        about["recommended"] = about["before"] or FIRST_LEVEL
        about["refusal"] = None if about["refused"] else refusal
        status = HTTPStatus.BAD_REQUEST if refusal else HTTPStatus.OK
        return await self.frame.show(request, "new.html", status, **about)

    async def _level_before(self, person: Person | None, game: str) -> int | None:
        """Return the level that a person has played last; None for none."""
        bots = await self.store.fetch(last_opponents, person.id, game) if person else []
        return next((level for bot in bots if (level := level_of(bot))), None)

    async def start(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        chosen, language = dict(request.query_params), self.frame.language_of(request)
        return Response(start_picture(chosen, language), 200, FRESH | PICTURE, SVG)

    async def differs(self, request: Request) -> Response:
        room = open_room(request.path_params["game"])
        digest, picture = picture_of(room.name, known_rules(room, request.path_params["rules"]))
        if digest != request.path_params["digest"]:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return packed(request, picture, SVG, FOR_EVER | PICTURE)

    async def create(self, request: Request) -> Response:
        given = await self.frame.form_of(request)
        try:
            agreement, wishes = read_offer(given)
            before = await self.frame.person_of(request)
            led = await self.idempotency_keys.once(
                given, before, partial(self._create, request, given, agreement, wishes)
            )
        except TrineError as error:
            return await self._show_new(request, given, refusal_of(error))
        return self.frame.remember(request, RedirectResponse(led.path, 303), led.token)

    async def _create(
        self,
        request: Request,
        given: Mapping[str, str],
        agreement: Agreement,
        wishes: Sequence[str],
    ) -> Led:
        """Create a game; return the path of its page, with the links to its seats."""
        person, token = await self.frame.known(request, given.get("name", "").strip())
        game, links = await self.games.create(agreement, wishes, person)
        path = f"/game/{game}" + (f"?invite={'.'.join(links.values())}" if links else "")
        return Led(path, token)


@dataclass(frozen=True)
class ChallengePages:
    """The routes of challenges."""

    frame: Frame[Person]
    challenges: Challenges
    accounts: Accounts
    idempotency_keys: IdempotencyKeys

    def routes(self) -> list[Route]:
        return [
            Route("/challenge/{name}", self.form),
            Route("/challenge/{name}", self.open, methods=["POST"]),
            Route("/challenges/{id}/accept", self.accept, methods=["POST"]),
            Route("/challenges/{id}/refuse", self.refuse, methods=["POST"]),
        ]

    async def _account(self, request: Request) -> Account:
        """Return the account to challenge.

        Raises:
            HTTPException: there is none.
        """
        self.frame.charge(request, 5)
        account = await self.accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return account

    async def form(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params), await self._account(request))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        account: Account,
        status: int = 200,
        refusal: TrineError | None = None,
    ) -> Response:
        person = await self.frame.person_of(request)
        return await self.frame.show(
            request,
            "challenge.html",
            status,
            account=account,
            may=person is not None and person.has_account,
            refusal=refusal,
            posted=refusal is not None,
            **offers(chosen, self.frame.language_of(request)),
        )

    async def open(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        account = await self._account(request)
        try:
            agreement, side = read_seek(form, listed=False)
            person = await self._known(request)
            await self.idempotency_keys.once(
                form, person, partial(self._open, person, account, agreement, side)
            )
        except TrineError as error:
            return await self._show(
                request, form, account, HTTPStatus.BAD_REQUEST, refusal_of(error)
            )
        return RedirectResponse("/lobby", 303)

    async def _open(
        self, person: Person, account: Account, agreement: Agreement, side: int | None
    ) -> Led:
        await self.challenges.open(person, account, agreement, side)
        return Led("/lobby")

    async def _known(self, request: Request) -> Person:
        person = await self.frame.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return person

    async def accept(self, request: Request) -> Response:
        await self.frame.form_of(request)
        person = await self._known(request)
        game = await self.challenges.accept(request.path_params["id"], person)
        return RedirectResponse(f"/game/{game}", 303)

    async def refuse(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        person = await self._known(request)
        try:
            await self.challenges.refuse(request.path_params["id"], person)
        except TrineError as error:
            refusal_of(error)  # it is gone, as was wished
        return RedirectResponse("/" if form.get("back") == "home" else "/lobby", 303)
