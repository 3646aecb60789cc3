"""The pages of tournaments, what is done there, and their sockets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.house.long_times import clock_told
from trine.house.refusals import NoGameError
from trine.store.people import Person
from trine.tournament.plan import Format
from trine.web import tournament_words, words
from trine.web.people_words import PEOPLE
from trine.web.refusing import refusal_of
from trine.web.tournament_form import choices, levels, read_announcement
from trine.web.tournament_socket import TournamentConnection
from trine.web.tournament_views import body, utc, view_of

if TYPE_CHECKING:
    from trine.web.site import Site

Act = Callable[[str, Person, dict[str, str]], Awaitable[None]]


def routes(site: Site) -> list[Route | WebSocketRoute]:
    """The routes of tournaments."""
    pages = _TournamentPages(site)
    acts = {
        "join": pages.join,
        "leave": pages.leave,
        "remove": pages.remove,
        "bot": pages.bot,
        "begin": pages.begin,
        "cancel": pages.cancel,
    }
    return [
        Route("/tournaments", pages.lists),
        Route("/tournaments/new", pages.new),
        Route("/tournaments", pages.create, methods=["POST"]),
        Route("/tournament/{id}", pages.tournament),
        *(
            Route(f"/tournament/{{id}}/{name}", pages.act(act), methods=["POST"])
            for name, act in acts.items()
        ),
        WebSocketRoute("/tournament/{id}/socket", pages.socket),
    ]


class _TournamentPages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def lists(self, request: Request) -> Response:
        site = self._site
        site.charge(request, 2)
        person = await site.person_of(request)
        code = site.language_of(request)
        return await site.show(
            request,
            "tournaments.html",
            lists=await site.house.tournaments.lists(person),
            tw=words.said(tournament_words.TOURNAMENT, code),
            people=words.said(PEOPLE, code),
            formats=tournament_words.FORMATS,
            stages=tournament_words.STAGES,
            clock=clock_told,
            utc=utc,
        )

    async def new(self, request: Request) -> Response:
        self._site.charge(request, 2)
        return await self._form(request, dict(request.query_params))

    async def _form(
        self,
        request: Request,
        chosen: dict[str, str],
        status: int = 200,
        refusal: TrineError | None = None,
    ) -> Response:
        site, code = self._site, self._site.language_of(request)
        return await site.show(
            request,
            "tournament_new.html",
            status,
            tw=words.said(tournament_words.TOURNAMENT, code),
            people=words.said(PEOPLE, code),
            refusal=refusal,
            posted=refusal is not None,
            bots=levels(),
            Format=Format,
            **choices(chosen),
        )

    async def create(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person, token = await self._site.known(request, "")
        try:
            wanted = read_announcement(form, self._site.house.now())
            name = await self._site.house.tournaments.create(person, wanted)
        except TrineError as error:
            return await self._form(request, form, HTTPStatus.BAD_REQUEST, refusal_of(error))
        there = RedirectResponse(f"/tournament/{name}", 303)
        return self._site.remember(request, there, token)

    async def tournament(self, request: Request) -> Response:
        self._site.charge(request, 3)
        return await self._show(request)

    async def _show(
        self, request: Request, status: int = 200, refusal: TrineError | None = None
    ) -> Response:
        site, code = self._site, self._site.language_of(request)
        state = await site.house.tournaments.read(request.path_params["id"])
        person = await site.person_of(request)
        return await site.show(
            request,
            "tournament.html",
            status,
            body=body(site.pages, state, person, code),
            refusal=refusal,
            **view_of(state, person, code),
        )

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> TournamentConnection:
            name = socket.path_params["id"]
            await self._site.house.tournaments.read(name)
            code = self._site.language_of(socket)
            return TournamentConnection(self._site, socket, person, code, name)

        await self._site.sockets.speak(socket, page)

    # --- what is done -----------------------------------------------------------------------------

    def act(self, act: Act) -> Callable[[Request], Awaitable[Response]]:
        """A form of the page of a tournament, which is shown again afterwards."""

        async def answer(request: Request) -> Response:
            form, name = await self._site.form_of(request), request.path_params["id"]
            person, token = await self._site.known(request, form.get("name", "").strip())
            try:
                await act(name, person, form)
            except NoGameError:
                raise
            except TrineError as error:
                return await self._show(request, HTTPStatus.CONFLICT, refusal_of(error))
            state = await self._site.house.tournaments.read(name)
            game = None if state.agreement.by_days else state.game_of(person.id)
            began = request.url.path.endswith("/begin") and game
            there = RedirectResponse(f"/game/{game}" if began else f"/tournament/{name}", 303)
            return self._site.remember(request, there, token)

        return answer

    async def join(self, name: str, person: Person, form: dict[str, str]) -> None:
        await self._site.house.tournaments.join(name, person)

    async def leave(self, name: str, person: Person, form: dict[str, str]) -> None:
        await self._site.house.tournaments.go(name, person)

    async def remove(self, name: str, person: Person, form: dict[str, str]) -> None:
        entry = form.get("entry", "")
        if entry.isascii() and entry.isdecimal() and len(entry) < 6:
            await self._site.house.tournaments.go(name, person, int(entry))

    async def bot(self, name: str, person: Person, form: dict[str, str]) -> None:
        await self._site.house.tournaments.add_bot(name, person, form.get("bot", ""))

    async def begin(self, name: str, person: Person, form: dict[str, str]) -> None:
        await self._site.house.tournaments.begin(name, person)

    async def cancel(self, name: str, person: Person, form: dict[str, str]) -> None:
        await self._site.house.tournaments.cancel(name, person)
