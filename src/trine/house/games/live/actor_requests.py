"""Requests to a game in memory: players' messages, seats, rematches, and stored deadlines."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from trine.core.errors import IllegalError
from trine.house.games.live import commands
from trine.house.games.live.change_hooks import DEADLINE, REMINDER, falls_due, next_reminder
from trine.house.games.live.commands import CommandMeta, abort, resign, seat_for
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.live_game import Change
from trine.house.games.storage.tables import SeatRow, downtimes_after, take_seat, write_game
from trine.house.games.view import messages
from trine.house.games.view.messages import Ok, WhyTold
from trine.house.people.quotas import QuotaKind
from trine.house.people.tables import Person
from trine.house.store.scheduled_tasks import reschedule

_PLAIN: Final[dict[str, commands.Command[[]]]] = {
    "resign": commands.resign,
    "abort": commands.abort,
    "claim": commands.claim,
    "claim-draw": partial(commands.claim, draw=True),
    "resume": commands.resume,
}


async def act(
    actor: GameActor,
    player: Person | None,
    message: messages.Command | messages.Draft | messages.Condition,
    now: float,
) -> Ok | WhyTold:
    person = player.id if player else None
    if player and not isinstance(message, messages.Draft | messages.Why):
        actor.dependencies.quotas.spend(QuotaKind.EVENT, player)
    asked = commands.CommandMeta(person, message.id, getattr(message, "at", None), now)
    seq = 0
    match message:
        case messages.Why():
            return WhyTold(why=commands.why(actor.game, person, message))
        case messages.Turn():
            seq = await actor.do(commands.turn, asked, message.a, message.line)
        case messages.Draft():
            await actor.draft(asked, message.a, message.line)
        case messages.Condition():
            await actor.do(commands.condition, asked, message.line, drop=message.drop)
        case messages.Offer():
            seq = await actor.do(commands.offer, asked, message.what)
        case messages.Answer():
            seq = await actor.do(commands.answer, asked, message.what, agrees=message.yes)
        case messages.Do(what="rematch"):
            await rematch(actor, asked)
        case messages.Do():
            seq = await actor.do(_PLAIN[message.what], asked)
    return Ok(seq=seq or actor.snapshot.seq)


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


async def resume_after_downtime(actor: GameActor, last_heartbeat: float | None) -> None:
    """Pause the clock until players return, after the house was closed, stopped or crashed.

    The time since the last heartbeat is not charged to any player. Call it within a queued write.
    """
    state = actor.game.state
    if not state or not actor.game.runs or not state.clock or state.by_consent:
        return
    if actor.agreement.by_days:
        downtimes = await actor.dependencies.store.fetch(downtimes_after, state.at)
        await actor.do_held(partial(commands.refund, downtimes=downtimes))
        return
    await actor.do_held(partial(commands.pause_for_downtime, last_heartbeat=last_heartbeat))
    actor.time.wait(actor.game, actor.now())
    actor.show()


async def resume_clock(actor: GameActor) -> None:
    """Resume a reloaded game whose clock has been running: delete its stored deadline."""
    await actor.dependencies.store.commit(reschedule, {(DEADLINE, actor.id): None})
    actor.time.resume(actor.game, actor.now())


async def check_deadlines(actor: GameActor) -> None:
    """Check a game whose stored deadline has passed; end it if time is really up."""

    async def work() -> None:
        await actor.do_held(actor.time.lose_on_time)
        if (state := actor.game.state) and actor.game.runs:
            due = falls_due(actor.game)
            if state.time_is_up(actor.now()):  # true; the opponents decide whether to claim
                due[DEADLINE] = None
            await _set_due(actor, due)
        actor.unload()

    await actor.queue.write(work)


async def remind(actor: GameActor) -> None:
    async def work() -> None:
        if (state := actor.game.state) and actor.game.runs:
            now, mover = actor.now(), actor.game.seats[state.play.mover].person
            if mover:
                await actor.dependencies.store.commit(
                    actor.dependencies.reminder(mover, actor.id, now)
                )
            await _set_due(actor, {REMINDER: next_reminder(state, now)})
        actor.unload()

    await actor.queue.write(work)


async def _set_due(actor: GameActor, due: Mapping[str, float | None]) -> None:
    times = {(kind, actor.id): at for kind, at in due.items()}
    await actor.dependencies.store.commit(reschedule, times)
