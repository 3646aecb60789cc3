"""Rate limits: token buckets per key, and the limits on attempts at passwords."""

import ipaddress
import math
import time
from collections import OrderedDict
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException

WINDOW: Final = 20.0  # seconds to refill a bucket
PLAYER_MESSAGES, WATCHER_MESSAGES, ADDRESS_MESSAGES, MAX_SOCKETS = 100, 50, 2000, 64
"""The messages per window of a player, a watcher and an address; the sockets of a person."""
CHAT_LINES: Final = 6  # per person and window
QUARTER, HOUR = 900.0, 3600.0  # seconds
STRANGER_ATTEMPTS: Final = 200
"""The password attempts at an account by all unknown addresses in a quarter of an hour."""
NEW_ACCOUNTS, NEW_ACCOUNTS_IN_CLUB = 20, 100
"""The accounts that may be created from one address in an hour, and from a club's address."""
_MAX_KNOWN: Final = 20_000


def network_of(address: str, bits: int = 64) -> str:
    """Return the part of an address that is counted: of IPv6 addresses the network.

    ``bits`` are 64 for one household, and 48 for the network of a provider's customer.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("192.0.2.7")
    ('2001:db8:1:2::', '192.0.2.7')
    >>> network_of("2001:db8:1:2::", 48)
    '2001:db8:1::'
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


class RateLimiter:
    """A rate limiter: one token bucket per key, refilled with time.

    >>> credits = RateLimiter(2)
    >>> credits.take("anna"), credits.take("anna"), credits.take("anna")
    (True, True, False)

    A key with a full bucket is evicted.

    >>> short = RateLimiter(2, window=1e-9)
    >>> short.take("anna"), short.take("eve"), len(short)
    (True, True, 1)

    A key in debt is not.

    >>> debts = RateLimiter(1, window=1e-9)
    >>> debts.charge("anna", 1e15)
    >>> debts.take("eve"), debts.has_credit("anna")
    (True, False)

    The time to wait includes the time until a debt is paid.

    >>> owing = RateLimiter(2)
    >>> owing.charge("anna", 5)
    >>> owing.retry_after("anna"), owing.retry_after("eve")
    (40, 0)
    """

    def __init__(self, most: float, window: float = WINDOW) -> None:
        self._most, self._window = most, window
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> bool:
        """Take credits; return whether there were enough."""
        now = time.monotonic()
        left = self._now(key, now)
        enough = left >= cost
        self._store(key, left - cost if enough else left, now)
        return enough

    def require(self, key: str, cost: float = 1.0) -> None:
        """Take credits; if there are not enough, refuse the request with the time to wait."""
        if not self.take(key, cost):
            wait = {"retry-after": str(max(1, self.retry_after(key, cost)))}
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, headers=wait)

    def retry_after(self, key: str, cost: float = 1.0) -> int:
        """Return the time for `Retry-After`: until there are ``cost`` credits. Units: seconds."""
        missing = cost - self._now(key, time.monotonic())
        return max(0, math.ceil(missing * self._window / self._most))

    def has_credit(self, key: str) -> bool:
        return self._now(key, time.monotonic()) > 0

    def seconds_of_debt(self, key: str) -> float:
        """Return the time until the debt is paid. Units: seconds."""
        return -min(0.0, self._now(key, time.monotonic())) * self._window / self._most

    def charge(self, key: str, cost: float) -> None:
        """Charge for work that is already done; the key may be in debt afterwards."""
        now = time.monotonic()
        self._store(key, self._now(key, now) - cost, now)

    def _now(self, key: str, now: float) -> float:
        left, since = self._left.get(key, (float(self._most), now))
        return min(self._most, left + (now - since) * self._most / self._window)

    def _store(self, key: str, left: float, now: float) -> None:
        self._left[key] = (left, now)
        self._left.move_to_end(key)
        self._evict(now)

    def _evict(self, now: float) -> None:
        """Remove keys with full buckets, and keys beyond the maximum number."""
        while self._left:
            key, (left, since) = next(iter(self._left.items()))
            if len(self._left) <= _MAX_KNOWN:
                if now - since < self._window:
                    return
                if left + (now - since) * self._most / self._window < self._most:
                    self._left.move_to_end(key)  # the key is still in debt
                    return
            self._left.popitem(last=False)

    def __len__(self) -> int:
        return len(self._left)


class LoginLimiter:
    """The limits on attempts at passwords: by account and address, by account, and by address.

    Attempts from many unknown addresses can use up the attempts at an account. They cannot lock out
    its owner, who has separate attempts from browsers and addresses used before (``known``).

    >>> logins = LoginLimiter()
    >>> {logins.may_try("anna", f"192.0.2.{one % 25}") for one in range(200)}
    {True}
    >>> logins.may_try("anna", "198.51.100.7"), logins.is_exhausted("anna")
    (False, True)
    >>> logins.may_try("anna", "192.0.2.1", known="the hash of her browser")
    True
    """

    def __init__(self) -> None:
        self._pair, self._account = (
            RateLimiter(10, QUARTER),
            RateLimiter(STRANGER_ATTEMPTS, QUARTER),
        )
        self._address = RateLimiter(60, QUARTER)

    def may_try(self, account: str, address: str, known: str = "") -> bool:
        """Count an attempt, and return whether it is allowed."""
        address = network_of(address, 48)
        pair = self._pair.take(f"{known or address} {account}")
        if known:
            return pair
        return self._address.take(address) and pair and self._account.take(account)

    def is_exhausted(self, account: str) -> bool:
        """Return whether unknown addresses have used up the attempts at an account."""
        return self._account.retry_after(account) > 0

    def reset(self, account: str) -> None:
        """Reset the attempts at an account, after its owner has used a link from an e-mail."""
        self._account.charge(account, -STRANGER_ATTEMPTS)
