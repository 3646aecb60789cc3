"""The files that pages need, the page without a connection, and the choice of a language."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.language import LANGUAGES
from trine.core.text.sentence import text
from trine.house.web.frame import Frame
from trine.house.web.headers import FOR_EVER, FRESH, packed
from trine.house.web.visitors import LANGUAGE, SECURE, YEAR

PURPOSE: Final = text("Three games of pure thought. Choose one and play.")


def routes(frame: Frame[Any]) -> list[Route]:
    """The routes of files, and of everything else that all pages need."""
    files = _Files(frame)
    return [
        Route("/static/{stamp}/{name:path}", files.static),
        Route("/worker.js", files.worker),
        Route("/news/worker.js", files.news_worker),
        Route("/manifest.webmanifest", files.manifest),
        Route("/offline", files.offline),
        Route("/language/{code}", files.speak),
    ]


class _Files:
    def __init__(self, frame: Frame[Any]) -> None:
        self._frame = frame

    async def static(self, request: Request) -> Response:
        asset = self._frame.assets.get(request.path_params["name"])
        if not asset or request.path_params["stamp"] != self._frame.assets.stamp:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {**FOR_EVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(asset.packed, 200, headers, asset.kind)
        return Response(asset.plain, 200, headers, asset.kind)

    async def worker(self, request: Request) -> Response:
        """Answer with the service worker, which changes with the files."""
        return self._worker(request, "page/worker.js")

    async def news_worker(self, request: Request) -> Response:
        """Answer with the worker for notifications."""
        return self._worker(request, "letters/news-worker.js")

    def _worker(self, request: Request, name: str) -> Response:
        asset = self._frame.assets.get(name)
        assert asset
        code = f'self.STAMP = "{self._frame.assets.stamp}";\n'.encode() + asset.plain
        return packed(request, code, asset.kind, {"cache-control": "no-cache"})

    async def manifest(self, request: Request) -> Response:
        """Answer with the manifest, with which a device can install the house as an app."""
        icons: list[dict[str, str]] = [
            {
                "src": self._frame.assets.url(f"icons/icon-{size}.png"),
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
            "description": self._frame.say(
                request, text("Three games of pure thought. Choose one and play.")
            ),
            "lang": self._frame.language_of(request),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#faf7f1",
            "theme_color": "#faf7f1",
            "icons": icons,
        }
        return JSONResponse(about, headers=FRESH, media_type="application/manifest+json")

    async def offline(self, request: Request) -> Response:
        """Answer with the page that is shown without a connection."""
        return await self._frame.show(request, "offline.html")

    async def speak(self, request: Request) -> Response:
        """Set the language, and go back."""
        code = request.path_params["code"]
        if code not in LANGUAGES:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        back = request.query_params.get("back", "/")
        safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
        response = RedirectResponse(safe, 303)
        secure = request.url.scheme in SECURE
        response.set_cookie(LANGUAGE, code, max_age=YEAR, samesite="lax", secure=secure)
        return response
