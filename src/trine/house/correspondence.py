"""Games that take days: what falls due, and that nobody pays for the downtimes of the house.

Such a game is in memory only while somebody looks at it. Its deadlines are rows, written with each
turn; here they are looked for, and what is due is seen to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from trine.core.clock import DAY, HOUR
from trine.core.errors import TrineError
from trine.house.agreement import Agreement
from trine.session.state import State
from trine.store.downtimes import Downtime
from trine.store.homes import LIVE
from trine.store.notices import LETTER
from trine.store.refusals import HeldError
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.waiting import set_to_move

if TYPE_CHECKING:
    from trine.house.house import House

DUTY: Final = "correspondence"
"""The duty of the process that sees to what falls due, of several."""
DEADLINE: Final = "deadline"
"""The kind of deadline at which a player of a game that takes days has lost."""
REMINDER: Final = "reminder"
"""The kind of deadline before which a player is told that time runs short."""
LATER: Final = 1.0
"""Units: seconds; by so much later a deadline is looked at, so that it is over then."""
LOOKS: Final = 5.0
"""Units: seconds; so often what is due is looked for."""
TOGETHER: Final = 16
"""Games that are seen to at once, so that their writes share commits. Guess."""
PUT_OFF: Final = 600.0
"""Units: seconds; what could not be seen to is tried again after so long."""
MOST_EXTENDED: Final = 12.0 * HOUR
"""Units: seconds; after a downtime a player has as long as it was, or at least so long."""


def falls_due(
    agreement: Agreement, seats: Sequence[SeatRow], state: State
) -> dict[str, float | None]:
    """The deadlines of a running game, by kind; None for those that it has not, or no more."""
    if not agreement.by_days:
        return {LIVE: None if state.outcome else state.at} if state.clock else {}
    if state.outcome:
        return {LIVE: None, DEADLINE: None, REMINDER: None}
    bot_moves = seats[state.play.mover].kind is SeatKind.BOT
    deadline = state.deadline
    return {
        LIVE: state.at if bot_moves else None,
        DEADLINE: None if deadline is None else deadline + LATER,
        REMINDER: next_reminder(state, state.at),
    }


def next_reminder(state: State, after: float) -> float | None:
    """The next moment at which the player to move is told that time runs short.

    It lies a quarter of the days of a turn, a day at the most, before they are over, and as long
    before the vacation is.
    """
    if not state.clock or state.deadline is None:
        return None
    ahead = min(state.clock.control.move / 4, DAY)
    ends = (state.began + state.clock.control.move, state.deadline)
    return next((end - ahead for end in ends if end - ahead > after), None)


def notes_whose_turn(
    game: str, agreement: Agreement, seats: Sequence[SeatRow], state: State
) -> Callable[[Connection], None] | None:
    """What writes whose turn it is; None for games that are always in memory."""
    if state.clock and not agreement.by_days:
        return None
    person = None if state.outcome else seats[state.play.mover].person
    return lambda connection: set_to_move(connection, game, person, state.began)


def spent_without(state: State, downtimes: Sequence[Downtime], at: float) -> float | None:
    """What the open turn has taken without the times in which the house was closed.

    After the last of them the player has as long as it was, 12 hours at the most.

    Units: seconds; None if the house was not closed during the turn, or no time passes.
    """
    if state.paused is not None or not state.clock or state.outcome:
        return None
    missed = [one for one in downtimes if one.ended > state.at and one.began < at]
    if not missed:
        return None
    lost = sum(min(one.ended, at) - max(one.began, state.at, state.began) for one in missed)
    last = missed[-1]
    extended = last.ended + min(last.ended - last.began, MOST_EXTENDED)
    in_time = state.allowed - max(0.0, extended - at)
    return max(0.0, min(state.elapsed(at) - lost, in_time))


class Correspondence:
    """Sees to what falls due in the games of a house that take days."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._ticking = asyncio.Lock()

    async def run(self) -> None:
        """See to what falls due, for ever."""
        while True:
            try:
                await self._house.lease.take_duty(DUTY)
                await self.tick()
            except HeldError:
                pass  # another process sees to it
            except TrineError as error:
                self._house.report("what is due could not be looked for", error)
            await asyncio.sleep(LOOKS)

    async def tick(self) -> None:
        """See to all that is due by now."""
        async with self._ticking:  # nothing is seen to twice
            await self._tick()

    async def _tick(self) -> None:
        kinds = {DEADLINE: self._end, REMINDER: self._remind, LETTER: self._house.letters.write}
        for kind, see_to in kinds.items():
            while await self._some(kind, see_to):
                pass

    async def _some(self, kind: str, see_to: Callable[[str], Awaitable[None]]) -> bool:
        store, now = self._house.store, self._house.now()
        due = await asyncio.to_thread(store.due_of, kind, now, TOGETHER)

        async def try_one(ref: str) -> None:
            try:
                await see_to(ref)
            except TrineError as error:
                self._house.report("what is due could not be seen to", error, kind=kind, ref=ref)
                await asyncio.wrap_future(store.set_due(kind, ref, now + PUT_OFF))

        await asyncio.gather(*(try_one(one.ref) for one in due))
        return len(due) == TOGETHER

    async def _end(self, game: str) -> None:
        await (await self._house.host(game, move=True)).by_days.judge()

    async def _remind(self, game: str) -> None:
        await (await self._house.host(game, move=True)).by_days.remind()
