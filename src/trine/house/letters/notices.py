"""Notices of games: a turn is waiting, a game has begun, or is over."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from trine.house.games.follows import Context, Write, ends, together
from trine.house.games.live_game import LiveGame
from trine.house.letters.notice_rows import note


class Told(StrEnum):
    """The kinds of notices."""

    TURN = "turn"
    """It is their turn."""
    REMINDER = "reminder"
    """The time for their turn runs short."""
    BEGAN = "began"
    """A game has begun in which another is to move first."""
    ENDED = "ended"
    CHALLENGED = "challenged"
    """They are challenged to a game."""


def tell_players(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Return the write of the notices of a change in a game by correspondence."""
    state = after.state
    if not state or not after.agreement.by_days:
        return None
    people = [seat.person for seat in after.seats]
    if ends(before, after):
        told = dict.fromkeys(people, Told.ENDED)
    elif after.over or (before.state and len(state.play.turns) <= len(before.state.play.turns)):
        return None
    else:
        told = {} if before.state else dict.fromkeys(people, Told.BEGAN)
        told[people[state.play.mover]] = Told.TURN
    return together(
        *(
            partial(note, person=person, about=after.game, kind=kind, at=state.at)
            for person, kind in told.items()
            if person and not context.sees(person)
        )
    )


def remind(person: str, game: str, at: float) -> Write:
    """Return the write of the notice that the time for a turn runs short."""
    return partial(note, person=person, about=game, kind=Told.REMINDER, at=at)
