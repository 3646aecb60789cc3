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


async def begin(actor: GameActor, present_ids: Collection[str | None] = ()) -> None:
    """Begin a game if all seats are taken; people who are ``present_ids`` are not notified."""
    await actor.queue.write(partial(_begin, actor, present_ids))


async def _begin(actor: GameActor, present_ids: Collection[str | None]) -> None:
    if change := commands.begin(actor.game, actor.moment()):
        await actor.commit(change, present_ids=present_ids)
        _miss_absent(actor)
        actor.show()


def _miss_absent(actor: GameActor) -> None:
    for seat in actor.game.people:
        actor.attendance.miss(seat, actor.now())


def check_invited(actor: GameActor, seat: int, person_id: str) -> None:
    """Refuse an invitation (`IllegalError`) to a person who has another seat of the game."""
    if (own := actor.game.seats_of(person_id)) and seat not in own:
        raise IllegalError("you are in this game already; send the link to somebody else")


async def sit_down(actor: GameActor, seat: int, taken: SeatRow) -> None:
    """Take a free seat; if it is the last one, the game begins in the same transaction."""

    async def work() -> None:
        if taken.person:
            check_invited(actor, seat, taken.person)
        if actor.game.state or actor.game.aborted:
            if actor.game.seats[seat].person == taken.person:
                return
            raise IllegalError("another player has taken this seat")
        after, person = await actor.seated({seat: taken}), taken.person
        change = commands.begin(after, actor.moment()) or Change(after)
        take = partial(take_seat, game_id=actor.id, seat=seat, taken=taken)
        await actor.commit(change, present_ids=(person,), with_it=take)
        for _ in range(actor.audience.pages_of(person)):
            actor.attendance.come(seat)
        if actor.game.state:
            _miss_absent(actor)
        actor.show()

    await actor.queue.write(work)


async def give_up(actor: GameActor, person_id: str) -> None:
    """End a person's running game: abort it if possible, else resign."""
    try:
        await actor.do(abort, CommandMeta(person_id))
    except IllegalError:
        await actor.do(resign, CommandMeta(person_id))


async def transfer(actor: GameActor, person_id: str, other: str) -> None:
    """Give a person's seats to another person; the caller runs this within a queued write."""
    seats = {seat: actor.game.seats[seat] for seat in actor.game.seats_of(person_id)}
    actor.audience.transfer(person_id, other)
    actor.game = await actor.seated({n: replace(row, person=other) for n, row in seats.items()})
    actor.show()


async def rematch(actor: GameActor, asked: CommandMeta) -> str:
    """Ask for a rematch with swapped seats; return its id once all players want it, else ""."""

    async def work() -> str:
        own = actor.game.seats_of(asked.person)
        seat_for(actor.game, asked)
        if not actor.game.over:
            raise IllegalError("the game is not over")
        if actor.agreement.tournament:
            raise IllegalError("the tournament says who plays next")
        if all(
            (one := actor.game.standings.get(seat)) and one.bot for seat in actor.game.people
        ):  # otherwise programs would play rematches forever
            raise IllegalError("programs play again by a challenge")
        actor.game = replace(actor.game, wants_rematch=actor.game.wants_rematch | own)
        if not actor.game.next_game and actor.game.wants_rematch >= set(actor.game.people):
            seats = [*actor.game.seats[1:], actor.game.seats[0]]
            other = await actor.keeper.prepare_again(actor.agreement.again(), seats)
            change = commands.go_to_rematch(actor.game, actor.moment(), other.id)
            await actor.commit(change, with_it=partial(write_game, game=other, seats=seats))
            await actor.keeper.begin_new(other, seats)
        actor.show()
        return actor.game.next_game

    return await actor.queue.write(work)
