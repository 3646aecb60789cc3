"""Games that take days: their deadlines, the downtimes of the house, and what is in memory."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from databases import steps_to_what_is_due
from house.houses import (
    Eye,
    Heard,
    OpenHouse,
    Time,
    a_house,
    asked,
    do_due,
    first_turn,
    two_at_a_board,
    until,
)
from house.store.stores import waiting_for
from trine.core.clock import DAY, HOUR, MINUTE
from trine.core.contract.position import Reason
from trine.core.contract.record import read_records
from trine.core.errors import IllegalError
from trine.games import open_room
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import (
    DEADLINE,
    DEADLINE_GRACE,
    LIVE,
    MAX_EXTENDED,
    REMINDER,
    next_reminder,
    spent_without,
)
from trine.house.games.live.commands import claim, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.task_scheduler import TaskScheduler
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of, record_text
from trine.house.games.storage.tables import Downtime, Stage, read_game
from trine.house.store.scheduled_tasks import reschedule, schedule, tasks_due, times_of
from trine.play.record.agreed_terms import Terms
from trine.play.record.replay import replay
from trine.play.session.changes import rebuild
from trine.play.session.state import State

BY_DAYS = "2d/5d/0"
"""Two days a turn, and five of vacation."""


def state_of(house: House, game: str) -> State:
    return rebuild(entries_of(house.store.read(read_events, game)))


async def at_rest(house: House, host: GameActor) -> None:
    """Nobody looks at a game any more, and it has left memory."""
    host.unload()
    host.tick()
    await until(lambda: all(one.id != host.id for one in house.games.actors))


async def play(host: GameActor, *people: object) -> None:
    state = host.snapshot.state
    assert state
    seat = host.game.seats[state.play.mover]
    mover = next(one for one in people if one.id == seat.person)  # type: ignore[attr-defined]
    await host.do(turn, asked(mover), first_turn(state.play))  # type: ignore[arg-type]


async def test_a_player_who_lets_the_days_and_the_vacation_pass_has_lost(house: House) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    await play(host, one, two)
    await at_rest(house, host)
    await do_due(house, after=7 * DAY)
    assert state_of(house, host.id).outcome is None, "the last moment is still in time"
    await do_due(house, after=2 * DEADLINE_GRACE)
    outcome = state_of(house, host.id).outcome
    assert outcome and (outcome.winner, outcome.reason) == (0, Reason.TIME)
    assert house.store.read(times_of, DEADLINE, [host.id]) == {}
    assert await house.own_games.of(two) == []


async def test_friends_can_leave_it_to_each_other_what_comes_of_the_end_of_time(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS, claimed_time=True)
    game = host.id
    await play(host, one, two)
    eye = Eye()
    await host.enter(eye, one.id)
    time.now += 7 * DAY
    with pytest.raises(IllegalError, match="long enough"):
        await host.do(claim, asked(one))
    time.now += 2 * DEADLINE_GRACE
    host.tick()
    assert host.time.next(host.game, time.now) is None, "it is looked at again and again"
    assert host.snapshot.claimable == {1} and not host.game.over
    with pytest.raises(IllegalError, match="long enough"):
        await host.do(claim, asked(two))
    host.leave(eye, closed=True)
    await at_rest(house, host)
    await house.task_scheduler.tick()
    assert house.store.read(times_of, DEADLINE, [game]) == {}
    host = await house.games.actor(game)
    assert not host.game.over
    await play(host, one, two)
    assert state_of(house, game).clock.reserves == (5 * DAY, 0.0)  # type: ignore[union-attr]
    assert not host.snapshot.claimable
    for _ in range(2):
        await play(host, one, two)
    time.now += 3 * DAY
    house = await open_house()
    host = await house.games.actor(game)
    assert not host.snapshot.claimable, "nobody pays for a downtime"
    time.now += 3 * DAY
    await play(host, one, two)
    time.now += 3 * DAY
    await host.do(claim, asked(one))
    state = state_of(house, game)
    assert state.outcome and (state.outcome.winner, state.outcome.reason) == (0, Reason.TIME)
    (record,) = read_records(
        record_text(
            entries_of(house.store.read(read_events, game)), state.play.start.seats
        ).splitlines(keepends=True)
    )
    assert record.tags["Timeout"] == "claimed"
    assert replay(record).position == state.play.position


def test_only_a_casual_game_by_days_leaves_the_end_of_time_to_its_players() -> None:
    def left(clock: str, *, rated: bool) -> bool:
        agreed = Agreement.make("corridor", clock=clock, rated=rated, claimed_time=True)
        assert agreed.again().claimed_time == agreed.claimed_time
        assert agreed.terms().claimed_time == agreed.claimed_time
        return agreed.claimed_time

    assert left(BY_DAYS, rated=False)
    assert not left(BY_DAYS, rated=True) and not left("5+3", rated=False)


async def test_a_vacation_is_used_up_by_what_a_turn_takes_beyond_its_days(
    house: House, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    for days in (1, 1, 4, 2, 0.5, 2):
        time.now += days * DAY
        await play(host, one, two)
    clock = state_of(house, host.id).clock
    assert clock and clock.reserves == (3 * DAY, 5 * DAY), "unused days are not saved up"


async def test_who_has_not_begun_in_time_has_not_lost(house: House) -> None:
    host, one, _ = await two_at_a_board(house, clock=BY_DAYS)
    await do_due(house, after=8 * DAY)
    row = house.store.read(read_game, host.id)
    assert row and row.stage is Stage.OVER
    assert state_of(house, host.id).outcome is None
    assert house.store.read(times_of, DEADLINE, [host.id]) == {}
    assert house.store.read(waiting_for, one.id) == []


async def test_a_game_leaves_memory_and_is_shown_without_being_loaded(
    house: House, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    later, *_ = await two_at_a_board(house, clock=BY_DAYS)
    eye = Eye()
    await host.enter(eye, one.id)
    await play(host, one, two)
    host.leave(eye, closed=True)
    await until(lambda: not host.audience)
    for table in (host, later):
        await at_rest(house, table)
    time.now += DAY
    (game,) = await house.own_games.of(two)
    assert (game.game, game.to_move) == (host.id, True)
    assert game.deadline == pytest.approx(time.now + DAY)
    assert [(g.game, g.to_move) for g in await house.own_games.of(one)] == [(host.id, False)]
    assert await house.own_games.next_to_move(two) == host.id
    assert await house.own_games.next_to_move(two, but=host.id) == ""
    assert not house.games.actors, "a game was loaded"


async def test_nobody_claims_against_who_has_days(house: House, time: Time) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    await play(host, one, two)
    eye = Eye()
    await host.enter(eye, two.id)
    host.leave(eye, closed=True)
    time.now += DAY
    await host.enter(eye, one.id)
    assert not host.snapshot.claimable
    assert set(host.snapshot.presence.values()) == {"here"}


async def test_nobody_pays_for_a_downtime_of_the_house(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock="1d/0/0")
    await play(host, one, two)
    time.now += DAY - 10 * MINUTE
    house = await open_house(after=3 * HOUR)  # closed, and the deadline passes meanwhile
    await house.task_scheduler.tick()
    state = state_of(house, host.id)
    assert state.outcome is None
    assert state.time_left(time.now) == pytest.approx(3 * HOUR, abs=1)
    deadline = house.store.read(times_of, DEADLINE, [host.id])[host.id]
    assert deadline == pytest.approx(time.now + 3 * HOUR + DEADLINE_GRACE, abs=1)
    time.now = deadline + 1
    await house.task_scheduler.tick()
    assert state_of(house, host.id).outcome
    told = record_text(entries_of(house.store.read(read_events, host.id)), state.play.start.seats)
    (record,) = read_records(told.splitlines(keepends=True))
    assert replay(record).outcome == state_of(house, host.id).outcome


async def test_several_downtimes_are_given_back_once_when_the_game_is_looked_at(
    tmp_path: Path,
) -> None:
    time = Time()
    async with a_house(tmp_path, time) as house:
        host, one, two = await two_at_a_board(house, clock=BY_DAYS)
        await play(host, one, two)
    for _ in range(3):
        time.now += HOUR
        async with a_house(tmp_path, time) as house:
            time.now += 2 * HOUR
    time.now += HOUR
    async with a_house(tmp_path, time) as house:
        host = await house.games.actor(host.id)
        assert state_of(house, host.id).elapsed(time.now) == pytest.approx(6 * HOUR, abs=1)
        await at_rest(house, host)
        host = await house.games.actor(host.id)
        assert state_of(house, host.id).elapsed(time.now) == pytest.approx(6 * HOUR, abs=1)


TERMS = Terms.agree(
    open_room("corridor"), "", {}, "", clock=Agreement.make("corridor", clock=BY_DAYS).terms().clock
)


@given(
    gaps=st.lists(st.tuples(st.floats(1, 3 * DAY), st.floats(1, 3 * DAY)), max_size=6),
    at=st.floats(0, 10 * DAY),
)
def test_a_turn_costs_the_time_in_which_the_house_was_open(
    gaps: list[tuple[float, float]], at: float
) -> None:
    state, moment, downtimes, closed = State.first(TERMS, 0.0), 0.0, [], 0.0
    for up, down in gaps:
        began = moment + up
        moment = began + down
        if moment > at:
            break
        closed += down
        downtimes.append(Downtime(began, moment))
    spent = spent_without(state, downtimes, at)
    if not downtimes:
        assert spent is None
        return
    assert spent is not None
    assert 0 <= spent <= at - closed + 1e-3, "a player has paid for a downtime"
    last = downtimes[-1]
    extended = last.ended + min(last.ended - last.began, MAX_EXTENDED)
    in_time = state.allowed - max(0.0, extended - at)
    assert spent == pytest.approx(max(0.0, min(at - closed, in_time)), abs=2e-3)


def test_reminders_come_before_the_days_and_before_the_vacation_are_over() -> None:
    state = State.first(TERMS, 0.0)
    assert next_reminder(state, 0.0) == 1.5 * DAY
    assert next_reminder(state, 1.5 * DAY) == 6.5 * DAY
    assert next_reminder(state, 6.5 * DAY) is None


async def test_a_bot_that_is_to_move_plays_after_a_restart(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    one, _ = await house.accounts.welcome("Anna")
    game, _ = await house.games.create(
        Agreement.make("corridor", clock=BY_DAYS), ["me", "bot:1"], one
    )
    host = await house.games.actor(game)
    host._ask_bots = lambda: None  # type: ignore[method-assign]  # it is slow
    await play(host, one)
    house = await open_house()
    await until(lambda: len(state_of(house, game).play.turns) == 2)
    assert house.store.read(tasks_due, LIVE, time.now) == []


# --- ten thousand ---------------------------------------------------------------------------------


GAMES = 10_000
PLAYED = 60
"""Games in which turns are played; the others only wait."""


@pytest.mark.nightly
async def test_of_ten_thousand_games_those_that_are_due_are_found(tmp_path: Path) -> None:
    """A week of simulated time, with restarts at any moment."""
    rng, time = Random(7), Time()
    began = time.now
    async with a_house(tmp_path, time) as house:
        pairs = [await two_at_a_board(house, clock="1d/1d/0") for _ in range(PLAYED)]
        names = [host.id for host, *_ in pairs]
        people = {one.id: one for _, *both in pairs for one in both}
        # Of the others there is what is looked for: their rows.
        filled = {(DEADLINE, f"elsewhere{n}"): began + 8 * DAY + n for n in range(GAMES - PLAYED)}
        await house.store.commit(reschedule, times=filled)
        for host, *_ in pairs:
            await at_rest(house, host)
        assert not house.games.actors
        plan = await asyncio.to_thread(steps_to_what_is_due, house.store)
        assert any("ix_scheduled_task_" in step for step in plan), plan
    lazy = set(rng.sample(names, 20))
    closed, turns = list[tuple[float, float]](), dict.fromkeys(names, 0)
    while time.now < began + 7 * DAY:
        down = rng.choice([0.0, 0.0, 3 * HOUR])
        closed.append((time.now, time.now + down))
        time.now += down
        async with a_house(tmp_path, time) as house:
            until_then = time.now + rng.uniform(4 * HOUR, 20 * HOUR)
            while time.now < until_then:
                await do_due(house, after=2 * HOUR)
                assert len(house.games.actors) <= PLAYED
                for name in rng.sample(names, 8):
                    host = await house.games.actor(name)
                    plays = host.game.runs and (name not in lazy or not turns[name])
                    if plays and host.snapshot.state and len(host.snapshot.state.play.turns) < 9:
                        await play(host, *people.values())
                        turns[name] += 1
    async with a_house(tmp_path, time) as house:
        await house.task_scheduler.tick()
        lost: list[bool] = []
        for name in names:
            row = house.store.read(read_game, name)
            assert row
            entries = entries_of(house.store.read(read_events, name))
            state = rebuild(entries)
            last = max((one.at for one in entries if one.kind == "act"), default=began)
            ended = time.now if row.stage is Stage.PLAYING else entries[-1].at
            down = sum(max(0.0, min(to, ended) - max(since, last)) for since, to in closed)
            clock = state.clock
            assert clock
            allowed = DAY + clock.reserve(state.play.mover)
            lost.append(state.outcome is not None)
            if state.outcome:
                assert ended - last - down > allowed - 1, "somebody lost before the time was up"
                assert ended - last - down < allowed + 3 * HOUR + 2 * HOUR, "it was seen late"
            elif row.stage is Stage.PLAYING:
                assert ended - last - down < allowed + 3 * HOUR, "a deadline was overlooked"
        assert any(lost) and not all(lost)
        assert not house.store.read(tasks_due, DEADLINE, time.now), "something that is due stays"
        assert (
            len(house.store.read(tasks_due, DEADLINE, began + 30 * DAY, 20_000)) >= GAMES - PLAYED
        )
        assert house.store.read(tasks_due, REMINDER, time.now - 3 * HOUR) == []


async def test_a_fault_about_one_game_holds_up_nothing_else_that_is_due(
    house: House, time: Time
) -> None:
    heard, seen = Heard(), list[str]()

    async def fail(ref: str) -> None:
        raise TypeError(ref)

    async def see_to(ref: str) -> None:
        seen.append(ref)

    for kind in ("broken", "whole"):
        await house.store.commit(schedule, kind, "it", time.now)
    due = TaskScheduler(house.store, heard, house.games, {"broken": fail, "whole": see_to})
    await due.tick()
    assert seen == ["it"] and [type(one) for one in heard.errors] == [TypeError]
    await due.tick()
    assert len(heard.errors) == 1, "it is put off"
