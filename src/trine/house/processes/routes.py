"""The processes of a house: the health of each, and which of them has an object.

A request or socket for an object of another process is answered at once with 421 (misdirected) and
that process's address in the header `NODE`. The proxy then asks there, unseen by the browser.
``/where/PATH`` tells a proxy the same beforehand.
"""

import asyncio
import math
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trine.house.background import Report
from trine.house.games.live.games import Games
from trine.house.games.storage.tables import invited_to
from trine.house.lobby.lobby import LOBBY
from trine.house.people.accounts import Accounts
from trine.house.people.tables import Person
from trine.house.processes.tables import home_of, leader_of
from trine.house.store.store import Store
from trine.house.store.store_errors import HeldError
from trine.house.web.frame import Frame
from trine.house.web.headers import NO_STORE

NODE: Final = "X-Trine-Node"  # the header with a process's address, as ``host:port``
MISDIRECTED, LATER = 421, 503
RETRY_AFTER: Final = {"retry-after": "1"}
POLL_INTERVAL: Final = 1.0  # seconds between checks of the database
DATABASE_TIMEOUT: Final = 5.0  # seconds; guess


def routes(
    frame: Frame[Person],
    store: Store,
    accounts: Accounts,
    games: Games,
    node_address: str,
    metrics_token: str,
) -> list[Route]:
    """Return the routes for proxies and operators of the process with an ``node_address``.

    A request with ``metrics_token`` may read the metrics, like an administrator.
    """

    async def where(request: Request) -> Response:
        """Answer which process has a path: ``game/ID…``, ``join/TOKEN``, ``lobby…``, or an id."""
        frame.charge(request, 1)
        node = await _node_of(store, request.path_params["path"]) or node_address
        return JSONResponse({"node": node}, 200, {NODE: node, **NO_STORE})

    health = _Health(store, games, frame.report)

    async def live(request: Request) -> Response:
        return JSONResponse({"live": True}, 200, NO_STORE)

    async def ready(request: Request) -> Response:
        """Answer whether games can be played in this process, and if not, why."""
        why = await health.why_not()
        state = {"live": True, "ready": not why} | ({"why": why} if why else {})
        return JSONResponse(state, LATER if why else 200, NO_STORE)

    async def figures(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        by_token = metrics_token and given == f"Bearer {metrics_token}"
        if not by_token:
            account = await accounts.of(await frame.person_of(request))
            if not account or not account.admin:
                raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(frame.metrics.exposition(), 200, NO_STORE, "text/plain")

    # A single process need not direct a proxy, and its address is not public.
    led = [Route("/where/{path:path}", where)] if store.shared else []
    return [
        *led,
        Route("/healthz", ready),
        Route("/healthz/live", live),
        Route("/metrics", figures),
    ]


class _Health:
    """The health of this process: whether games can be played in it."""

    def __init__(self, store: Store, games: Games, report: Report) -> None:
        self._store, self._games, self._report = store, games, report
        self._looking = asyncio.Lock()
        self._looked_at, self._why = -math.inf, ""

    async def why_not(self) -> str:
        """Return the reason why games cannot be played; empty if they can."""
        if self._games.closing:
            return "closing"
        async with self._looking:
            if abs(self._store.now() - self._looked_at) > POLL_INTERVAL:
                before, self._why = self._why, ""
                try:
                    async with asyncio.timeout(DATABASE_TIMEOUT):
                        await self._store.check()
                except Exception as error:  # any failure means that games cannot be played
                    self._why = "database"
                    if not before:
                        self._report("the house is not ready", error)
                self._looked_at = self._store.now()
            return self._why


async def _node_of(store: Store, path: str) -> str:
    """Return the address of the process that has an object; empty if none has it."""
    kind, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    game = name if kind == "game" else kind
    if kind == "join":
        found = await store.fetch(invited_to, name)
        game = found[0] if found else ""
    if kind == LOBBY:
        home = await store.fetch(leader_of, LOBBY)
    else:
        home = await store.fetch(home_of, game)
    return home.address if home and home.holds else ""


def elsewhere(error: HeldError) -> tuple[int, dict[str, str]]:
    """Return the status and headers that redirect to another process, or ask to retry."""
    return (MISDIRECTED, {NODE: error.node_address}) if error.node_address else (LATER, RETRY_AFTER)
