"""The page of the lobby, its forms and its socket."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.games import ROOMS
from trine.house.games.storage.own_games import OwnGames, Running
from trine.house.games.view.snapshot import Snapshot
from trine.house.lobby.challenges import Challenge, Challenges
from trine.house.lobby.lobby import Lobby, LobbyView
from trine.house.lobby.new_game import offers, read_seek
from trine.house.lobby.tables import played_lately
from trine.house.people.tables import Person
from trine.house.store.secrets import new_id
from trine.house.web.frame import Frame
from trine.house.web.messages import Go, Ping, Sent, write_message
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of
from trine.house.web.socket import ListeningSocket

RATING_RANGES: Final = (100, 200, 400)
"""Units: rating points; the choices for the maximum difference of the players' ratings."""
QUICK_CLOCKS: Final = ("3+2", "5+5", "10+10", "2d")  # the clocks of quick pairings


class LobbyLists(Sent, tag="lobby"):
    """The lists in the lobby, as HTML."""

    html: str


Outgoing: TypeAlias = LobbyLists | Go | Ping


class LobbySocket(ListeningSocket):
    """An open page of the lobby."""

    def __init__(
        self, pages: LobbyPages, socket: WebSocket, person: Person | None, own: Sequence[Running]
    ) -> None:
        super().__init__(pages.frame, socket)
        self._pages, self._lobby, self._person = pages, pages.lobby, person
        self._show, self._idle = shown_game(socket), own
        """The running games when the page was opened; some may have been unloaded since."""
        self._shown: Any = None
        self._game = ""

    async def run(self) -> None:
        self._lobby.enter(self, self._person.id if self._person else None)
        self._game = self._lobby.led_to(self._person)
        self.wake()
        await super().run()

    def on_close(self) -> None:
        self._lobby.leave(self)

    def changed(self) -> None:
        if self._key() != self._shown:
            self.wake()

    def lead(self, game_id: str) -> None:
        self._game = game_id
        self.wake()

    async def send_state(self) -> None:
        if self._game:
            game, self._game = self._game, ""
            self._lobby.led_to(self._person)
            await self.tell(Go(game))
        key = self._key()
        if key != self._shown:
            self._shown = key
            own, code = self._own(), self.language.code
            await self.send(self._pages.message(key, self._person, own, code, self._show))

    def _own(self) -> list[Running]:
        """Return the person's games: the loaded ones as they are, the others as last seen."""
        view = self._lobby.view
        live = view.own.get(self._person.id, ()) if self._person else ()
        known = {one.game for one in live}
        loaded = self._pages.own_games.games.loaded
        self._idle = [one for one in self._idle if one.game in known or not loaded(one.game)]
        resting = [one for one in self._idle if one.game not in known]
        return sorted([*live, *resting], key=lambda one: one.order)

    def _key(self) -> tuple[object, ...]:
        """Return a key of all that the page shows; equal keys mean equal pages."""
        view = self._lobby.view
        mine = tuple((one.game, one.to_move) for one in self._own())
        challenges = tuple(one.id for one in self._pages.challenges_of(self._person))
        takes_part = any(seek.has(self._person) for seek in view.seeks)
        alone = self._person.id if self._person and (mine or challenges or takes_part) else ""
        rated = bool(self._person and self._person.has_account)
        live = tuple(
            (one.game, one.stage, tuple(map(str, one.standings.values()))) for one in view.live
        )
        who = (alone, rated, self.language.code)
        return (view.version, live, mine, challenges, self._show, *who)


def _games_of_kind(live: Sequence[Snapshot], game_name: str) -> list[Snapshot]:
    """Return the games of one kind; of all kinds for an empty name."""
    return [one for one in live if game_name in ("", one.agreement.game)]


def shown_game(connection: HTTPConnection) -> str:
    """Return the one game that the lobby is limited to; empty for all games."""
    given: str = connection.query_params.get("show", "")
    return given if given in ROOMS else ""


@dataclass(frozen=True)
class LobbyPages:
    """The routes of the lobby."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    lobby: Lobby
    own_games: OwnGames
    challenges: Challenges
    last_game: Callable[[str], Awaitable[Any]]
    """A function that returns the newest finished public game of a kind, as a search finds it."""

    def routes(self) -> list[Route | WebSocketRoute]:
        return [
            Route("/lobby", self.whole),
            Route("/lobby", self.open, methods=["POST"]),
            Route("/lobby/{id}/take", self.take, methods=["POST"]),
            Route("/lobby/{id}/withdraw", self.withdraw, methods=["POST"]),
            WebSocketRoute("/lobby/socket", self.socket),
        ]

    async def whole(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        refusal: TrineError | None = None,
        status: int = HTTPStatus.OK,
    ) -> Response:
        frame = self.frame
        frame.charge(request, 2)
        await self.lobby.attend()
        person = await frame.person_of(request)
        if game := self.lobby.led_to(person):
            return RedirectResponse(f"/game/{game}", 303)
        own = await self.own_games.of(person)
        code, show = frame.language_of(request), shown_game(request)
        view, store = self.lobby.update(), self.own_games.store
        waiting = any(not seek.agreement.by_days for seek in view.seeks)
        return await frame.show(
            request,
            "lobby.html",
            status,
            lists=self.html(view, person, own, code, show),
            replay=None if _games_of_kind(view.live, show) else await self._replay(show),
            lately=None if waiting else await store.fetch(played_lately, store.now()),
            seek=new_id(),
            may_rate=person is not None and person.has_account,
            refusal=refusal,
            quick=QUICK_CLOCKS,
            ranges=RATING_RANGES,
            show=show,
            **offers(chosen, code),
        )

    async def _replay(self, game_name: str) -> tuple[Any, int] | None:
        """Return the last public game, and its number of turns."""
        found = await self.last_game(game_name)
        if not found:
            return None
        state = (await self.own_games.games.actor(found.game)).snapshot.state
        return found, len(state.play.turns) if state else 0

    async def open(self, request: Request) -> Response:
        await self.lobby.attend()
        form = await self.frame.form_of(request)
        seek_id = form["seek"]
        if not re.fullmatch("[0-9A-Za-z]{12}", seek_id):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        try:
            agreement, side = read_seek(form)
            within = next((one for one in RATING_RANGES if form["within"] == str(one)), None)
            person, token = await self.frame.known(request, form["name"].strip())
            if "pair" in form:
                found = await self.lobby.pair(seek_id, person, agreement)
            else:
                found = await self.lobby.open(seek_id, person, agreement, side, within)
        except TrineError as error:
            known = {key: value for key, value in form.items() if key != "seek"}
            return await self._show(request, known, refusal_of(error))
        if isinstance(found, str):
            self.lobby.led_to(person)
        there = (
            f"/game/{found}" if isinstance(found, str) else f"/lobby?game={agreement.game}#lists"
        )
        return self.frame.remember(request, RedirectResponse(there, 303), token)

    async def take(self, request: Request) -> Response:
        await self.lobby.attend()
        await self.frame.form_of(request)
        person, token = await self.frame.known(request, "")
        try:
            game = await self.lobby.take(request.path_params["id"], person)
        except TrineError as error:
            return await self._show(request, {}, refusal_of(error), HTTPStatus.CONFLICT)
        if game:
            self.lobby.led_to(person)
        there = f"/game/{game}" if game else "/lobby"
        return self.frame.remember(request, RedirectResponse(there, 303), token)

    async def withdraw(self, request: Request) -> Response:
        await self.lobby.attend()
        await self.frame.form_of(request)
        if person := await self.frame.person_of(request):
            self.lobby.withdraw(request.path_params["id"], person)
        return RedirectResponse("/lobby", 303)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> LobbySocket:
            await self.lobby.attend()
            return LobbySocket(self, socket, person, await self.own_games.of(person))

        await self.sockets.accept(socket, page)

    def html(
        self, view: LobbyView, person: Person | None, own: Sequence[Running], code: str, show: str
    ) -> str:
        """Return the lists for a person; ``show`` is the only game to list, empty for all games."""
        return self.frame.pages.write(
            "lobby_lists.html",
            code,
            seeks=[one for one in view.seeks if show in ("", one.agreement.game)],
            live=_games_of_kind(view.live, show),
            person=person,
            own=own,
            now=self.frame.now(),
            challenges=self.challenges_of(person),
            home=False,
            may_rate=person is not None and person.has_account,
        )

    def message(
        self,
        key: tuple[object, ...],
        person: Person | None,
        own: Sequence[Running],
        code: str,
        show: str,
    ) -> str | bytes:
        """Return the lobby's message; it is cached for all pages with the same key."""
        view = self.lobby.view
        if key not in view.made:
            html = self.html(view, person, own, code, show)
            view.made[key] = write_message(LobbyLists(html), str)
        return view.made[key]

    def challenges_of(self, person: Person | None) -> Sequence[Challenge]:
        return self.challenges.of(person.id) if person else ()
