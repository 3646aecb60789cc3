"""What a store refuses, and why.

::

    StoreError (a TrineError)
    ├── UnusableError     the database cannot be opened, read or written
    ├── BusyError         too much waits to be written
    ├── UnknownError      there is no such row
    ├── FencedError       another home has taken the game
    ├── StaleError        events do not follow the last one that is stored
    └── TakenError        somebody else sits there
"""

from __future__ import annotations

from typing import Self

from trine.core.errors import TrineError
from trine.core.text import text


class StoreError(TrineError):
    """The root of what a store refuses."""


class UnusableError(StoreError):
    """The database cannot be opened, read or written. What waited was not acknowledged."""

    @classmethod
    def because(cls, name: str, error: BaseException) -> Self:
        """What a driver or the system said, as an error of the house."""
        problem = str(getattr(error, "orig", None) or error)
        return cls(
            text("the database {name} cannot be used: {problem}", name=name, problem=problem)
        )


class BusyError(StoreError):
    """Too much waits to be written; nothing was taken in."""

    def __init__(self, waiting: int) -> None:
        super().__init__(text("{count} writes wait already; try again in a moment", count=waiting))


class UnknownError(StoreError):
    """There is no such row."""


class FencedError(StoreError):
    """Another home has taken the game since; who held it must forget it."""

    def __init__(self, game: str, epoch: int, held: int, home: str) -> None:
        super().__init__(
            text(
                "game {game} is at home in {home} since epoch {held}; epoch {epoch} is over",
                game=game,
                home=home,
                held=held,
                epoch=epoch,
            )
        )
        self.home = home


class StaleError(StoreError):
    """Events do not follow the last one that is stored."""

    def __init__(self, game: str, seq: int, last: int) -> None:
        super().__init__(
            text(
                "event {seq} of game {game} cannot follow event {last}",
                seq=seq,
                game=game,
                last=last,
            )
        )
        self.last = last


class TakenError(StoreError):
    """Somebody else sits there."""
