"""The seats of a game in memory: taking one, coming after somebody else, playing once more."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.house.games import commands
from trine.house.games.asked import Asked
from trine.house.games.commands import abort, resign, seat_for
from trine.house.games.host import Host
from trine.house.games.tables import SeatRow, take_seat


async def begin(host: Host, here: Collection[str | None] = ()) -> None:
    """Begin a game, if all seats are taken; people who are ``here`` are not notified."""
    await host.hold(partial(_begin, host, here))


async def _begin(host: Host, here: Collection[str | None]) -> None:
    if change := commands.begin(host.game, host.moment()):
        await host.commit(change, here=here)
        for seat in host.game.people:
            host.attendance.miss(seat, host.around.now())
        host.show()


async def sit_down(host: Host, seat: int, taken: SeatRow) -> None:
    """Seat a person; the game begins when all seats are taken."""

    async def work() -> None:
        if host.game.state or host.game.aborted:
            if host.game.seats[seat].person == taken.person:
                return
            raise IllegalError(text("somebody else has taken this seat"))
        await host.around.store.commit(take_seat, host.id, seat, taken)
        await host.seat({seat: taken})
        for _ in range(host.audience.pages_of(taken.person)):
            host.attendance.come(seat)
        await _begin(host, (taken.person,))
        host.show()

    await host.hold(work)


async def give_up(host: Host, person: str) -> None:
    """End a running game for one who plays in it: it is broken off, or else resigned.

    Raises:
        TrineError: neither can be done.
    """
    try:
        await host.do(abort, Asked(person))
    except IllegalError:
        await host.do(resign, Asked(person))


async def hand_over(host: Host, person: str, other: str) -> None:
    """Have another person sit where one has sat, while the game is held."""
    seats = {seat: host.game.seats[seat] for seat in host.game.seats_of(person)}
    host.audience.hand_over(person, other)
    await host.seat({seat: replace(row, person=other) for seat, row in seats.items()})
    host.show()


async def rematch(host: Host, asked: Asked) -> str:
    """Ask for a rematch with swapped seats; return its id once all want it, else ""."""

    async def work() -> str:
        own = host.game.seats_of(asked.person)
        seat_for(host.game, asked)
        if not host.game.over:
            raise IllegalError(text("the game is not over"))
        if host.agreement.tournament:
            raise IllegalError(text("the tournament says who plays next"))
        host.game = replace(host.game, wants_rematch=host.game.wants_rematch | own)
        if not host.game.next_game and host.game.wants_rematch >= set(host.game.people):
            seats = [*host.game.seats[1:], host.game.seats[0]]
            other = await host.around.again(host.agreement.again(), seats)
            await host.commit(commands.go_to_rematch(host.game, host.moment(), other))
        host.show()
        return host.game.next_game

    return await host.hold(work)
