"""The errors with which a store refuses requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from trine.core.errors import TrineError
from trine.core.text.sentence import text


class StoreError(TrineError):
    """The root of the errors of a store."""


class UnusableError(StoreError):
    """The error of a database that cannot be opened, read or written."""

    @classmethod
    def because(cls, name: str, error: BaseException) -> Self:
        """Return an error of a driver or of the system as one of the store."""
        problem = str(getattr(error, "orig", None) or error)
        return cls(
            text("the database {name} cannot be used: {problem}", name=name, problem=problem)
        )

    @classmethod
    @contextmanager
    def reported(cls, name: str, *errors: type[Exception]) -> Iterator[None]:
        """Raise errors of a driver or of the system as those of the store."""
        try:
            yield
        except errors as error:
            raise cls.because(name, error) from error


class BusyError(StoreError):
    """The error of a write that was not accepted, since too many are waiting."""

    def __init__(self, waiting: int) -> None:
        super().__init__(text("{count} writes wait already; try again in a moment", count=waiting))


class UnknownError(StoreError):
    """The error of a row that does not exist."""


class FencedError(StoreError):
    """The error of a game that another home has taken; the former one must drop it."""

    def __init__(self, game: str, fencing_token: int, held: int, home: str) -> None:
        super().__init__(
            text(
                "game {game} is at home in {home}; its fencing token is {held}, not {token}",
                game=game,
                home=home,
                held=held,
                token=fencing_token,
            )
        )
        self.home = home


class HeldError(StoreError):
    """The error of something that another process of the house holds."""

    def __init__(self, address: str = "") -> None:
        where = address or "?"
        super().__init__(text("another process of the house has this, at {address}", address=where))
        self.address = address
        """Where a proxy reaches that process; empty if it is not known at this moment."""


class StaleError(StoreError):
    """The error of events that do not follow the last stored one."""

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
    """The error of a seat that is taken."""


class NameTakenError(StoreError):
    """The error of a name that another account has, or one that looks like it."""

    default_text = text("this name, or one that looks like it, is taken")


class FormerNameError(NameTakenError):
    """The error of a name that another account had before it was renamed."""

    default_text = text("this is the former name of an account, and leads to it")


class RetiredNameError(NameTakenError):
    """The error of a name whose account was deleted."""

    default_text = text("this was the name of a deleted account and cannot be used again")


class TooManyError(StoreError):
    """The error of a person who keeps too many of something."""
