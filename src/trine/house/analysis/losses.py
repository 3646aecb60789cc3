"""The turns of a person that lost most, for the page of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from trine.core.contract.choices import named_actions
from trine.core.text.sentence import Text, join
from trine.core.text.wording import written_actions
from trine.core.work.payer import in_thread
from trine.engine.players.review_words import share
from trine.games import open_room
from trine.house.analysis.reviews import GameReview
from trine.house.analysis.tables import Loss, keep_losses, worst_losses
from trine.house.people.tables import Account
from trine.house.store.store import Store

OF_A_SEAT: Final = 3
"""The turns of a seat that are kept."""
SHOWN: Final = 12


@dataclass(frozen=True)
class LossSeen:
    """A turn that lost much, as the page shows it."""

    title: str
    rules: str
    place: str
    """The address of the position before it, in the review."""
    loss: Loss
    percent: int
    themes: Text


def losses_of(found: GameReview) -> list[Loss]:
    """Return what lost most for each seat of a reviewed game."""
    review, losses = found.review, list[Loss]()
    room = review.play.room
    for seat in range(len(review.play.position.seats)):
        worst = [
            one
            for one in review.worst(len(review.turns))
            if one.player == seat and one.index in found.better
        ]
        for one in worst[:OF_A_SEAT]:
            before = one.turn.before
            better = [action for _, action in named_actions(before, found.better[one.index])]
            losses.append(
                Loss(
                    *(one.index, seat, one.loss, room.tag(before)),
                    written_actions(room, before, one.turn.actions),
                    written_actions(room, before, better),
                    " ".join(found.themes.get(one.index, ())),
                )
            )
    return losses


async def keep_review(store: Store, game: str, found: GameReview) -> None:
    """Keep what lost most in a game of the house that was reviewed."""
    await store.commit(keep_losses, game, await in_thread(partial(losses_of, found)))


async def losses_shown(store: Store, account: Account, *, own: bool) -> Mapping[str, Any]:
    """Return what lost most for a person; of games that are not public to that person alone."""
    found = await store.fetch(worst_losses, account.person, own=own, most=SHOWN)
    seen = []
    for one in found:
        room = open_room(one.room)
        titles = [
            room.book.themes[name].title
            for name in one.loss.themes.split()
            if name in room.book.themes
        ]
        place = f"/game/{one.game}/review#{one.loss.turn}"
        percent = share(one.loss.lost)
        seen.append(LossSeen(room.title, one.rules, place, one.loss, percent, join(titles, ", ")))
    return {"losses": seen}
