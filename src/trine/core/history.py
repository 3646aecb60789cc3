"""The number of occurrences of each position in a play, which is all that repetition rules need."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


class History:
    """The number of times that each position has occurred, the current one included.

    >>> history = History(["a", "b", "a"])
    >>> history.times("a"), history.repeated
    (2, True)
    >>> history.remove("a")
    >>> history.repeated
    False
    """

    __slots__ = ("_repeated", "_times")

    def __init__(self, keys: Iterable[Hashable] = ()) -> None:
        self._times: dict[Hashable, int] = {}
        self._repeated = 0
        for key in keys:
            self.add(key)

    @property
    def repeated(self) -> bool:
        """Whether any position has occurred twice; repetition rules apply only then."""
        return self._repeated > 0

    def times(self, key: Hashable) -> int:
        return self._times.get(key, 0)

    def copy(self) -> History:
        twin = History()
        twin._times, twin._repeated = dict(self._times), self._repeated
        return twin

    def add(self, key: Hashable) -> None:
        times = self._times[key] = self._times.get(key, 0) + 1
        self._repeated += times == 2

    def remove(self, key: Hashable) -> None:
        times = self._times[key] - 1
        self._repeated -= times == 1
        if times:
            self._times[key] = times
        else:
            del self._times[key]


NO_HISTORY = History()
"""The history of a position without predecessors; shared, so never add to it."""
