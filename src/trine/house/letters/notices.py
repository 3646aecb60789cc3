"""Notices of games: a turn or an offer is waiting, a game has begun, or is over."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Final

from trine.house.games.follows import Context, Write, ends, together
from trine.house.games.live_game import LiveGame
from trine.house.letters.notice_rows import note, withdraw
from trine.play.session.offers import DRAW, TAKEBACK


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
    DRAW = "draw"
    """A draw is offered to them."""
    TAKEBACK = "takeback"
    """They are asked to let a turn be taken back."""
    OFFER = "offer"
    """They are asked for something else."""


OFFERS: Final = {DRAW: Told.DRAW, TAKEBACK: Told.TAKEBACK}
"""The notices of offers; `Told.OFFER` of all others."""


def tell_players(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Return the write of the notices of a change in a game by correspondence."""
    state = after.state
    if not state or not after.agreement.by_days:
        return None
    people = [seat.person for seat in after.seats]
    told: set[tuple[str | None, Told]] = set()
    moved = not before.state or len(state.play.turns) != len(before.state.play.turns)
    if ends(before, after):
        told = {(person, Told.ENDED) for person in people}
    elif moved and not after.over:
        mover = people[state.play.mover]
        began = () if before.state else set(people) - {mover}
        told = {(mover, Told.TURN), *((person, Told.BEGAN) for person in began)}
    asked, asked_before = _asked(after), _asked(before)
    told |= asked - asked_before
    return together(
        *(
            partial(withdraw, person=person, about=after.game, kind=kind)
            for person, kind in asked_before - asked
        ),
        *(
            partial(note, person=person, about=after.game, kind=kind, at=state.at)
            for person, kind in told
            if person and not context.sees(person)
        ),
    )


def _asked(game: LiveGame) -> set[tuple[str | None, Told]]:
    """Return the people whose answers are waited for, each with the kind of the notice."""
    offers = game.state.offers if game.state and not game.over else ()
    return {
        (game.seats[seat].person, OFFERS.get(offer.what, Told.OFFER))
        for offer in offers
        for seat in offer.waiting
    }


def remind(person: str, game: str, at: float) -> Write:
    """Return the write of the notice that the time for a turn runs short."""
    return partial(note, person=person, about=game, kind=Told.REMINDER, at=at)
