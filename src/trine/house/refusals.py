"""The refusals of the house, with their reasons."""

from __future__ import annotations

from trine.core.errors import TrineError
from trine.core.text import text


class HouseError(TrineError):
    """The root of what the house refuses."""


class NoGameError(HouseError):
    """There is no such game."""

    def __init__(self) -> None:
        super().__init__(text("there is no such game here"))


class NoStudyError(NoGameError):
    """There is no such analysis."""

    def __init__(self) -> None:
        TrineError.__init__(self, text("there is no such analysis here"))


class OutdatedError(HouseError):
    """The game has gone on since whoever asks has seen it."""

    def __init__(self) -> None:
        super().__init__(text("the game has gone on meanwhile"))


class NotYoursError(HouseError):
    """The person who asks has no seat for it."""

    def __init__(self) -> None:
        super().__init__(text("only players can do that, each at the own seat"))


class TooMuchError(HouseError):
    """More is asked of a game than it can answer."""

    def __init__(self) -> None:
        super().__init__(text("too much at once; try again in a moment"))


class ClosingError(HouseError):
    """The house closes, and takes nothing in any more."""

    def __init__(self) -> None:
        super().__init__(text("the house is closing; the game goes on when it is open again"))
