"""The errors with which games refuse requests."""

from __future__ import annotations

from trine.core.text.sentence import text
from trine.house.refusals import HouseError, NotHereError


class NoGameError(NotHereError):
    """The error of a game that does not exist."""

    def __init__(self) -> None:
        super().__init__(text("there is no such game here"))


class OutdatedError(HouseError):
    """The error of a request that was made before the game went on."""

    def __init__(self) -> None:
        super().__init__(text("the game has gone on meanwhile"))


class NotYoursError(HouseError):
    """The error of a person without a seat for the request."""

    def __init__(self) -> None:
        super().__init__(text("only players can do that, each at the own seat"))
