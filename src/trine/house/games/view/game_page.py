"""The page of a game, its pictures, and its socket."""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from jinja2 import pass_context
from jinja2.runtime import Context
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.contract.checked import CheckedLine
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.scene.scene import Piece, Scene
from trine.core.text.language import open_language
from trine.core.text.sentence import NOTHING, Text, text
from trine.games import first_game_after, first_games, open_room
from trine.house.games.live.bots import Bots
from trine.house.games.live.drafts import read_draft
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import is_named_guest, of_guest
from trine.house.games.storage.own_games import ListedGame
from trine.house.games.storage.records import record_text
from trine.house.games.storage.tables import SeatKind, Stage
from trine.house.games.view.game_choices import CLOCKS, LEVELS, clock_text, time_text
from trine.house.games.view.game_socket import GameSocket, OpenTalk
from trine.house.games.view.messages import Arrangement, Arrangements, TurnShown
from trine.house.games.view.scenes import ViewerGroup, scene_after, scene_now
from trine.house.games.view.snapshot import Snapshot
from trine.house.games.view.views import (
    display_names,
    result_of,
    reviewable_seats,
    seats_against_others,
    seats_of_board,
    turn_messages,
)
from trine.house.job_pool import JobPool
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import is_token
from trine.house.web.assets import modules_needed, shape
from trine.house.web.frame import Frame
from trine.house.web.headers import KEEP_OFFLINE, NO_STORE, PICTURE, SVG, packed
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.visitors import preferences_of
from trine.play.draw.board_theme import NIGHT, BoardTheme
from trine.play.draw.svg import can_draw, draw_svg, png_of
from trine.play.session.state import Entry

MAX_ARRANGEMENTS: Final = 16  # maximum number of saved setups that are shown


@pass_context
def _own_seats(context: Context, game: Snapshot | ListedGame) -> Collection[int]:
    """Return the seats of the viewer; none if the viewer plays at all seats."""
    person: Person | None = context.get("person")
    return seats_against_others(game, game.seats_of(person.id if person else None))


@pass_context
def _display_names(context: Context, game: Snapshot | ListedGame) -> Sequence[str]:
    """Return the names of players, "You" for the viewer; a `Snapshot` also tells the guests."""
    say, names = open_language(context["language"]).say, list(display_names(game))
    own = _own_seats(context, game)
    for number, row in enumerate(game.seats):
        if number in own:
            names[number] = text("You")
        elif isinstance(game, Snapshot) and is_named_guest(row, known=number in game.standings):
            names[number] = of_guest(say(names[number]))
    return [say(name) for name in names]


TEMPLATE_NAMES: Final[dict[str, Any]] = {
    "Stage": Stage,
    "display_names": _display_names,
    "own_seats": _own_seats,
    "clock_text": clock_text,
    "levels": list(enumerate(LEVELS, 1)),
    "time_text": time_text,
}
"""The names about games that templates can use."""


def page_of(snapshot: Snapshot, own: frozenset[int], code: str, pieces: str = "") -> dict[str, Any]:
    language, seat = open_language(code), min(own, default=0)
    scene = scene_now(snapshot, ViewerGroup(own, seat, code, pieces=pieces))
    agreement, name = snapshot.agreement, snapshot.agreement.first
    rated = {"rated": "on"} if agreement.rated else {}
    plays = bool(own) and snapshot.stage is Stage.PLAYING
    state = snapshot.state
    in_setup = state and plays and state.play.position.in_setup
    again = {"game": agreement.game, "rules": agreement.rules, "clock": agreement.clock}
    return {
        "snapshot": snapshot,
        "own": sorted(own),
        "waits": snapshot.stage is Stage.WAITING,
        "plays": plays,
        "sets": in_setup and state and state.play.mover in own,
        "hands": in_setup and snapshot.room.rules.setup_words,
        "reviewable": reviewable_seats(state) if state else frozenset(),
        "people": sum(seat.person is not None for seat in snapshot.seats) > len(own),
        "climb_fields": {**again, **rated, **agreement.options},
        "first": first_games()[name][1] if name else None,
        "onward": first_game_after(name) if name else None,
        "begins": "",
        "links": (),
        "turn": None,
        "picture": f"/game/{snapshot.game}/picture.svg?seat={scene.board.seat}",
        "boards": f"/game/{snapshot.game}/board/{{}}",
        "board": scene.board,
        "pieces": seen_piece_sets(snapshot.room.name),
        "modules": _modules(),
        "size": shape(scene.board)["size"],
        "alt": language.say(scene.alt),
        "result": language.say(result_of(snapshot, own)),
        "turns": turn_messages(snapshot),
    }


def _data_of(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data attributes for the page's script."""
    snapshot, first = about["snapshot"], about["first"]
    own = ",".join(map(str, about["own"]))
    data = {"game": snapshot.game, "kind": snapshot.agreement.game, "own": own}
    data |= {"first": first.name} if first else {}
    data |= {"begins": about["begins"]} if about["begins"] else {}
    return data | ({} if about["turn"] is None else {"turn": about["turn"]})


def turn_values(
    snapshot: Snapshot, turns: int, seat: int, pieces: str, actions: int
) -> tuple[Scene, TurnShown]:
    """Return the scene after a number of turns, and of actions of the next turn.

    With negative ``actions``, all actions but the last are played, for stepping back.
    """
    seen, state = 0, snapshot.state
    if state and turns < len(state.play.turns):
        turn = state.play.turns[turns]
        seen = len(snapshot.room.actions_to_see(turn.before, turn.actions))
    done = max(0, min(actions, seen - 1) if actions >= 0 else seen - 1)
    scene = scene_after(snapshot, turns, seat, pieces, done)
    return scene, TurnShown(scene.view, done, seen)


def picture_after(
    snapshot: Snapshot, turns: int, seat: int, code: str, night: BoardTheme | None = NIGHT
) -> str:
    """Return a picture of the position after a number of turns, in day and night colours."""
    scene = scene_after(snapshot, turns, seat)
    return draw_svg(scene, language=open_language(code), night=night)


def record_of(snapshot: Snapshot, entries: Sequence[Entry]) -> str:
    """Return the record of a game as text; empty before it has begun."""
    if not snapshot.state:
        return ""
    return record_text(entries, snapshot.state.play.start.seats)


def record_file(record: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}.trine"', **NO_STORE}
    return Response(record, 200, headers, "text/plain; charset=utf-8")


@cache
def _modules() -> list[str]:
    return sorted(modules_needed("games/game.js") - {"games/game.js"})


@cache
def seen_piece_sets(game_name: str) -> dict[str, Text]:
    """Return the piece sets of a game that look different on pages from its drawings."""
    room = open_room(game_name)
    start = room.rules.start(room.default_rules, room.rules.settle(room.default_rules, {}))
    drawn = room.view.scene(start)
    return {
        name: label
        for name, label in room.view.piece_sets.items()
        if room.view.scene(start, pieces=name) != drawn
    }


def ready_words(room: Room) -> Iterator[tuple[str, Text]]:
    """Return the words that set pieces up, except those with a blank in capitals to fill in."""
    return (
        (word, description)
        for word, description in room.rules.setup_words.items()
        if word == word.lower()
    )


def arrangements(
    play: Play, seat: int, pieces: str = "", kept: Sequence[str] = ()
) -> list[Arrangement]:
    """Return the setups of the side to move; the random one differs each time.

    The player's saved setups, ``kept`` as notation, come first if they are legal here.

    >>> from trine.games import new_play
    >>> found = arrangements(new_play("arimaa"), 0)
    >>> found[0].a[:2], len(found[0].pieces), found[0].pieces[0].cell
    (['Ra1', 'Rb1'], 16, 'a1')
    >>> own = " ".join(found[1].a)
    >>> " ".join(arrangements(new_play("arimaa"), 0, kept=["Ra1 Ra1", own])[0].a) == own
    True
    """
    if not (play.room.rules.whole_setups and play.position.in_setup):
        return []
    lines: list[tuple[CheckedLine, Text]] = []
    for actions in kept[:MAX_ARRANGEMENTS]:
        with suppress(TrineError):
            lines.append((read_draft(play, actions.split()), NOTHING))
    lines += [
        (read_draft(play, (), word), description) for word, description in ready_words(play.room)
    ]
    return [_arrangement(play.room, seat, pieces, line, description) for line, description in lines]


def _arrangement(room: Room, seat: int, pieces: str, line: CheckedLine, label: Text) -> Arrangement:
    before, after = (
        room.view.scene(position, seat=seat, pieces=pieces) for position in (line.start, line.end)
    )
    taken = {one.cell for one in before.pieces}
    placed = [
        Piece(figure=one.figure, base=one.base, owner=one.owner, cell=one.cell, label=one.label)
        for one in after.pieces
        if one.cell not in taken
    ]
    return Arrangement(label, [str(action) for action in line], placed)


Part = Callable[[Request, Snapshot, Person | None], Awaitable[Mapping[str, Any]]]
"""A function that returns template values for a part of a game's page."""
MAX_LINKS: Final = 3  # maximum number of links to other seats of a game


@dataclass(frozen=True)
class GamePages:
    """The routes of a game."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    games: Games
    bots: Bots
    helpers: JobPool
    parts: Sequence[Part]  # the parts that other packages add to the game's page
    open_talk: OpenTalk

    def routes(self) -> list[Route | WebSocketRoute]:
        return [
            Route("/game/{id}", self.game),
            Route("/game/{id}/record", self.record),
            Route("/game/{id}/picture.svg", self.picture),
            *([Route("/game/{id}/picture.png", self.preview)] if can_draw() else []),
            Route("/game/{id}/turn/{turns:int}", self.turn),
            Route("/game/{id}/arrangements", self.arrangements),
            Route("/game/{id}/board/{digest}", self.board),
            WebSocketRoute("/game/{id}/socket", self.socket),
        ]

    async def _actor(self, request: Request) -> GameActor:
        return await self.games.actor(request.path_params["id"])

    async def game(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        actor = await self._actor(request)
        person = await self.frame.person_of(request)
        snapshot = actor.snapshot
        own = snapshot.seats_of(person.id if person else None)
        tokens = request.query_params.get("invite", "").split(".") if own else []
        base = self.frame.origins.origin_of(request.headers, request.url.scheme)
        links = [f"{base}/join/{token}" for token in tokens[:MAX_LINKS] if is_token(token)]
        turn = self._where(request, actor)[0] if "turn" in request.query_params else None
        return await self.show(request, snapshot, own, links=links, turn=turn)

    async def show(
        self, request: Request, snapshot: Snapshot, own: frozenset[int], **given: Any
    ) -> Response:
        """Return the page of a game in its current state."""
        person = await self.frame.person_of(request)
        language, pieces = self.frame.language_of(request), preferences_of(request).pieces
        about = page_of(snapshot, own, language, pieces) | given
        about["data"] = _data_of(about)
        self.frame.boards.keep(about["board"])
        for part in self.parts:
            about |= await part(request, snapshot, person)
        return await self.frame.show(request, "game.html", keep=snapshot.over, **about)

    async def record(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        actor = await self._actor(request)
        record = record_of(actor.snapshot, actor.game.entries)
        if "download" in request.query_params:
            return record_file(record, actor.id)
        return await self.frame.show(
            request, "record.html", snapshot=actor.snapshot, record=record, keep=actor.snapshot.over
        )

    async def picture(self, request: Request) -> Response:
        self.frame.charge(request, 10)
        actor = await self._actor(request)
        turns, seat = self._where(request, actor)
        picture = picture_after(actor.snapshot, turns, seat, self.frame.language_of(request))
        return packed(request, picture.encode(), SVG, _cache_headers(actor) | PICTURE)

    async def preview(self, request: Request) -> Response:
        """Return the picture that messengers show beside a link to the game."""
        self.frame.charge(request, 40)
        actor = await self._actor(request)
        turns, seat = self._where(request, actor)
        picture = picture_after(actor.snapshot, turns, seat, "en", night=None)
        key, address = sha256(picture.encode()).digest(), self.frame.address_of(request)
        drawn = await self.helpers.run_cached(address, key, partial(png_of, picture))
        return Response(drawn, headers=_cache_headers(actor), media_type="image/png")

    async def turn(self, request: Request) -> Response:
        self.frame.charge(request, 3)
        actor = await self._actor(request)
        turns, seat = self._where(request, actor, request.path_params["turns"])
        pieces, actions = preferences_of(request).pieces, number_in(request, "actions")
        scene, shown = turn_values(actor.snapshot, turns, seat, pieces, actions)
        self.frame.boards.keep(scene.board)
        return self.frame.answer(request, shown, _cache_headers(actor))

    async def arrangements(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        actor = await self._actor(request)
        state, seat = actor.snapshot.state, self._where(request, actor)[1]
        kept, pieces = request.query_params.getlist("kept"), preferences_of(request).pieces
        found = Arrangements(arrangements(state.play, seat, pieces, kept) if state else [])
        return self.frame.answer(request, found)

    def _where(
        self, request: Request, actor: GameActor, turns: int | None = None
    ) -> tuple[int, int]:
        state = actor.snapshot.state
        most = len(state.play.turns) if state else 0
        turns = number_in(request, "turn", most) if turns is None else turns
        seat = number_in(request, "seat")
        if not (0 <= turns <= most and 0 <= seat < len(actor.snapshot.seats)):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return turns, seat

    async def board(self, request: Request) -> Response:
        self.frame.charge(request, 3)
        digest = request.path_params["digest"]
        if digest not in self.frame.boards:
            actor = await self._actor(request)
            for seat in range(len(actor.snapshot.seats)):
                for pieces in ("", *actor.snapshot.room.view.piece_sets):
                    scene = scene_after(actor.snapshot, 0, seat, pieces)
                    self.frame.boards.keep(scene.board)
                    # A player who left may have changed what is drawn beside the squares.
                    group = ViewerGroup(frozenset(), seat, "en", pieces=pieces)
                    self.frame.boards.keep(scene_now(actor.snapshot, group).board)
        return self.frame.boards.answer(request, digest)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> GameSocket:
            actor = await self.games.actor(socket.path_params["id"])
            frame, bots, helpers, talk = self.frame, self.bots, self.helpers, self.open_talk
            merges = "changes" in socket.query_params
            return GameSocket(frame, socket, actor, person, bots, helpers, talk, merges=merges)

        await self.sockets.accept(socket, page)


def number_in(request: Request, name: str, usual: int = 0) -> int:
    try:
        return int(request.query_params.get(name, usual))
    except ValueError:
        raise HTTPException(HTTPStatus.NOT_FOUND) from None


def _cache_headers(actor: GameActor) -> dict[str, str]:
    """Return the headers of a game's files: they are cached once the game is over."""
    return NO_STORE | KEEP_OFFLINE if actor.snapshot.over else NO_STORE


def invitation_routes(frame: Frame[Person], games: Games) -> list[Route]:
    async def invitation(request: Request) -> Response:
        frame.charge(request, 5)
        found = await games.invited_to(request.path_params["token"])
        if not found:
            raise HouseError("this link is not valid; ask for a new one")
        actor, seat = found
        person = await frame.person_of(request)
        own = actor.snapshot.seats_of(person.id if person else None)
        if seat in own:
            return RedirectResponse(f"/game/{actor.id}", 303)
        board = shape(scene_after(actor.snapshot, 0, seat).board)
        return await frame.show(
            request,
            "join.html",
            snapshot=actor.snapshot,
            seat=seat,
            is_own=bool(own),
            is_taken=actor.snapshot.seats[seat].kind is not SeatKind.FREE,
            seats=seats_of_board(actor.snapshot),
            clocks=CLOCKS,
            across=board["across"],
            down=board["down"],
        )

    async def join(request: Request) -> Response:
        form = await frame.form_of(request)
        await games.invited_to(request.path_params["token"])  # checked before a guest is created
        person, token = await frame.known(request, form.get("name", "").strip())
        game = await games.join(request.path_params["token"], person)
        return frame.remember(request, RedirectResponse(f"/game/{game}", 303), token)

    return [Route("/join/{token}", invitation), Route("/join/{token}", join, methods=["POST"])]
