"""The errors of a store."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from trine.core.errors import TrineError
from trine.core.text.sentence import text


class StoreError(TrineError):
    """The base class of the errors of a store."""


class UnusableError(StoreError):
    """The database cannot be opened, read or written."""

    @classmethod
    def because(cls, name: str, error: BaseException) -> Self:
        """Return a driver's or the system's error as an error of the store."""
        problem = str(getattr(error, "orig", None) or error)
        return cls(
            text("the database {name} cannot be used: {problem}", name=name, problem=problem)
        )

    @classmethod
    @contextmanager
    def reported(cls, name: str, *errors: type[Exception]) -> Iterator[None]:
        """Raise a driver's or the system's errors as errors of the store."""
        try:
            yield
        except errors as error:
            raise cls.because(name, error) from error


class BusyError(StoreError):
    """Too many writes are waiting."""

    def __init__(self, waiting: int) -> None:
        super().__init__(text("{count} writes wait already; try again in a moment", count=waiting))


class MissingRowError(StoreError):
    """The row does not exist."""


class FencedError(StoreError):
    """Another process has taken the game; its former home must drop it."""

    def __init__(self, game_id: str, fencing_token: int, held: int, home: str) -> None:
        super().__init__(
            text(
                "game {game} is at home in {home}; its fencing token is {held}, not {token}",
                game=game_id,
                home=home,
                held=held,
                token=fencing_token,
            )
        )
        self.home = home


class HeldError(StoreError):
    """Another process of the house has the game or leads the role."""

    def __init__(self, node_address: str = "") -> None:
        where = node_address or "?"
        super().__init__(text("another process of the house has this, at {address}", address=where))
        self.node_address = node_address
        """The address of that process for a proxy; empty if it is not known yet."""


class StaleError(StoreError):
    """The events do not follow the last stored one."""

    def __init__(self, game_id: str, seq: int, last: int) -> None:
        super().__init__(
            text(
                "event {seq} of game {game} cannot follow event {last}",
                seq=seq,
                game=game_id,
                last=last,
            )
        )
        self.last = last


class TakenError(StoreError):
    """The seat is taken."""


class NameTakenError(StoreError):
    """Another account has this name, or one that looks like it."""

    default_text = text("this name, or one that looks like it, is taken")


class FormerNameError(NameTakenError):
    """Another account had this name before it was renamed."""

    default_text = text("this is the former name of an account, and leads to it")


class RetiredNameError(NameTakenError):
    """The account with this name was deleted."""

    default_text = text("this was the name of a deleted account and cannot be used again")


class TooManyError(StoreError):
    """The person has too many of something."""
