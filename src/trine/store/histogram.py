"""A count of values by size, for metrics."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable


class Histogram:
    """The numbers of values that were at most as large as each of some bounds.

    One thread observes; any thread may read, and sees each number as it is at that moment.

    >>> sizes = Histogram((1, 10))
    >>> for size in (1, 2, 3, 50):
    ...     sizes.observe(size)
    >>> sizes.cumulative(), sizes.count, sizes.total
    ([(1, 1), (10, 3)], 4, 56)
    """

    def __init__(self, bounds: Iterable[float]) -> None:
        self.bounds = tuple(sorted(bounds))
        self.count = 0
        self.total: float = 0
        self._counts = [0] * (len(self.bounds) + 1)

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self.bounds, value)] += 1
        self.total += value
        self.count += 1

    def cumulative(self) -> list[tuple[float, int]]:
        """Return each bound with the number of values up to it."""
        pairs, sum_so_far = [], 0
        for bound, count in zip(self.bounds, self._counts, strict=False):
            sum_so_far += count
            pairs.append((bound, sum_so_far))
        return pairs
