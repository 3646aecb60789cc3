"""The errors with which the house refuses requests of any subject."""

from __future__ import annotations

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house.store.store_errors import BusyError
from trine.house.web.refusing import is_fault


class HouseError(TrineError):
    """The root of the refusals of the house."""


class NotHereError(HouseError):
    """The error of something that does not exist under the given name."""


class TooMuchError(HouseError):
    """The error of more requests than can be answered now."""

    default_text = text("too much at once; try again in a moment")


class PaceError(TooMuchError):
    """The error of more requests by one person, or from one address, than their share.

    Args: ``seconds`` is the time after which a request is accepted again.
    """

    def __init__(self, seconds: int = 5) -> None:
        super().__init__()
        self.seconds = seconds


class BusyHouseError(HouseError):
    """The house is too busy for something that can wait."""

    default_text = text("the house is busy with turns; ask again in a minute")


class ClosingError(HouseError):
    """The error of a closing house, which accepts nothing more."""

    default_text = text("the house is closing; the game goes on when it is open again")


def is_momentary(error: Exception) -> bool:
    """Return whether the same request may be answered otherwise in a moment."""
    return is_fault(error) or isinstance(error, BusyError | TooMuchError | ClosingError)
