"""The pages of the house: its home, a new game, an invitation."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.language import LANGUAGES
from trine.core.text import text
from trine.games import ROOMS, known_rules, open_room
from trine.house.refusals import HouseError
from trine.web import words
from trine.web.headers import FOR_EVER, FRESH, PICTURE, SVG, packed
from trine.web.offer import offers, picture_of, read_offer, start_picture
from trine.web.people_words import PEOPLE
from trine.web.program_words import CHALLENGES
from trine.web.refusing import refusal_of
from trine.web.visitors import LANGUAGE, SECURE, YEAR

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of these pages."""
    pages = _HousePages(site)
    return [
        Route("/", pages.home),
        Route("/show", pages.show),
        Route("/next", pages.next),
        Route("/new", pages.new),
        Route("/new", pages.create, methods=["POST"]),
        Route("/new/start.svg", pages.start),
        Route("/new/{digest}/{game}/{rules}.svg", pages.differs),
        Route("/name", pages.rename, methods=["POST"]),
        Route("/language/{code}", pages.speak),
        Route("/join/{token}", pages.invitation),
        Route("/join/{token}", pages.join, methods=["POST"]),
    ]


class _HousePages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def home(self, request: Request) -> Response:
        listed = [
            host.snapshot
            for host in self._site.house.hosts
            if host.agreement.listed and not host.snapshot.over and host.snapshot.state
        ]
        listed += self._site.house.others.live
        listed.sort(key=lambda snapshot: -snapshot.at)
        on = self._site.house.show.running()
        person = await self._site.person_of(request)
        return await self._site.show(
            request,
            "home.html",
            games=listed[:20],
            own=await self._site.house.games_of(person),
            people=words.said(PEOPLE, self._site.language_of(request)),
            challenges=self._site.house.challenges.of(person.id if person else None),
            me=person,
            home=True,
            told=words.said(CHALLENGES, self._site.language_of(request)),
            on=on.snapshot if on and len(on.snapshot.written) > 1 else None,
            pictures={name: picture_of(name, open_room(name).default_rules)[0] for name in ROOMS},
        )

    async def show(self, request: Request) -> Response:
        """Say which game is on; one is begun where there is none."""
        self._site.charge(request, 20)
        host = await self._site.house.show.game()
        title = words.colon(host.snapshot.room.title, self._site.language_of(request))
        return JSONResponse({"game": host.id, "title": title}, headers=FRESH)

    async def next(self, request: Request) -> Response:
        """Lead to the game in which it is one's turn."""
        self._site.charge(request, 5)
        person = await self._site.person_of(request)
        game = await self._site.house.next_game(person, request.query_params.get("but", ""))
        return RedirectResponse(f"/game/{game}" if game else "/", 303)

    async def new(self, request: Request) -> Response:
        self._site.charge(request, 5)
        return await self._show_new(request, dict(request.query_params))

    async def _show_new(
        self, request: Request, chosen: dict[str, str], refusal: TrineError | None = None
    ) -> Response:
        about = {"query": urlencode(chosen) or f"game={ROOMS[0]}", **offers(chosen)}
        if refusal:
            about["refused"] = refusal
        status = HTTPStatus.BAD_REQUEST if refusal else HTTPStatus.OK
        return await self._site.show(request, "new.html", status, **about)

    async def start(self, request: Request) -> Response:
        """The picture of a start."""
        self._site.charge(request, 5)
        chosen, language = dict(request.query_params), self._site.language_of(request)
        return Response(start_picture(chosen, language), 200, FRESH | PICTURE, SVG)

    async def differs(self, request: Request) -> Response:
        """The picture of what differs in a rule set."""
        room = open_room(request.path_params["game"])
        digest, picture = picture_of(room.name, known_rules(room, request.path_params["rules"]))
        if digest != request.path_params["digest"]:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return packed(request, picture, SVG, FOR_EVER | PICTURE)

    async def create(self, request: Request) -> Response:
        given = await self._site.form_of(request)
        try:
            agreement, wishes = read_offer(given)
            person, token = await self._site.known(request, given.get("name", "").strip())
            game, links = await self._site.house.create(agreement, wishes, person)
        except TrineError as error:
            if "rated" not in given:
                raise
            return await self._show_new(request, given, refusal_of(error))
        target = f"/game/{game}"
        if links:
            target += f"?invite={'.'.join(links.values())}"
        return self._site.remember(request, RedirectResponse(target, 303), token)

    async def rename(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        _, token = await self._site.known(request, form.get("name", ""))
        return self._site.remember(request, RedirectResponse("/", 303), token)

    async def speak(self, request: Request) -> Response:
        code = request.path_params["code"]
        if code not in LANGUAGES:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        back = request.query_params.get("back", "/")
        safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
        response = RedirectResponse(safe, 303)
        secure = request.url.scheme in SECURE
        response.set_cookie(LANGUAGE, code, max_age=YEAR, samesite="lax", secure=secure)
        return response

    async def invitation(self, request: Request) -> Response:
        self._site.charge(request, 5)
        found = await self._site.house.invited_to(request.path_params["token"])
        if not found:
            raise HouseError(text("this link leads nowhere; ask for a new one"))
        host, seat = found
        return await self._site.show(
            request, "join.html", snapshot=host.snapshot, seat=seat, clocks=words.CLOCKS
        )

    async def join(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        await self._site.house.invited_to(request.path_params["token"])  # before a guest is made
        person, token = await self._site.known(request, form.get("name", "").strip())
        game = await self._site.house.join(request.path_params["token"], person)
        return self._site.remember(request, RedirectResponse(f"/game/{game}", 303), token)
