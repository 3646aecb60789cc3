"""The home page, and the pages and forms of new games and challenges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.engine.puzzles.puzzle import Puzzle
from trine.games import ROOMS, first_games, known_rules, open_room
from trine.house.games.first_games import FirstGamePages, start_address
from trine.house.games.games import Games
from trine.house.games.level_ratings import level_of
from trine.house.games.own_games import OwnGames, Running
from trine.house.games.snapshot import Snapshot
from trine.house.games.tables import games_of, last_opponents
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
from trine.house.people.accounts import Accounts
from trine.house.people.idempotency import Finish, FormOutcome, IdempotencyKeys
from trine.house.people.tables import Account, Person
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.headers import FOR_EVER, FRESH, PICTURE, SVG, packed
from trine.house.web.refusing import refusal_of

FIRST_LEVEL: Final = 2
"""The recommended level for a person's first game."""
PLACES: Final = ("below", "left", "above", "right")


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
    daily: Callable[[str], Puzzle | None]
    """A function that returns the puzzle of the day for a game."""

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
        language = self.frame.language_of(request)
        rules = {name: open_room(name).document(language).rules for name in ROOMS}
        own = await self.own_games.of(person)
        return await self.frame.show(
            request,
            "home.html",
            games=listed[:20],
            own=own,
            onward=_onward(person, own, {row.terms.get("first") for row in played}),
            daily=self.daily(played[0].room) if played else None,
            challenges=challenges,
            me=person,
            home=True,
            rules=rules,
            pictures={name: picture_of(name, rules[name])[0] for name in ROOMS},
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


@dataclass(frozen=True)
class NewGamePages:
    """The routes for creating a game."""

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

    async def _level_before(self, person: Person | None, game_name: str) -> int | None:
        """Return the level that a person played last; None if there is none."""
        bots = await self.store.fetch(last_opponents, person.id, game_name) if person else []
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

        async def create(finish: Finish) -> FormOutcome:
            """Create a game; return the path of its page, with the links to its seats."""
            person, token = await self.frame.known(request, given["name"].strip())

            def led(game_id: str, links: Mapping[int, str]) -> FormOutcome:
                path = f"/game/{game_id}" + (f"?invite={'.'.join(links.values())}" if links else "")
                return FormOutcome(path, token)

            made = await self.games.create(
                agreement, wishes, person, lambda game, links: finish(led(game, links))
            )
            return led(*made)

        try:
            agreement, wishes = read_offer(given)
            before = await self.frame.person_of(request)
            led = await self.idempotency_keys.once(given, before, create)
        except TrineError as error:
            return await self._show_new(request, given, refusal_of(error))
        return self.frame.remember(request, RedirectResponse(led.path, 303), led.token)


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
        refusal: TrineError | None = None,
    ) -> Response:
        person = await self.frame.person_of(request)
        return await self.frame.show(
            request,
            "challenge.html",
            account=account,
            may=person is not None and person.has_account,
            refusal=refusal,
            **offers(chosen, self.frame.language_of(request)),
        )

    async def open(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        account = await self._account(request)

        async def challenge(finish: Finish) -> FormOutcome:
            led = FormOutcome("/lobby")
            await self.challenges.open(person, account, agreement, side, lambda: finish(led))
            return led

        try:
            agreement, side = read_seek(form, listed=False)
            await self.idempotency_keys.once(form, person, challenge)
        except TrineError as error:
            return await self._show(request, form, account, refusal_of(error))
        return RedirectResponse("/lobby", 303)

    async def accept(self, request: Request) -> Response:
        person, _ = await self.frame.form_of_owner(request)
        game = await self.challenges.accept(request.path_params["id"], person)
        return RedirectResponse(f"/game/{game}", 303)

    async def refuse(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        try:
            await self.challenges.refuse(request.path_params["id"], person)
        except TrineError as error:
            refusal_of(error)  # the challenge is gone already, as wanted
        return RedirectResponse("/" if form["back"] == "home" else "/lobby", 303)
