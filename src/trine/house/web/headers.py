"""HTTP headers: the origins and hosts that requests name, the policies and caching of responses."""

from __future__ import annotations

import gzip
import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import SplitResult, urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

IMMUTABLE: Final = {"cache-control": "public, max-age=31536000, immutable"}
AN_HOUR: Final = {"cache-control": "public, max-age=3600"}
"""The caching of responses that change only with the program."""
NO_STORE: Final = {"cache-control": "no-store"}
KEEP_OFFLINE: Final = {"x-keep": "1"}
"""The header of an immutable response, so that the browser can store it for offline use."""
SVG: Final = "image/svg+xml; charset=utf-8"
PICTURE: Final = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""The policy of a picture that is opened by itself: only its own styles are allowed."""
LONGEST_PATH: Final = 1024  # characters
_FOR_MACHINES: Final = ("/healthz", "/metrics", "/where/")
_UNKNOWN_NAME: Final = "this house has another name; its host can add this one by --origin\n"
_HOST: Final = re.compile(r"[0-9A-Za-z.:\[\]-]+")
_EVERY_ANSWER: Final = ((b"x-content-type-options", b"nosniff"),)
_PAGES: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_KEPT: Final = next((name.encode(), value.encode()) for name, value in IMMUTABLE.items())
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


def with_possible_paths(app: ASGIApp) -> ASGIApp:
    """Return an app that responds with 404 to impossible paths, without a lookup.

    PostgreSQL cannot be asked for a name with a NUL, nor can Python parse a number of 4,301 digits.
    """

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] == "http" and ("\0" in path or len(path) > LONGEST_PATH):
            await Response(status_code=HTTPStatus.NOT_FOUND)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return handle


def with_known_hosts(app: ASGIApp, origins: Origins) -> ASGIApp:
    """Return an app that refuses requests to host names that are not the house's.

    The paths of `_FOR_MACHINES` are excepted, because probes and proxies may not know the name.
    """

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await app(scope, receive, send)
            return
        host = host_in(scope)
        if origins.serves(host) or scope["path"].startswith(_FOR_MACHINES):
            await app(scope, receive, send)
        elif scope["type"] == "http":
            await Response(_UNKNOWN_NAME, 400, media_type="text/plain")(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    return handle


def host_in(scope: Scope) -> str:
    """Return the `Host` of a request; empty if it has none."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return str(host.decode("latin-1"))


class Origins:
    """The origins whose requests the house accepts: its own.

    The host name is checked too, because another site could point its name at the house.
    """

    def __init__(self, allowed: Iterable[str] = (), node: str = "") -> None:
        """Create the list; ``node`` is the address of this process for a proxy, if it has one."""
        self._allowed = {origin.rstrip("/") for origin in allowed if origin}
        self._names = {"localhost", socket.gethostname().lower()}
        self._names |= {f"{name}.local" for name in self._names}
        given = {_name_of(urlsplit(one).netloc) for one in self._allowed} | {_name_of(node)}
        self._given_names = given - {""}

    def serves(self, host: str) -> bool:
        """Return whether the house answers requests to a `Host`; without an address, to all.

        >>> Origins().serves("evil.example")
        True
        >>> house = Origins(["https://trine.example.org"])
        >>> [house.serves(one) for one in ("trine.example.org:443", "[::1]", "evil.example")]
        [True, True, False]
        """
        return not self._allowed or self.has_name(host)

    def has_name(self, host: str) -> bool:
        """Return whether a `Host` names the house or its machine, with any port."""
        return self.knows(host) or _name_of(host) in self._given_names

    def is_own(self, headers: Mapping[str, str], scheme: str) -> bool:
        """Return whether a request with these headers comes from a page of the house."""
        origin, host = headers.get("origin", ""), headers.get("host", "")
        if origin in self._allowed:
            return True
        secure = scheme in ("https", "wss")
        return origin == f"{'https' if secure else 'http'}://{host}" and self.knows(host)

    def origin_of(self, headers: Mapping[str, str], scheme: str) -> str:
        """Return the origin for links to the house, as the visitor's browser knows it."""
        host = headers.get("host", "")
        if self.is_own(headers, scheme):
            return headers["origin"]
        known = (origin for origin in self._allowed if urlsplit(origin).netloc == host)
        return next(known, f"{scheme}://{host}")

    def knows(self, host: str) -> bool:
        name = _name_of(host)
        if any(urlsplit(origin).netloc == host for origin in self._allowed):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return True


def split_url(url: str) -> SplitResult:
    """Return the parts of a URL from a header; all are empty if it is malformed.

    >>> split_url("https://example.org:8040/").port, split_url("http://[").netloc
    (8040, '')
    """
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _name_of(host: str) -> str:
    """Return the name in a `Host`, without its port; empty if it has none.

    >>> _name_of("Example.org:8040"), _name_of("[::1]:80"), _name_of("[")
    ('example.org', '::1', '')
    """
    return split_url(f"//{host}").hostname or ""
