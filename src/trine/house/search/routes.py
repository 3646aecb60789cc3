"""The pages that search for games and people, and list a person's own games."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.language import name_in, open_language
from trine.games import open_room
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import RatedPlayer
from trine.house.games.storage.own_games import OwnGames
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.online import Online
from trine.house.people.relations import Blocks, Following
from trine.house.people.tables import Person
from trine.house.search.search import GameFound, Search
from trine.house.web.frame import Frame

Part = Callable[[Person | None, str], Awaitable[Mapping[str, Any]]]
"""A function that returns template values for the page of a person's own games, in a language."""
MAX_RATINGS: Final = 2  # of a person, the most recent ones


@dataclass(frozen=True)
class SearchPages:
    """The routes of the search, and of a person's own games."""

    frame: Frame[Person]
    search: Search
    own_games: OwnGames
    part: Part  # the part of the page of a person's own games that another package supplies

    def routes(self) -> list[Route]:
        return [
            Route("/search", self.people),
            Route("/search/games", self.games),
            Route("/games", self.own),
        ]

    async def people(self, request: Request) -> Response:
        self.frame.charge(request, 10)
        query = request.query_params
        name = query.get("name", "")
        found, after = await self.search.people(name, query.get("after", ""))
        return await self.frame.show(
            request,
            "search_people.html",
            typed=name[:100],
            found=found,
            further=urlencode({"name": name, "after": after}) if after else "",
            asked=bool(name.strip()),
        )

    async def games(self, request: Request) -> Response:
        self.frame.charge(request, 20)
        filters = {name: value for name, value in request.query_params.items() if value}
        viewer = await self.frame.person_of(request)
        found: Sequence[GameFound] = ()
        after, refusal = "", None
        try:
            found, after = await self.search.games(filters, viewer)
        except TrineError as error:
            refusal = error
        return await self.frame.show(
            request,
            "search_games.html",
            given=filters,
            found=found,
            refusal=refusal,
            further=urlencode({**filters, "after": after}) if after else "",
            sets=_rule_sets(filters.get("game", ""), self.frame.language_of(request)),
        )

    async def own(self, request: Request) -> Response:
        """Show the running and the finished games of a person, a guest included."""
        self.frame.charge(request, 10)
        person = await self.frame.person_of(request)
        wish = {"mine": "1", "result": "over", "after": request.query_params.get("after", "")}
        found, after = await self.search.games(wish, person) if person else ((), "")
        return await self.frame.show(
            request,
            "my_games.html",
            **await self.part(person, self.frame.language_of(request)),
            running=await self.own_games.of(person),
            found=found,
            further=urlencode({"after": after}) if after else "",
        )


def _rule_sets(game_name: str, code: str) -> Sequence[tuple[str, str]]:
    try:
        sets = open_room(game_name).rule_sets if game_name else ()
        return [(name, name_in(open_language(code), name)) for name in sets]
    except TrineError:
        return ()


@dataclass(frozen=True)
class PersonSeen:
    """An account, as the people page shows it."""

    name: str
    bot: bool
    online: bool
    playing: Snapshot | None  # the account's running game, if it is public
    ratings: Sequence[tuple[str, RatedPlayer]]
    """The account's ratings, each with the title of its game."""

    @property
    def order(self) -> tuple[bool, bool]:
        """The sort key: playing accounts first, then those online."""
        return self.playing is None, not self.online


def people_routes(
    frame: Frame[Person],
    search: Search,
    following: Following,
    blocks: Blocks,
    online: Online,
    games: Games,
    elsewhere: Callable[[], Sequence[Snapshot]],
) -> list[Route]:
    """Return the routes of the people page; ``elsewhere`` returns other processes' public games."""

    async def people(request: Request) -> Response:
        frame.charge(request, 10)
        person = await frame.person_of(request)
        owner = person if person and person.has_account else None
        followed = await following.of(owner) if owner else ()
        bots, after = await search.bots(request.query_params.get("after", ""))
        shown = {one.person for one in followed} | {one.person for one in bots}
        ratings = await search.ratings(list(shown), frame.now())
        apart = await blocks.apart([*shown, owner.id]) if owner else set()
        hidden = {one for pair in apart if owner and owner.id in pair for one in pair}
        play = playing(games, elsewhere())

        def seen(who: str, name: str, *, bot: bool) -> PersonSeen:
            known = ratings.get(who, {})
            return PersonSeen(
                name,
                bot,
                who not in hidden and online.has(who),
                None if who in hidden else play.get(who),
                _latest_ratings(known),
            )

        people = [seen(one.person, one.name, bot=one.bot) for one in followed]
        return await frame.show(
            request,
            "people.html",
            may=owner is not None,
            people=sorted(people, key=lambda one: one.order),
            bots=[seen(one.person, one.name, bot=True) for one in bots],
            further=urlencode({"after": after}) if after else "",
        )

    return [Route("/people", people)]


def playing(games: Games, elsewhere: Collection[Snapshot]) -> Mapping[str, Snapshot]:
    """Return the public live games that are running, by the ids of their players."""
    snapshots = [*elsewhere, *(actor.snapshot for actor in games.actors)]
    return {
        seat.person: game
        for game in sorted(snapshots, key=lambda game: game.at)
        if game.state and not game.over and game.agreement.listed and not game.agreement.by_days
        for seat in game.seats
        if seat.person
    }


def _latest_ratings(ratings: Mapping[str, RatedPlayer]) -> list[tuple[str, RatedPlayer]]:
    """Return the most recent ratings, one per game."""
    newest: dict[str, RatedPlayer] = {}
    for discipline, rated in ratings.items():
        newest.setdefault(open_room(discipline.partition("/")[0]).title, rated)
    return list(newest.items())[:MAX_RATINGS]
