"""The accounts online: those with a recent request, or with a page open on a socket."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from typing import Final

from trine.house.background import Now

ONLINE_TIMEOUT: Final = 120.0  # seconds after the last request; guess


class Online:
    """The accounts online in all processes; kept in memory only.

    >>> online = Online(lambda: 0.0)
    >>> online.note("a")
    >>> online.hear(["b"])
    >>> online.has("a"), online.has("b"), online.has("c"), online.here()
    (True, True, False, {'a'})
    """

    def __init__(self, now: Now) -> None:
        self._now = now
        self._seen: OrderedDict[str, float] = OrderedDict()
        """The time of each account's last request to this process, the oldest first."""
        self._heard: OrderedDict[str, float] = OrderedDict()
        """The time when another process last reported each account, the oldest first."""
        self.connected: list[Callable[[], Collection[str]]] = []
        """Functions that return the accounts with an open connection to this process."""

    def note(self, person_id: str) -> None:
        self._put(self._seen, person_id)

    def hear(self, people: Iterable[str]) -> None:
        for person in people:
            self._put(self._heard, person)

    def has(self, person_id: str) -> bool:
        late = self._now() - ONLINE_TIMEOUT
        known = (times.get(person_id, late) > late for times in (self._seen, self._heard))
        return any(known) or any(person_id in of() for of in self.connected)

    def here(self) -> set[str]:
        self._sweep(self._seen)
        return {*self._seen, *(person for of in self.connected for person in of())}

    def _put(self, times: OrderedDict[str, float], person_id: str) -> None:
        times[person_id] = self._now()
        times.move_to_end(person_id)
        self._sweep(times)

    def _sweep(self, times: OrderedDict[str, float]) -> None:
        late = self._now() - ONLINE_TIMEOUT
        while times and next(iter(times.values())) <= late:
            times.popitem(last=False)
