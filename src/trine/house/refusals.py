"""Errors of requests that the house refuses."""

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house.store.store_errors import BusyError
from trine.house.web.refusing import is_internal


class HouseError(TrineError):
    """The base class of errors of refused requests."""


class NotFoundError(HouseError):
    """The requested object does not exist."""


class OverloadedError(HouseError):
    """There are more requests than the house can answer now."""

    default_text = text("too much at once; try again in a moment")


class PaceError(OverloadedError):
    """A person or address exceeds its share of requests, and must wait some ``seconds``."""

    def __init__(self, seconds: int = 5) -> None:
        super().__init__()
        self.seconds = seconds


class BusyHouseError(HouseError):
    """The house is too busy for work that can wait."""

    default_text = text("the house is busy with turns; ask again in a minute")


class ShuttingDownError(HouseError):
    """The house is shutting down and accepts no more work."""

    default_text = text("the house is closing; the game goes on when it is open again")


def is_momentary(error: Exception) -> bool:
    """Return whether an equal request may succeed if it is sent again soon."""
    return is_internal(error) or isinstance(error, BusyError | OverloadedError | ShuttingDownError)
