"""Neighbours: accounts that have lately been used from one network address.

Somebody who plays rated games with other accounts of their own is seen by this. Addresses are kept
in memory alone, and for a day.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

KEPT: Final = 86_400.0
"""Units: seconds; how long it is remembered that an account was used from an address."""
MOST_PEOPLE: Final = 20_000
MOST_ADDRESSES: Final = 8
"""The number of addresses remembered of one account."""


class Neighbours:
    """The addresses from which accounts have lately been used.

    >>> neighbours = Neighbours(lambda: 0.0)
    >>> for person, address in (("a", "8.8.8.8"), ("b", "8.8.8.8"), ("c", "9.9.9.9")):
    ...     neighbours.note(person, address)
    >>> neighbours.are_some(["a", "b"]), neighbours.are_some(["a", "c"])
    (True, False)

    Addresses of private networks say nothing: behind them is a club, or a proxy.

    >>> for person in ("d", "e"):
    ...     neighbours.note(person, "192.168.1.5")
    >>> neighbours.are_some(["d", "e"])
    False
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._seen: OrderedDict[str, dict[str, float]] = OrderedDict()

    def note(self, person: str, address: str) -> None:
        """Note that an account is used from an address."""
        if not _is_public(address):
            return
        now = self._now()
        seen = self._seen.setdefault(person, {})
        self._seen.move_to_end(person)
        seen.pop(address, None)
        seen[address] = now
        while len(seen) > MOST_ADDRESSES or next(iter(seen.values())) < now - KEPT:
            del seen[next(iter(seen))]
        while self._seen and (len(self._seen) > MOST_PEOPLE or self._is_old(now)):
            self._seen.popitem(last=False)

    def _is_old(self, now: float) -> bool:
        """Return whether nothing of the account that was noted longest ago is of use any more."""
        return max(next(iter(self._seen.values())).values()) < now - KEPT

    def has_used(self, person: str, address: str) -> bool:
        """Return whether an account has been used from an address.

        >>> neighbours = Neighbours(lambda: 0.0)
        >>> neighbours.note("a", "8.8.8.8")
        >>> neighbours.has_used("a", "8.8.8.8"), neighbours.has_used("a", "9.9.9.9")
        (True, False)
        """
        at = self._seen.get(person, {}).get(address)
        return at is not None and at >= self._now() - KEPT

    def are_some(self, people: Sequence[str]) -> bool:
        """Return whether two of these accounts have been used from one address.

        It may be asked beside the event loop, while addresses are noted: it looks at copies.
        """
        since = self._now() - KEPT
        known = [
            {address for address, at in seen.items() if at >= since}
            for seen in (self._seen.get(person, {}).copy() for person in people)
        ]
        return sum(map(len, known)) > len(set().union(*known))


def _is_public(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False
