"""The pages on which games and people are searched."""

from __future__ import annotations

import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.games import open_room
from trine.house.search import GameFound
from trine.web import words
from trine.web.people_words import PEOPLE
from trine.web.program_words import CHALLENGES
from trine.web.refusing import refusal_of
from trine.web.search_words import SEARCH

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of the search."""
    pages = _SearchPages(site)
    return [Route("/search", pages.people), Route("/search/games", pages.games)]


class _SearchPages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def people(self, request: Request) -> Response:
        self._site.charge(request, 10)
        given = dict(request.query_params)
        name = given.get("name", "")
        found, after = await self._site.house.search.people(name, given.get("after", ""))
        code = self._site.language_of(request)
        return await self._site.show(
            request,
            "search_people.html",
            typed=name[:100],
            found=found,
            further=urlencode({"name": name, "after": after}) if after else "",
            date=_date,
            asked=bool(name.strip()),
            program=words.said(CHALLENGES, code)["program"],
            people=words.said(PEOPLE, code),
            told=words.said(SEARCH, code),
        )

    async def games(self, request: Request) -> Response:
        self._site.charge(request, 20)
        given = {name: value for name, value in request.query_params.items() if value}
        viewer = await self._site.person_of(request)
        found: Sequence[GameFound] = ()
        after, refusal = "", None
        try:
            found, after = await self._site.house.search.games(given, viewer)
        except TrineError as error:
            refusal = refusal_of(error)
        code = self._site.language_of(request)
        return await self._site.show(
            request,
            "search_games.html",
            HTTPStatus.BAD_REQUEST if refusal else HTTPStatus.OK,
            given=given,
            found=found,
            refusal=refusal,
            further=urlencode({**given, "after": after}) if after else "",
            sets=_rule_sets(given.get("game", "")),
            names=words.names_of,
            date=_date,
            people=words.said(PEOPLE, code),
            told=words.said(SEARCH, code),
        )


def _rule_sets(game: str) -> Sequence[tuple[str, str]]:
    """The rule sets of the game that was chosen, for a choice of them; none without a game."""
    try:
        return [(name, name) for name in open_room(game).rule_sets] if game else ()
    except TrineError:
        return ()


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
