"""Rate limits, and the origins from which requests and messages are accepted."""

from __future__ import annotations

import ipaddress
import math
import socket
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

WINDOW: Final = 20.0
"""Units: seconds; the time in which a rate limit is refilled."""
PLAYER, WATCHER, ADDRESS, SOCKETS = 100, 50, 2000, 64
"""The messages of a player, of a watcher and of an address in a window, and the number of sockets
of a person."""
LINES: Final = 6
"""The chat lines of a person in a window."""
QUARTER, HOUR = 900.0, 3600.0
"""Units: seconds; the windows for password attempts and for new accounts."""
STRANGERS: Final = 200
"""The password attempts at an account by all unknown addresses in a quarter of an hour."""
NEW, NEW_IN_CLUB = 20, 100
"""The accounts that may be created from one address in an hour, and from that of a club."""
LONGEST_PATH: Final = 1024
"""Units: characters."""
_FOR_MACHINES: Final = ("/healthz", "/metrics", "/where/")
_UNKNOWN_NAME: Final = "this house has another name; its host can add this one by --origin\n"
_MAX_KNOWN: Final = 20_000


def home_of(address: str, bits: int = 64) -> str:
    """Return the part of an address that is counted: of IPv6 addresses the network.

    Args: ``bits`` are 64 for one household, and 48 for what a provider gives to one customer.

    >>> home_of("2001:db8:1:2:3:4:5:6"), home_of("2001:db8:1:2::", 48), home_of("192.0.2.7")
    ('2001:db8:1:2::', '2001:db8:1::', '192.0.2.7')
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return address
    if known.ipv4_mapped:
        return str(known.ipv4_mapped)
    rest = 128 - bits
    return str(ipaddress.ip_address(int(known) >> rest << rest))


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


class Credits:
    """The credits of visitors, which come back with time.

    >>> credits = Credits(2)
    >>> credits.take("anna"), credits.take("anna"), credits.take("anna")
    (True, True, False)

    Who has all of them again is forgotten.

    >>> short = Credits(2, window=1e-9)
    >>> short.take("anna"), short.take("eve"), len(short)
    (True, True, 1)

    Who owes some is not.

    >>> debts = Credits(1, window=1e-3)
    >>> debts.charge("anna", 1e6)
    >>> time.sleep(2e-3)
    >>> debts.take("eve"), debts.has_some("anna")
    (True, False)

    Each can be told when there are enough again; who owes some waits for those, too.

    >>> owing = Credits(2)
    >>> owing.charge("anna", 5)
    >>> owing.wait("anna"), owing.wait("eve")
    (40, 0)
    """

    def __init__(self, most: float, window: float = WINDOW) -> None:
        self._most, self._window = most, window
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, cost: float = 1.0) -> bool:
        """Take credits; return whether there were enough."""
        now = time.monotonic()
        left = self._now(who, now)
        enough = left >= cost
        self._keep(who, left - cost if enough else left, now)
        return enough

    def spend(self, who: str, cost: float = 1.0) -> None:
        """Take credits; refuse the request if there are not enough, and say when there are."""
        if not self.take(who, cost):
            wait = {"retry-after": str(max(1, self.wait(who, cost)))}
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, headers=wait)

    def wait(self, who: str, cost: float = 1.0) -> int:
        """Units: seconds; return the time for `Retry-After`, after which this much is available."""
        missing = cost - self._now(who, time.monotonic())
        return max(0, math.ceil(missing * self._window / self._most))

    def has_some(self, who: str) -> bool:
        return self._now(who, time.monotonic()) > 0

    def debt(self, who: str) -> float:
        """Units: seconds; return the time until the debt is paid."""
        return -min(0.0, self._now(who, time.monotonic())) * self._window / self._most

    def charge(self, who: str, cost: float) -> None:
        """Charge for work that is done already; the key may be in debt afterwards."""
        now = time.monotonic()
        self._keep(who, self._now(who, now) - cost, now)

    def _now(self, who: str, now: float) -> float:
        left, since = self._left.get(who, (float(self._most), now))
        return min(self._most, left + (now - since) * self._most / self._window)

    def _keep(self, who: str, left: float, now: float) -> None:
        self._left[who] = (left, now)
        self._left.move_to_end(who)
        self._forget(now)

    def _forget(self, now: float) -> None:
        """Remove keys with full buckets, and keys beyond the largest number."""
        while self._left:
            who, (left, since) = next(iter(self._left.items()))
            if len(self._left) <= _MAX_KNOWN:
                if now - since < self._window:
                    return
                if left + (now - since) * self._most / self._window < self._most:
                    self._left.move_to_end(who)  # it is still in debt
                    return
            self._left.popitem(last=False)

    def __len__(self) -> int:
        return len(self._left)


class Logins:
    """The limits on attempts at passwords: for an account from an address, and for each alone.

    Strangers with many addresses can use up the attempts at an account. They cannot lock out its
    owner, who has attempts of their own where they are known.

    >>> logins = Logins()
    >>> {logins.may_try("anna", f"192.0.2.{one % 25}") for one in range(200)}
    {True}
    >>> logins.may_try("anna", "198.51.100.7"), logins.is_closed("anna")
    (False, True)
    >>> logins.may_try("anna", "192.0.2.1", known="the hash of her browser")
    True
    """

    def __init__(self) -> None:
        self._pair, self._account = Credits(10, QUARTER), Credits(STRANGERS, QUARTER)
        self._address = Credits(60, QUARTER)

    def may_try(self, account: str, address: str, known: str = "") -> bool:
        """Count an attempt; ``known`` is a browser or address where the owner is known."""
        address = home_of(address, 48)
        pair = self._pair.take(f"{known or address} {account}")
        if known:
            return pair
        return self._address.take(address) and pair and self._account.take(account)

    def is_closed(self, account: str) -> bool:
        """Return whether strangers have used up the attempts at an account."""
        return self._account.wait(account) > 0

    def open(self, account: str) -> None:
        """Reset the attempts at an account, after its owner has used a link from an e-mail."""
        self._account.charge(account, -STRANGERS)


class Origins:
    """The origins from which the house accepts requests: its own.

    The host name is checked too, because another site could point its own name at the house's
    address.
    """

    def __init__(self, allowed: Iterable[str] = (), node: str = "") -> None:
        """Create the list.

        Args: ``node`` is the address at which a proxy reaches this process, if it has one.
        """
        self._allowed = {origin.rstrip("/") for origin in allowed if origin}
        self._names = {"localhost", socket.gethostname().lower()}
        self._names |= {f"{name}.local" for name in self._names}
        given = {_name_of(urlsplit(one).netloc) for one in self._allowed} | {_name_of(node)}
        self._given_names = given - {""}

    def serves(self, host: str) -> bool:
        """Return whether the house answers requests to a `Host`: to all until it has an address.

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


def _name_of(host: str) -> str:
    """Return the name in a `Host`, without its port; empty where it has none.

    >>> _name_of("Example.org:8040"), _name_of("[::1]:80"), _name_of("[")
    ('example.org', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
