"""The page of people: those whom one follows, with who is online or plays, and the programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.games import open_room
from trine.house.games.games import Games
from trine.house.games.rated_player import RatedPlayer
from trine.house.games.snapshot import Snapshot
from trine.house.people.blocks import Blocks
from trine.house.people.following import Following
from trine.house.people.online import Online
from trine.house.people.person_rows import Person
from trine.house.search.search import Search
from trine.house.web.frame import Frame

MOST_RATINGS: Final = 2
"""The number of ratings that are shown of a person: those of the games rated last."""


@dataclass(frozen=True)
class PersonSeen:
    """An account as the page shows it."""

    name: str
    bot: bool
    online: bool
    playing: Snapshot | None
    """The game that is played now, if everybody may watch it."""
    ratings: Sequence[tuple[str, RatedPlayer]]
    """The titles of games, with the ratings."""

    @property
    def order(self) -> tuple[bool, bool]:
        """The sort key: who plays comes first, then who is online."""
        return self.playing is None, not self.online


def routes(
    frame: Frame[Person],
    search: Search,
    following: Following,
    blocks: Blocks,
    online: Online,
    games: Games,
    elsewhere: Callable[[], Sequence[Snapshot]],
) -> list[Route]:
    """The routes of the page of people.

    Args: ``elsewhere`` returns the games to watch in other processes.
    """

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
                _titled(known),
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
    """Return the games on a clock that everybody may watch now, by the ids of their players."""
    snapshots = [*elsewhere, *(host.snapshot for host in games.hosts)]
    return {
        seat.person: one
        for one in sorted(snapshots, key=lambda one: one.at)
        if one.state and not one.over and one.agreement.listed and not one.agreement.by_days
        for seat in one.seats
        if seat.person
    }


def _titled(ratings: Mapping[str, RatedPlayer]) -> list[tuple[str, RatedPlayer]]:
    """Return the newest ratings, each of another game."""
    newest: dict[str, RatedPlayer] = {}
    for discipline, rated in ratings.items():
        newest.setdefault(open_room(discipline.partition("/")[0]).title, rated)
    return list(newest.items())[:MOST_RATINGS]
