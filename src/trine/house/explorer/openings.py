"""The openings of a person, for the page of results: the own first turns and how they did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from trine.core.work.payer import in_thread
from trine.engine.archive.explored import Opening
from trine.house.explorer.explorer import Explorer
from trine.house.people.account_rows import Account
from trine.house.statistics.results import SeatTally, Tally
from trine.house.statistics.results_routes import SeatSeen, seat_seen

MOST: Final = 20


@dataclass(frozen=True)
class OpeningSeen(SeatSeen):
    """The results of an opening in a seat, as the page shows them."""

    words: str


async def openings_shown(explorer: Explorer, account: Account, *, own: bool) -> Mapping[str, Any]:
    """Return the openings of a person that were played most often; none without an archive."""
    found = await explorer.openings(account.person, MOST)
    return {"openings": await in_thread(lambda: [_seen(one) for one in found])}


def _seen(one: Opening) -> OpeningSeen:
    tally = Tally(one.games, one.wins, one.draws)
    seat = seat_seen(SeatTally(one.game, one.rules, one.seats, one.seat, tally))
    return OpeningSeen(seat.title, seat.rules, seat.seat, tally, one.words)
