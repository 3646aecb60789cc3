"""The home page, which shows the first game or a person's games."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.sentence import Text, text
from trine.engine.puzzles.puzzle import Puzzle
from trine.games import ROOMS, first_games
from trine.house.games.live.games import Games
from trine.house.games.storage.own_games import OwnGames, Running
from trine.house.games.storage.tables import games_of
from trine.house.games.view.first_games import FirstGamePages, start_address
from trine.house.games.view.snapshot import Snapshot
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import strength
from trine.house.lobby.new_game import game_pictures
from trine.house.people.tables import Person
from trine.house.puzzles.routes import path_after, path_of, stage_values
from trine.house.search.search import Search
from trine.house.store.store import Store
from trine.house.web.frame import Frame


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
        daily = self.daily(played[0].room) if played else None
        puzzle = None if own and own[0].to_move else daily
        wish = {"mine": "1", "result": "over"}
        finished, _ = await self.search.games(wish, person) if person else ((), "")
        stage: dict[str, Any] = {"puzzle": None}
        if puzzle:
            language = self.frame.language(request)
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
            me=person,
            home=True,
            game_pictures=game_pictures(self.frame.language_of(request)),
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
