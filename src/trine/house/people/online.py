"""The people online: accounts that have lately asked for a page, or have one open that listens."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from typing import Final

from trine.house.background import Now

STAYS: Final = 120.0
"""Units: seconds; how long somebody counts as online after the last request. Guess."""


class Online:
    """The accounts that are online, in all processes; this is kept in memory alone.

    >>> online = Online(lambda: 0.0)
    >>> online.note("a")
    >>> online.hear(["b"])
    >>> online.has("a"), online.has("b"), online.has("c"), online.here()
    (True, True, False, {'a'})
    """

    def __init__(self, now: Now) -> None:
        self._now = now
        self._seen: OrderedDict[str, float] = OrderedDict()
        """When accounts were seen here, the one first that has not been for longest."""
        self._heard: OrderedDict[str, float] = OrderedDict()
        """When other processes told of accounts, likewise."""
        self.connected: list[Callable[[], Collection[str]]] = []
        """Functions that return whom a connection to this process keeps online."""

    def note(self, person: str) -> None:
        self._put(self._seen, person)

    def hear(self, people: Iterable[str]) -> None:
        for person in people:
            self._put(self._heard, person)

    def has(self, person: str) -> bool:
        late = self._now() - STAYS
        known = (times.get(person, late) > late for times in (self._seen, self._heard))
        return any(known) or any(person in of() for of in self.connected)

    def here(self) -> set[str]:
        self._sweep(self._seen)
        return {*self._seen, *(person for of in self.connected for person in of())}

    def _put(self, times: OrderedDict[str, float], person: str) -> None:
        times[person] = self._now()
        times.move_to_end(person)
        self._sweep(times)

    def _sweep(self, times: OrderedDict[str, float]) -> None:
        late = self._now() - STAYS
        while times and next(iter(times.values())) <= late:
            times.popitem(last=False)
