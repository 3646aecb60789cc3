"""The pages of tournaments, their forms and their sockets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.house.games.view.game_choices import clock_text
from trine.house.people.idempotency import Finish, FormOutcome, IdempotencyKeys
from trine.house.people.tables import Person
from trine.house.refusals import NotFoundError
from trine.house.tournaments import tournament_views
from trine.house.tournaments.tables import TournamentState
from trine.house.tournaments.tournaments import Tournaments
from trine.house.web.frame import Form, Frame
from trine.house.web.messages import Go, Ping, Sent, write_message
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of
from trine.house.web.socket import ListeningSocket
from trine.play.tournament.tournament import TournamentFormat

Act = Callable[[str, Person, Form], Awaitable[None]]


class TournamentLists(Sent, tag="tournament"):
    """The part of the page that changes, as HTML."""

    html: str


Outgoing: TypeAlias = TournamentLists | Go | Ping


class TournamentSocket(ListeningSocket):
    """One open page of a tournament."""

    def __init__(
        self, pages: TournamentPages, socket: WebSocket, person: Person | None, tournament_id: str
    ) -> None:
        super().__init__(pages.frame, socket)
        self._pages, self._tournaments = pages, pages.tournaments
        self._person, self._name = person, tournament_id
        self._shown: TournamentState | None = None
        self._game: str | None = None  # the viewer's current game, as the page last knew it

    async def run(self) -> None:
        person = self._person.id if self._person else None
        await self._tournaments.enter(self.wake, self._name, person)
        self.wake()
        await super().run()

    def on_close(self) -> None:
        self._tournaments.leave(self.wake)

    async def send_state(self) -> None:
        """Send the tournament's state if it has changed, and redirect to a new game."""
        state = self._tournaments.state(self._name)
        if not state or state is self._shown:
            return
        before, self._shown = self._shown, state
        game, known = state.game_of(self._person.id if self._person else None), self._game
        self._game = game
        if before and game and game != known and not state.agreement.by_days:
            await self.tell(Go(game))
        await self.send(self._pages.message(state, self._person, self.language.code))


@dataclass(frozen=True)
class TournamentPages:
    """The routes of tournaments."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    tournaments: Tournaments
    idempotency_keys: IdempotencyKeys

    def routes(self) -> list[Route | WebSocketRoute]:
        do = self.tournaments
        acts: dict[str, Act] = {
            "join": lambda tournament_id, person, form: do.join(tournament_id, person),
            "leave": lambda tournament_id, person, form: do.go(tournament_id, person),
            "remove": lambda tournament_id, person, form: do.go(
                tournament_id, person, _entry(form), form["who"]
            ),
            "substitute": lambda tournament_id, person, form: do.substitute(
                tournament_id, person, _entry(form)
            ),
            "bot": lambda tournament_id, person, form: do.add_bot(
                tournament_id, person, form["bot"]
            ),
            "begin": lambda tournament_id, person, form: do.begin(tournament_id, person),
            "cancel": lambda tournament_id, person, form: do.cancel(tournament_id, person),
        }
        return [
            Route("/tournaments", self.lists),
            Route("/tournaments/new", self.new),
            Route("/tournaments", self.create, methods=["POST"]),
            Route("/tournament/{id}", self.tournament),
            *(
                Route(f"/tournament/{{id}}/{name}", self.act(act), methods=["POST"])
                for name, act in acts.items()
            ),
            WebSocketRoute("/tournament/{id}/socket", self.socket),
        ]

    async def lists(self, request: Request) -> Response:
        frame = self.frame
        frame.charge(request, 2)
        person = await frame.person_of(request)
        return await frame.show(
            request,
            "tournaments.html",
            lists=await self.tournaments.lists(person),
            formats=tournament_views.FORMATS,
            stages=tournament_views.STAGES,
            clock=clock_text,
            utc=tournament_views.utc,
        )

    async def new(self, request: Request) -> Response:
        self.frame.charge(request, 2)
        return await self._form(request, dict(request.query_params))

    async def _form(
        self, request: Request, chosen: dict[str, str], refusal: TrineError | None = None
    ) -> Response:
        return await self.frame.show(
            request,
            "tournament_new.html",
            refusal=refusal,
            bots=tournament_views.levels(),
            TournamentFormat=TournamentFormat,
            **tournament_views.choices(chosen, self.frame.language_of(request)),
        )

    async def create(self, request: Request) -> Response:
        form = await self.frame.form_of(request)

        async def create(finish: Finish) -> FormOutcome:
            person, token = await self.frame.known(request, "")

            def led(tournament: str) -> FormOutcome:
                return FormOutcome(f"/tournament/{tournament}", token)

            made = await self.tournaments.create(
                person, wanted, lambda tournament_id: finish(led(tournament_id))
            )
            return led(made)

        before = await self.frame.person_of(request)
        try:
            wanted = tournament_views.read_announcement(form, self.frame.now())
            led = await self.idempotency_keys.once(form, before, create)
        except TrineError as error:
            return await self._form(request, form, refusal_of(error))
        return self.frame.remember(request, RedirectResponse(led.path, 303), led.token)

    async def tournament(self, request: Request) -> Response:
        self.frame.charge(request, 3)
        return await self._show(request)

    async def _show(
        self, request: Request, status: int = 200, refusal: TrineError | None = None
    ) -> Response:
        frame, code = self.frame, self.frame.language_of(request)
        state = await self.tournaments.read(request.path_params["id"])
        person = await frame.person_of(request)
        return await frame.show(
            request,
            "tournament.html",
            status,
            body=tournament_views.body(frame.pages, state, person, code),
            refusal=refusal,
            **tournament_views.view_of(state, person, code),
        )

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> TournamentSocket:
            tournament_id = socket.path_params["id"]
            await self.tournaments.read(tournament_id)
            return TournamentSocket(self, socket, person, tournament_id)

        await self.sockets.accept(socket, page)

    def message(self, state: TournamentState, person: Person | None, code: str) -> str | bytes:
        """Return the message that shows a tournament; people who only watch share a cached one."""
        if person and (person.id == state.row.owner or state.of_person(person.id)):
            return self._message(state, person, code)
        key = code, bool(person and (person.has_account or not state.agreement.rated))
        if key not in state.made:
            state.made[key] = self._message(state, person, code)
        return state.made[key]

    def _message(self, state: TournamentState, person: Person | None, code: str) -> str | bytes:
        html = tournament_views.body(self.frame.pages, state, person, code)
        return write_message(TournamentLists(html), str)

    def act(self, act: Act) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of a form on a tournament's page; it shows the page again."""

        async def answer(request: Request) -> Response:
            form, tournament_id = await self.frame.form_of(request), request.path_params["id"]
            person, token = await self.frame.known(request, form.get("name", "").strip())
            try:
                await act(tournament_id, person, form)
            except NotFoundError:
                raise
            except TrineError as error:
                return await self._show(request, HTTPStatus.CONFLICT, refusal_of(error))
            state = await self.tournaments.read(tournament_id)
            game = None if state.agreement.by_days else state.game_of(person.id)
            began = request.url.path.endswith("/begin") and game
            there = RedirectResponse(
                f"/game/{game}" if began else f"/tournament/{tournament_id}", 303
            )
            return self.frame.remember(request, there, token)

        return answer


def _entry(form: Form) -> int:
    """Return the entry number in a form; without one 0, which no entrant has."""
    entry = form["entry"]
    return int(entry) if entry.isascii() and entry.isdecimal() and len(entry) < 6 else 0
