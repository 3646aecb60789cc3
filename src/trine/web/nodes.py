"""The processes of a house behind a proxy: each says where something is that another one has.

What another process has is answered with 421 (misdirected) and the address of that process in the
header `NODE`, requests and sockets alike, before anything is done; the proxy asks there again, so a
browser sees nothing of it. ``/where/PATH`` says the same of a path to a proxy that asks beforehand.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trine.house.lobby import LOBBY
from trine.store.refusals import HeldError
from trine.web.headers import FRESH

if TYPE_CHECKING:
    from trine.house.house import House
    from trine.web.site import Site

NODE: Final = "X-Trine-Node"
"""The header with the address of a process, as ``host:port``."""
MISDIRECTED, LATER = 421, 503
SOON: Final = {"retry-after": "1"}


def routes(site: Site) -> list[Route]:
    """The routes for proxies."""

    async def where(request: Request) -> Response:
        """Say where a path leads: ``game/ID…``, ``join/TOKEN``, ``lobby…``; a game's id will do."""
        site.charge(request, 1)
        node = await _node_of(site.house, request.path_params["path"])
        return JSONResponse({"node": node}, 200, {NODE: node, **FRESH})

    return [Route("/where/{path:path}", where)]


async def _node_of(house: House, path: str) -> str:
    """The process that has something, or this one where nobody has it."""
    kind, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    game = name if kind == "game" else kind
    if kind == "join":
        found = await asyncio.to_thread(house.store.invited_to, name)
        game = found[0] if found else ""
    if kind == LOBBY:
        home = await asyncio.to_thread(house.store.homes.of_duty, LOBBY)
    else:
        home = await asyncio.to_thread(house.store.homes.of_game, game)
    return home.address if home and home.holds else house.lease.address


def status_of(error: HeldError) -> int:
    """The status of an answer that leads elsewhere."""
    return MISDIRECTED if error.address else LATER


def headers_of(error: HeldError) -> dict[str, str]:
    """The headers of an answer that leads elsewhere, or asks to come again."""
    return {NODE: error.address} if error.address else SOON


def led_to(error: HeldError) -> Response:
    """The answer to a socket that belongs elsewhere."""
    return Response(None, status_of(error), headers_of(error) | FRESH)
