"""Neighbours are asked for in other threads, too, while addresses are noted."""

from __future__ import annotations

from itertools import count

from trine.house.people.neighbours import Neighbours


def test_neighbours_can_be_asked_for_while_addresses_are_noted() -> None:
    host = count(1)

    class Moment(float):
        """A moment; while somebody looks at it, one more address is noted."""

        def __ge__(self, other: float) -> bool:
            note()
            return super().__ge__(other)

    neighbours = Neighbours(lambda: Moment(0.0))

    def note() -> None:
        neighbours.note("a", f"8.8.8.{next(host)}")

    note()
    neighbours.note("b", "9.9.9.9")
    assert not neighbours.are_some(["a", "b"])
    assert next(host) > 2, "an address was noted meanwhile"
