"""What people are told of their games: that a turn waits, that a game has begun, or is over."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from functools import partial

from trine.house.agreement import Agreement
from trine.house.ratings import Write, together
from trine.session.state import State
from trine.store.notices import note
from trine.store.seat_rows import SeatRow


class Told(StrEnum):
    """The news of a game for a person."""

    TURN = "turn"
    """It is their turn."""
    REMINDER = "reminder"
    """The time for their turn runs short."""
    BEGAN = "began"
    """A game has begun in which another is to move first."""
    ENDED = "ended"
    CHALLENGED = "challenged"
    """Somebody invites them to a game."""


def notes_of(
    game: str,
    agreement: Agreement,
    seats: list[SeatRow],
    before: State | None,
    after: State,
    here: Collection[str | None] = (),
) -> Write | None:
    """What writes down that people are to be told of a change; None if nobody is.

    Args: ``here`` are those who see it happen.
    """
    if not agreement.by_days:
        return None
    if after.outcome:
        told = dict.fromkeys((seat.person for seat in seats), Told.ENDED)
    elif before and len(after.play.turns) <= len(before.play.turns):
        return None
    else:
        told = {} if before else dict.fromkeys((seat.person for seat in seats), Told.BEGAN)
        told[seats[after.play.mover].person] = Told.TURN
    return together(
        *(
            partial(note, person=person, about=game, kind=kind, at=after.at)
            for person, kind in told.items()
            if person and person not in here
        )
    )
