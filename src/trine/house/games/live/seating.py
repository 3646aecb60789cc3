"""Seats of a game in memory: they are taken and passed on; a full game begins, or a rematch."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from trine.core.errors import IllegalError
from trine.house.games.live import commands
from trine.house.games.live.commands import (
    CommandMeta,
    abort,
    resign,
    seat_for,
)
from trine.house.games.live.live_game import Change
from trine.house.games.storage.tables import SeatRow, take_seat, write_game

if TYPE_CHECKING:
    from trine.house.games.live.game_actor import GameActor


async def begin(host: GameActor, here: Collection[str | None] = ()) -> None:
    """Begin a game if all seats are taken; people who are ``here`` are not notified."""
    await host.queue.write(partial(_begin, host, here))


async def _begin(host: GameActor, here: Collection[str | None]) -> None:
    if change := commands.begin(host.game, host.moment()):
        await host.commit(change, here=here)
        _miss_absent(host)
        host.show()


def _miss_absent(host: GameActor) -> None:
    for seat in host.game.people:
        host.attendance.miss(seat, host.now())


def check_invited(host: GameActor, seat: int, person_id: str) -> None:
    """Refuse an invitation (`IllegalError`) to a person who has another seat of the game."""
    if (own := host.game.seats_of(person_id)) and seat not in own:
        raise IllegalError("you are in this game already; send the link to somebody else")


async def sit_down(host: GameActor, seat: int, taken: SeatRow) -> None:
    """Take a free seat; if it is the last one, the game begins in the same transaction."""

    async def work() -> None:
        if taken.person:
            check_invited(host, seat, taken.person)
        if host.game.state or host.game.aborted:
            if host.game.seats[seat].person == taken.person:
                return
            raise IllegalError("another player has taken this seat")
        after, person = await host.seated({seat: taken}), taken.person
        change = commands.begin(after, host.moment()) or Change(after)
        take = partial(take_seat, game_id=host.id, seat=seat, taken=taken)
        await host.commit(change, here=(person,), with_it=take)
        for _ in range(host.audience.pages_of(person)):
            host.attendance.come(seat)
        if host.game.state:
            _miss_absent(host)
        host.show()

    await host.queue.write(work)


async def give_up(host: GameActor, person_id: str) -> None:
    """End a person's running game: abort it if possible, else resign."""
    try:
        await host.do(abort, CommandMeta(person_id))
    except IllegalError:
        await host.do(resign, CommandMeta(person_id))


async def transfer(host: GameActor, person_id: str, other: str) -> None:
    """Give a person's seats to another person; the caller runs this within a queued write."""
    seats = {seat: host.game.seats[seat] for seat in host.game.seats_of(person_id)}
    host.audience.transfer(person_id, other)
    host.game = await host.seated({n: replace(row, person=other) for n, row in seats.items()})
    host.show()


async def rematch(host: GameActor, asked: CommandMeta) -> str:
    """Ask for a rematch with swapped seats; return its id once all players want it, else ""."""

    async def work() -> str:
        own = host.game.seats_of(asked.person)
        seat_for(host.game, asked)
        if not host.game.over:
            raise IllegalError("the game is not over")
        if host.agreement.tournament:
            raise IllegalError("the tournament says who plays next")
        if all(
            (one := host.game.standings.get(seat)) and one.bot for seat in host.game.people
        ):  # otherwise programs would play rematches forever
            raise IllegalError("programs play again by a challenge")
        host.game = replace(host.game, wants_rematch=host.game.wants_rematch | own)
        if not host.game.next_game and host.game.wants_rematch >= set(host.game.people):
            seats = [*host.game.seats[1:], host.game.seats[0]]
            other = await host.keeper.prepare_again(host.agreement.again(), seats)
            change = commands.go_to_rematch(host.game, host.moment(), other.id)
            await host.commit(change, with_it=partial(write_game, game=other, seats=seats))
            await host.keeper.begin_new(other, seats)
        host.show()
        return host.game.next_game

    return await host.queue.write(work)
