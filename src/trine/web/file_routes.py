"""The files that pages need, and what tells how the house is."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trine.house.accounts import ADMIN
from trine.web import words
from trine.web.headers import FOR_EVER, FRESH, packed

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of files and figures."""
    files = _Files(site)
    return [
        Route("/static/{stamp}/{name:path}", files.static),
        Route("/worker.js", files.worker),
        Route("/news/worker.js", files.news_worker),
        Route("/manifest.webmanifest", files.manifest),
        Route("/offline", files.offline),
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

    async def worker(self, request: Request) -> Response:
        """The service worker, which is another one for other files."""
        return self._worker(request, "worker.js")

    async def news_worker(self, request: Request) -> Response:
        """The worker of devices on which people are told news."""
        return self._worker(request, "news-worker.js")

    def _worker(self, request: Request, name: str) -> Response:
        asset = self._site.assets.get(name)
        assert asset
        code = f'self.STAMP = "{self._site.assets.stamp}";\n'.encode() + asset.plain
        return packed(request, code, asset.kind, {"cache-control": "no-cache"})

    async def manifest(self, request: Request) -> Response:
        """The manifest with which a device can install the house as an app."""
        icons: list[dict[str, str]] = [
            {
                "src": self._site.assets.url(f"icon-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size in (192, 512)
            for purpose in ("any", "maskable")
        ]
        about = {
            "id": "/",
            "name": "trine",
            "short_name": "trine",
            "description": self._site.say(request, words.PAGE["home_line"]),
            "lang": self._site.language_of(request),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#faf7f1",
            "theme_color": "#faf7f1",
            "icons": icons,
        }
        return JSONResponse(about, headers=FRESH, media_type="application/manifest+json")

    async def offline(self, request: Request) -> Response:
        """The page that is shown where there is no connection."""
        return await self._site.show(request, "offline.html")

    async def health(self, request: Request) -> Response:
        return Response("ok\n", 503 if self._site.house.closing else 200, FRESH, "text/plain")

    async def figures(self, request: Request) -> Response:
        given = request.headers.get("authorization", "")
        by_token = self._site.metrics_token and given == f"Bearer {self._site.metrics_token}"
        if not by_token and not await self._is_admin(request):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(self._site.metrics.exposition(self._site.house), 200, FRESH, "text/plain")

    async def _is_admin(self, request: Request) -> bool:
        person = await self._site.person_of(request)
        account = await self._site.house.accounts.of(person)
        return account is not None and account.role == ADMIN
