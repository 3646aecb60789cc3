"""The origins whose requests the house accepts, and its host names."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import SplitResult, urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

LONGEST_PATH: Final = 1024  # characters
_FOR_MACHINES: Final = ("/healthz", "/metrics", "/where/")
_UNKNOWN_NAME: Final = "this house has another name; its host can add this one by --origin\n"


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

    The host name is checked too, because another site could point its own name at the house's
    address.
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
