"""The seat for which a command is meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from trine.house.games.asked import Asked, Moment
from trine.house.games.live_game import Change, LiveGame
from trine.house.games.refusals import NotYoursError, OutdatedError

Given = ParamSpec("Given")
Command = Callable[Concatenate[LiveGame, Asked, Moment, Given], Change]
"""A command of a player."""
HouseCommand = Callable[[LiveGame, Moment], Change | None]
"""A command of the house itself; None where there is nothing to do."""


def seat_for(game: LiveGame, asked: Asked, seat: int | None = None) -> int:
    """The seat for which a person acts; where it is not said, that to move or the only one.

    Raises:
        NotYoursError: the person has none, or not that one.
    """
    own = game.seats_of(asked.person)
    if seat is None and game.state and game.state.play.mover in own:
        seat = game.state.play.mover
    if seat is None and own:
        seat = min(own)
    if seat is None or seat not in own:
        raise NotYoursError
    return seat


def check_seen(game: LiveGame, asked: Asked) -> None:
    """Check that a command was given for the play as it stands.

    Raises:
        OutdatedError: the play has gone on since.
    """
    if asked.seen is not None and asked.seen < game.turn_seq:
        raise OutdatedError
