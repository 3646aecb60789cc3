"""The headers of all responses, with the content security policy."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trine.house.web.origins import Origins, host_in

FOR_EVER: Final = {"cache-control": "public, max-age=31536000, immutable"}
AN_HOUR: Final = {"cache-control": "public, max-age=3600"}
"""The caching of responses that change only with the program."""
FRESH: Final = {"cache-control": "no-store"}
KEEP: Final = {"x-keep": "1"}
"""The header of an immutable response, so that the browser can store it for offline use."""
SVG: Final = "image/svg+xml; charset=utf-8"
PICTURE: Final = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""The policy of a picture that is opened by itself: only its own styles are allowed."""


_HOST: Final = re.compile(r"[0-9A-Za-z.:\[\]-]+")
_EVERY_ANSWER: Final = ((b"x-content-type-options", b"nosniff"),)
_PAGES: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_KEPT: Final = next((name.encode(), value.encode()) for name, value in FOR_EVER.items())
"""The header of immutable responses. They are parts of pages, so they lack the headers of pages,
which are larger than many scripts, and their policy does not let them load anything."""
_NOTHING: Final = b"default-src 'none'; frame-ancestors 'none'"


def packed(
    request: Request, plain: bytes, kind: str, headers: Mapping[str, str], status: int = 200
) -> Response:
    """Return a response, compressed if the browser accepts that."""
    all_headers = {**headers, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        all_headers["content-encoding"] = "gzip"
        plain = gzip.compress(plain, 6, mtime=0)
    return Response(plain, status, all_headers, kind)


class Headers:
    """ASGI middleware that adds the headers to all responses."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = host_in(scope)
        # The requested host is put into the policy only if it is a name of the house.
        known = self._origins.has_name(host) and _HOST.fullmatch(host)
        sockets = f" ws://{host} wss://{host}" if known else ""
        secure = ((b"strict-transport-security", b"max-age=31536000"),)
        always = [*_EVERY_ANSWER, *(secure if scope["scheme"] == "https" else ())]
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self'{sockets}; form-action 'self'; base-uri 'none'; "
            "frame-ancestors 'none'; manifest-src 'self'"
        )

        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.setdefault("headers", [])
                kept = _KEPT in given
                given.extend(always if kept else [*always, *_PAGES])
                if not any(name == b"content-security-policy" for name, _ in given):
                    given.append(
                        (b"content-security-policy", _NOTHING if kept else policy.encode())
                    )
            await send(message)

        await self._app(scope, receive, send_with)
