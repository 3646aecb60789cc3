"""What people are told of their games by letter: that a turn waits, and that a game is over."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from trine.house.agreement import Agreement
from trine.house.ratings import Write, together
from trine.session.state import State
from trine.store.notices import note
from trine.store.seat_rows import SeatRow


class Told(StrEnum):
    """What a person is told of a game."""

    TURN = "turn"
    """It is their turn."""
    REMINDER = "reminder"
    """The time for their turn runs short."""
    ENDED = "ended"


def notes_of(
    game: str,
    agreement: Agreement,
    seats: list[SeatRow],
    before: State | None,
    after: State,
    actor: str | None = None,
) -> Write | None:
    """What writes down that people are to be told of a change; None if nobody is.

    Args: ``actor`` has brought it about, and knows.
    """
    if not agreement.by_days:
        return None
    if after.outcome:
        people = {seat.person for seat in seats if seat.person} - {actor}
        return together(
            *(partial(note, person=one, game=game, kind=Told.ENDED, at=after.at) for one in people)
        )
    if before and len(after.play.turns) <= len(before.play.turns):
        return None
    mover = seats[after.play.mover].person
    if not mover or mover == actor:
        return None
    return partial(note, person=mover, game=game, kind=Told.TURN, at=after.at)
