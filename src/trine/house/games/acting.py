"""Actions of players and of the task scheduler on a game in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, text
from trine.house.games import commands, messages
from trine.house.games.change_hooks import DEADLINE, REMINDER, falls_due, next_reminder
from trine.house.games.commands import (
    Command,
    CommandMeta,
    abort,
    answer,
    claim,
    condition,
    offer,
    resign,
    resume,
    seat_for,
    turn,
)
from trine.house.games.conditions import play_ahead
from trine.house.games.drafts import why_not
from trine.house.games.game_actor import GameActor
from trine.house.games.live_game import Change
from trine.house.games.messages import Ok, WhyTold
from trine.house.games.tables import SeatRow, downtimes_after, take_seat, write_game
from trine.house.people.quotas import QuotaKind
from trine.house.people.tables import Person
from trine.house.store.scheduled_tasks import reschedule

_PLAIN: Final[dict[str, Command[[]]]] = {
    "resign": resign,
    "abort": abort,
    "claim": claim,
    "claim-draw": partial(claim, draw=True),
    "resume": resume,
}
"""The commands without further data."""


async def act(
    host: GameActor,
    player: Person | None,
    message: messages.Command | messages.Draft | messages.Condition,
    now: float,
) -> Ok | WhyTold:
    person = player.id if player else None
    if player and not isinstance(message, messages.Draft | messages.Why):
        host.dependencies.quotas.spend(QuotaKind.EVENT, player)
    asked = CommandMeta(person, message.id, getattr(message, "at", None), now)
    match message:
        case messages.Turn():
            return Ok(seq=await host.do(turn, asked, message.a, message.line))
        case messages.Draft():
            await host.draft(asked, message.a, message.line)
            return Ok(seq=host.snapshot.seq)
        case messages.Condition():
            await host.do(condition, asked, message.line, drop=message.drop)
            return Ok(seq=host.snapshot.seq)
        case messages.Offer():
            return Ok(seq=await host.do(offer, asked, message.what))
        case messages.Answer():
            return Ok(seq=await host.do(answer, asked, message.what, agrees=message.yes))
        case messages.Do(what="rematch"):
            await rematch(host, asked)
            return Ok(seq=host.snapshot.seq)
        case messages.Do():
            return Ok(seq=await host.do(_PLAIN[message.what], asked))
        case messages.Why():
            return WhyTold(why=_why(host, person, message))


def _why(host: GameActor, person_id: str | None, message: messages.Why) -> Text:
    state = host.snapshot.state
    if not state:
        return text("the game has not begun; not all seats are taken")
    own = host.snapshot.seats_of(person_id)
    play = play_ahead(state.play, message.path) if own else state.play
    draft = message.a if message.path or play.mover in own else []
    if state.outcome:
        state.play.check_goes_on()
    return why_not(play, draft, message.picks)


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


async def resume_after_downtime(host: GameActor, alive: float | None) -> None:
    """Pause the clock until players return, after the house was closed, stopped or crashed.

    The time since the last heartbeat, ``alive``, is not charged to any player. The caller runs this
    within a queued write.
    """
    state = host.game.state
    if not state or not host.game.runs or not state.clock or state.by_consent:
        return
    if host.agreement.by_days:
        downtimes = await host.dependencies.store.fetch(downtimes_after, state.at)
        await host.do_held(partial(commands.refund, downtimes=downtimes))
        return
    await host.do_held(partial(commands.pause_for_downtime, alive=alive))
    host.time.wait(host.game, host.now())
    host.show()


async def resume_clock(host: GameActor) -> None:
    """Resume a reloaded game whose clock has been running: delete its stored deadline."""
    await host.dependencies.store.commit(reschedule, {(DEADLINE, host.id): None})
    host.time.resume(host.game, host.now())


async def check_deadlines(host: GameActor) -> None:
    """Check a game whose stored deadline has passed; end it if time is really up."""

    async def work() -> None:
        await host.do_held(host.time.lose_on_time)
        if (state := host.game.state) and host.game.runs:
            due = falls_due(host.game)
            if state.time_is_up(host.now()):  # true; the opponents decide whether to claim
                due[DEADLINE] = None
            await _set_due(host, due)
        host.unload()

    await host.queue.write(work)


async def remind(host: GameActor) -> None:
    async def work() -> None:
        if (state := host.game.state) and host.game.runs:
            now, mover = host.now(), host.game.seats[state.play.mover].person
            if mover:
                await host.dependencies.store.commit(
                    host.dependencies.reminder(mover, host.id, now)
                )
            await _set_due(host, {REMINDER: next_reminder(state, now)})
        host.unload()

    await host.queue.write(work)


async def _set_due(host: GameActor, due: Mapping[str, float | None]) -> None:
    times = {(kind, host.id): at for kind, at in due.items()}
    await host.dependencies.store.commit(reschedule, times)
