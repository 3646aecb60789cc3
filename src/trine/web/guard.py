"""The limits on speaking to the house: by whom, from where, and how much."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

WINDOW: Final = 20.0
"""Units: seconds; credits come back within it."""
PLAYER, WATCHER, ADDRESS, SOCKETS = 100, 50, 2000, 64
"""Messages of a player, of a watcher, of one address, in a window; and sockets of one person."""
LINES: Final = 6
"""Lines of chat of a person in a window."""
QUARTER, HOUR = 900.0, 3600.0
"""Units: seconds; the windows of passwords that are tried, and of accounts that are created."""
NEW: Final = 20
"""Accounts that may be created from one address in an hour."""
_MOST_KNOWN: Final = 20_000


def home_of(address: str) -> str:
    """Return what counts as one address: of the long ones the half that names a home's network.

    >>> home_of("2001:db8:1:2:3:4:5:6"), home_of("192.0.2.7")
    ('2001:db8:1:2::', '192.0.2.7')
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return address
    if known.ipv4_mapped:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_address(int(known) >> 64 << 64))


class Credits:
    """The amount that a visitor may still say; it comes back with time.

    >>> credits = Credits(2)
    >>> credits.take("anna"), credits.take("anna"), credits.take("anna")
    (True, True, False)

    Who has all of them again is forgotten.

    >>> short = Credits(2, window=1e-9)
    >>> short.take("anna"), short.take("eve"), len(short)
    (True, True, 1)
    """

    def __init__(self, most: int, window: float = WINDOW) -> None:
        self._most, self._window = most, window
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, cost: float = 1.0) -> bool:
        """Take credits; whether there were enough."""
        now = time.monotonic()
        left, since = self._left.pop(who, (float(self._most), now))
        left = min(self._most, left + (now - since) * self._most / self._window)
        enough = left >= cost
        self._left[who] = (left - cost if enough else left, now)
        self._forget(now)
        return enough

    def _forget(self, now: float) -> None:
        """Forget visitors who have all credits again, and those who would be too many."""
        while self._left:
            _, since = next(iter(self._left.values()))
            if now - since < self._window and len(self._left) <= _MOST_KNOWN:
                return
            self._left.popitem(last=False)

    def __len__(self) -> int:
        return len(self._left)


class Logins:
    """The passwords that may be tried: for one account from one address, and for each alone.

    So nobody can lock an owner out who comes from elsewhere, short of very many addresses.
    """

    def __init__(self) -> None:
        self._pair, self._account = Credits(10, QUARTER), Credits(200, QUARTER)
        self._address = Credits(60, QUARTER)

    def may_try(self, account: str, address: str) -> bool:
        """Whether one more password may be tried."""
        pair = self._pair.take(f"{address} {account}")
        return self._address.take(address) and pair and self._account.take(account)


class Origins:
    """From which pages the house may be spoken to: its own.

    The name of the host is looked at too: a page elsewhere could have its own name lead here, but
    not an address.
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = {origin.rstrip("/") for origin in allowed}
        self._names = {"localhost", socket.gethostname().lower()}
        self._names |= {f"{name}.local" for name in self._names}

    def is_own(self, headers: Mapping[str, str], scheme: str) -> bool:
        """Whether what comes with these headers comes from a page of the house."""
        origin, host = headers.get("origin", ""), headers.get("host", "")
        if origin in self._allowed:
            return True
        secure = scheme in ("https", "wss")
        return origin == f"{'https' if secure else 'http'}://{host}" and self.knows(host)

    def origin_of(self, headers: Mapping[str, str], scheme: str) -> str:
        """The page from which a request comes, or which it asks for, of those of the house."""
        host = headers.get("host", "")
        given = headers.get("origin") or next(
            (origin for origin in self._allowed if urlsplit(origin).netloc == host), ""
        )
        return given or f"{scheme}://{host}"

    def knows(self, host: str) -> bool:
        """Whether a host is one by which the house is called."""
        name = urlsplit(f"//{host}").hostname or ""
        if any(urlsplit(origin).netloc == host for origin in self._allowed):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return True
