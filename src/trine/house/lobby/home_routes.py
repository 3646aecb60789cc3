"""The home page, the game on show, and the way to the person's next game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.language import open_language
from trine.core.text.typed import name_in
from trine.games import ROOMS, open_room
from trine.house.games.games import Games
from trine.house.games.own_games import OwnGames
from trine.house.games.snapshot import Snapshot
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import strength
from trine.house.lobby.pictures import picture_of
from trine.house.lobby.show import Show
from trine.house.people.person_rows import Person
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH


def routes(
    frame: Frame[Person],
    games: Games,
    own_games: OwnGames,
    show_game: Show,
    challenges: Challenges,
    elsewhere: Callable[[], Sequence[Snapshot]],
) -> list[Route]:
    """The routes of the home page.

    Args: ``elsewhere`` has the games to watch that other processes play.
    """
    pages = _HomePages(frame, games, own_games, show_game, challenges, elsewhere)
    return [
        Route("/", pages.home),
        Route("/show", pages.show),
        Route("/next", pages.next),
        Route("/name", pages.rename, methods=["POST"]),
    ]


class _HomePages:
    def __init__(
        self,
        frame: Frame[Person],
        games: Games,
        own_games: OwnGames,
        show_game: Show,
        challenges: Challenges,
        elsewhere: Callable[[], Sequence[Snapshot]],
    ) -> None:
        self._frame, self._games, self._own_games = frame, games, own_games
        self._show_game, self._challenges = show_game, challenges
        self._elsewhere = elsewhere

    async def home(self, request: Request) -> Response:
        listed = [
            host.snapshot
            for host in self._games.hosts
            if host.agreement.listed and not host.snapshot.over and host.snapshot.state
        ]
        listed += self._elsewhere()
        listed.sort(key=lambda snapshot: (-strength(snapshot), -snapshot.at))
        on = self._show_game.running()
        person = await self._frame.person_of(request)
        language = self._frame.language_of(request)
        rules = {name: open_room(name).document(language).rules for name in ROOMS}
        return await self._frame.show(
            request,
            "home.html",
            games=listed[:20],
            own=await self._own_games.of(person),
            challenges=self._challenges.of(person.id if person else None),
            me=person,
            home=True,
            on=on.snapshot if on and len(on.snapshot.written) > 1 else None,
            rules=rules,
            documents=[
                room
                for room in map(open_room, ROOMS)
                if any(document.language == language for document in room.documents)
            ],
            pictures={name: picture_of(name, rules[name])[0] for name in ROOMS},
        )

    async def show(self, request: Request) -> Response:
        """Answer with the game that is on show; begin one if there is none."""
        self._frame.charge(request, 20)
        host = await self._show_game.game()
        language = open_language(self._frame.language_of(request))
        title = language.colon(name_in(language, host.snapshot.room.title))
        return JSONResponse({"game": host.id, "title": title}, headers=FRESH)

    async def next(self, request: Request) -> Response:
        """Redirect to the next game in which it is the person's turn."""
        self._frame.charge(request, 5)
        person = await self._frame.person_of(request)
        game = await self._own_games.next_to_move(person, request.query_params.get("but", ""))
        return RedirectResponse(f"/game/{game}" if game else "/", 303)

    async def rename(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        _, token = await self._frame.known(request, form.get("name", ""))
        return self._frame.remember(request, RedirectResponse("/", 303), token)
