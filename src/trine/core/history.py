"""How often each position has stood in a play: all that repetition rules ask for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


class History:
    """Counts the positions that have stood, the present one included.

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
        """Whether any position has stood more than once; while not, no repetition rule can bite."""
        return self._repeated > 0

    def times(self, key: Hashable) -> int:
        """How often the position with this key has stood."""
        return self._times.get(key, 0)

    def copy(self) -> History:
        """The same counts, to go on from apart."""
        twin = History()
        twin._times, twin._repeated = dict(self._times), self._repeated
        return twin

    def add(self, key: Hashable) -> None:
        """Let a position stand once more."""
        times = self._times[key] = self._times.get(key, 0) + 1
        self._repeated += times == 2

    def remove(self, key: Hashable) -> None:
        """Take back one standing of a position."""
        times = self._times[key] - 1
        self._repeated -= times == 1
        if times:
            self._times[key] = times
        else:
            del self._times[key]


FIRST_STANDING = History()
"""The history of a position that nothing came before; read it, never add to it."""
