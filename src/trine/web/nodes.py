"""The processes of a house behind a proxy: each says where something is that another one has.

What another process has is answered with 421 (misdirected) and the address of that process in the
header `NODE`, requests and sockets alike, before anything is done; the proxy asks there again, so a
browser sees nothing of it. ``/where/GAME`` says the same to a proxy that wants to know beforehand.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trine.house.refusals import NoGameError
from trine.store.refusals import HeldError
from trine.web.headers import FRESH

if TYPE_CHECKING:
    from trine.web.site import Site

NODE: Final = "X-Trine-Node"
"""The header with the address of a process, as ``host:port``."""
MISDIRECTED, LATER = 421, 503
SOON: Final = {"retry-after": "1"}


def routes(site: Site) -> list[Route]:
    """The routes for proxies."""

    async def where(request: Request) -> Response:
        site.charge(request, 1)
        game = request.path_params["id"]
        store, lease = site.house.store, site.house.lease
        if await asyncio.to_thread(store.game, game) is None:
            raise NoGameError
        found = await asyncio.to_thread(store.home_of, game)
        # What nobody holds is taken by whoever is asked for it.
        node = found.address if found and found.holds else lease.address
        return JSONResponse({"game": game, "node": node}, 200, {NODE: node, **FRESH})

    return [Route("/where/{id}", where)]


def status_of(error: HeldError) -> int:
    """The status of an answer that leads elsewhere."""
    return MISDIRECTED if error.address else LATER


def headers_of(error: HeldError) -> dict[str, str]:
    """The headers of an answer that leads elsewhere, or asks to come again."""
    return {NODE: error.address} if error.address else SOON


def led_to(error: HeldError) -> Response:
    """The answer to a socket that belongs elsewhere."""
    return Response(None, status_of(error), headers_of(error) | FRESH)
