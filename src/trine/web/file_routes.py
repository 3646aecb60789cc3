"""The files that pages need, and what tells how the house is."""

from __future__ import annotations

import hmac
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.web.headers import FOR_EVER, FRESH

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of files and figures."""
    files = _Files(site)
    return [
        Route("/static/{stamp}/{name:path}", files.static),
        Route("/healthz", files.health),
        Route("/metrics", files.figures),
    ]


class _Files:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def static(self, request: Request) -> Response:
        asset = self._site.assets.get(request.path_params["name"])
        if not asset or request.path_params["stamp"] != self._site.assets.stamp:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {**FOR_EVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(asset.packed, 200, headers, asset.kind)
        return Response(asset.plain, 200, headers, asset.kind)

    async def health(self, request: Request) -> Response:
        return Response("ok\n", 503 if self._site.house.closing else 200, FRESH, "text/plain")

    async def figures(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").encode()
        token = self._site.metrics_token
        if not token or not hmac.compare_digest(given, f"Bearer {token}".encode()):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(self._site.metrics.exposition(self._site.house), 200, FRESH, "text/plain")
