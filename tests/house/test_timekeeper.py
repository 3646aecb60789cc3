"""Time at a table: clocks that run out, players who are gone or wanted, a table nobody needs."""

from typing import Any

import pytest
from sqlalchemy import delete

from house.houses import Eye, OpenHouse, Time, a_house, asked, do_due, two_at_a_board, until
from trine.core.contract.position import Reason
from trine.core.errors import IllegalError
from trine.core.text.sentence import verbatim
from trine.house.app import House
from trine.house.games.live.change_hooks import DEADLINE
from trine.house.games.live.commands import NotYoursError, claim, resign, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.live_game import stored_games
from trine.house.games.live.timekeeper import IDLE_TIMEOUT, MAX_WAIT
from trine.house.games.storage.events import EVENT
from trine.house.games.storage.tables import Stage, read_game
from trine.house.people.tables import Person
from trine.house.store.scheduled_tasks import times_of
from trine.house.store.store import Store
from trine.house.store.store_errors import HeldError, UnusableError
from trine.house.tables import SCHEMA
from waiting import PATIENCE


async def a_game_out_of_memory(house: House, time: Time) -> tuple[GameActor, Person]:
    """A game that nobody looks at while its clock runs, and the player to move."""
    host, one, two = await two_at_a_board(house, clock="10+0")
    await host.do(turn, asked(one), ["e2"])
    await leaves_memory(host, house, time)
    return host, two


async def leaves_memory(host: GameActor, house: House, time: Time) -> None:
    time.now += IDLE_TIMEOUT + 1
    host.tick()
    await until(lambda: not house.games.has_loaded(host.id))


async def test_time_runs_out_without_anybody_there(house: House, time: Time) -> None:
    host, one, _two = await two_at_a_board(house, clock="1+0")
    await host.do(turn, asked(one), ["e2"])
    time.now += 61
    host.tick()
    await until(lambda: host.snapshot.over)
    state = host.snapshot.state
    assert state and state.outcome and state.outcome.winner == 0
    assert state.outcome.reason is Reason.TIME
    game = house.store.read(read_game, host.id)
    assert game and game.stage is Stage.OVER


async def test_time_does_not_run_out_while_a_message_that_came_in_time_waits(
    house: House, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock="1+0")
    page = Eye()
    await host.enter(page, two.id)
    await host.do(turn, asked(one), ["e2"])
    time.now += 62
    page.behind = 3.0  # it came a second before the deadline
    await host.do_held(host.time.lose_on_time)
    assert not host.snapshot.over
    page.behind = 1.0
    await host.do_held(host.time.lose_on_time)
    assert host.snapshot.over


async def test_no_message_keeps_a_house_waiting_for_long(house: House, time: Time) -> None:
    host, one, two = await two_at_a_board(house, clock="1+0")
    page = Eye()
    await host.enter(page, two.id)
    await host.do(turn, asked(one), ["e2"])
    time.now += 61 + MAX_WAIT
    page.behind = 2 * MAX_WAIT
    await host.do_held(host.time.lose_on_time)
    assert host.snapshot.over


async def test_a_game_without_a_first_turn_is_broken_off(house: House, time: Time) -> None:
    host, _one, _ = await two_at_a_board(house, clock="1+0")
    time.now += 61
    host.tick()
    await until(lambda: host.snapshot.over)
    assert host.snapshot.aborted and not host.snapshot.state.outcome  # type: ignore[union-attr]


@pytest.mark.usefixtures("place")
async def test_a_game_that_nobody_looks_at_leaves_memory_though_its_clock_runs(
    house: House, time: Time
) -> None:
    host, two = await a_game_out_of_memory(house, time)
    assert house.games.clocks_run
    assert [one.game for one in await house.own_games.of(two) if one.to_move] == [host.id]
    time.now += 60
    again = await house.games.actor(host.id)
    state = again.snapshot.state
    assert state and state.paused is None and not again.snapshot.waking
    assert state.elapsed(time.now) == pytest.approx(IDLE_TIMEOUT + 61)
    assert house.store.read(times_of, DEADLINE, [host.id]) == {}
    await leaves_memory(again, house, time)
    await do_due(house, after=600)
    game = house.store.read(read_game, host.id)
    assert game and game.stage is Stage.OVER
    over = (await house.games.actor(host.id)).snapshot.state
    assert over and over.outcome and over.outcome.reason is Reason.TIME
    assert await house.own_games.of(two) == []


@pytest.mark.faults("a game could not be resumed")
@pytest.mark.parametrize("damaged", [False, True])
async def test_games_are_resumed_together_and_a_damaged_one_stops_no_other(
    place: str, monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    read: list[list[str]] = []
    fetch = Store.fetch

    async def noted(store: Store, statement: Any, *given: Any, **named: Any) -> Any:
        if statement is stored_games:
            read.append(sorted(given[0]))
        return await fetch(store, statement, *given, **named)

    time = Time()
    async with a_house(place, time) as house:
        hosts = [(await two_at_a_board(house, clock="10+0"))[0] for _ in range(5)]
        names = sorted(host.id for host in hosts)
    with Store.open(place, SCHEMA) as store:
        if damaged:
            first = delete(EVENT).where(EVENT.c.game == names[0], EVENT.c.seq == 1)
            store.write(lambda connection: connection.execute(first).rowcount).result(PATIENCE)
    monkeypatch.setattr(Store, "fetch", noted)
    async with a_house(place, time) as house:
        await house.recovery.done.wait()
        resumed = sorted(host.id for host in house.games.actors)
        assert all(host.snapshot.waking for host in house.games.actors)
    assert resumed == names[damaged:]
    assert sorted(read) == sorted([names, *([name] for name in names if damaged)])


@pytest.mark.faults("due could not be seen to")
async def test_a_load_that_fails_leaves_the_clock_as_it_is(
    house: House, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _ = await a_game_out_of_memory(house, time)
    time.now += 60
    fetch = house.store.fetch

    async def fail(statement: Any, *given: Any, **named: Any) -> Any:
        if statement is stored_games:
            raise UnusableError(verbatim("the disk is away"))
        return await fetch(statement, *given, **named)

    monkeypatch.setattr(house.store, "fetch", fail)
    with pytest.raises(UnusableError):
        await house.games.actor(host.id)
    monkeypatch.setattr(house.store, "fetch", fetch)
    state = (await house.games.actor(host.id)).snapshot.state
    assert state and state.paused is None
    assert state.elapsed(time.now) == pytest.approx(IDLE_TIMEOUT + 61)


async def test_a_game_that_another_process_plays_leaves_no_trace_of_its_clock(place: str) -> None:
    time = Time()
    async with a_house(place, time) as house, a_house(place, time, home="other") as other:
        host, _ = await a_game_out_of_memory(house, time)
        assert house.games.clocks_run
        await other.games.actor(host.id, move=True)
        if house.store.shared:
            with pytest.raises(HeldError):
                await house.games.actor(host.id)
            assert not house.games.clocks_run


async def test_a_game_out_of_memory_loses_no_time_while_the_house_stands_still(
    house: House, time: Time
) -> None:
    host, _ = await a_game_out_of_memory(house, time)
    alive = time.now
    time.now += 3600
    await house.recovery.wake(alive)
    await house.task_scheduler.tick()
    again = await house.games.actor(host.id)
    assert again.snapshot.waking and again.snapshot.state
    assert again.snapshot.state.elapsed(time.now) == pytest.approx(IDLE_TIMEOUT + 1)


@pytest.mark.parametrize(("closed", "wait"), [(True, 10), (False, 40)])
async def test_who_is_gone_can_be_claimed_against(
    house: House, time: Time, closed: bool, wait: int
) -> None:
    host, one, two = await two_at_a_board(house, clock="3+0")
    eyes = Eye(), Eye()
    await host.enter(eyes[0], one.id)
    await host.enter(eyes[1], two.id)
    await host.do(turn, asked(one), ["e2"])
    host.leave(eyes[1], closed=closed)
    time.now += wait - 1
    with pytest.raises(IllegalError, match="away"):
        await host.do(claim, asked(one))
    time.now += 2
    await host.do(claim, asked(one))
    outcome = host.snapshot.state.outcome  # type: ignore[union-attr]
    assert outcome and outcome.winner == 0 and outcome.reason is Reason.FORFEIT


async def test_who_comes_back_cannot_be_claimed_against(house: House, time: Time) -> None:
    host, one, two = await two_at_a_board(house, clock="3+0")
    eye = Eye()
    await host.enter(Eye(), one.id)
    await host.enter(eye, two.id)
    await host.do(turn, asked(one), ["e2"])
    host.leave(eye, closed=False)
    time.now += 39
    await host.enter(eye, two.id)
    time.now += 30
    with pytest.raises(IllegalError):
        await host.do(claim, asked(one))


async def test_a_game_without_clock_leaves_memory_when_nobody_is_there(
    house: House, time: Time
) -> None:
    host, one, _ = await two_at_a_board(house)
    await host.do(turn, asked(one), ["e2"])
    time.now += 61
    host.tick()
    await until(lambda: not house.games.actors)
    again = await house.games.actor(host.id)
    assert again is not host and again.snapshot.state
    assert again.snapshot.state.play.mover == 1


async def test_a_stranger_does_not_start_the_clock_of_those_who_are_waited_for(
    house: House, open_house: OpenHouse
) -> None:
    host, one, _two = await two_at_a_board(house, clock="3+2")
    await host.do(turn, asked(one), ["e2"])
    house = await open_house()
    host = await house.games.actor(host.id)
    eve, _ = await house.accounts.welcome("Eve")
    assert host.snapshot.waking
    with pytest.raises(NotYoursError):
        await host.do(resign, asked(eve))
    assert host.snapshot.waking


async def test_what_was_sent_before_the_house_was_closed_still_counts(
    house: House, open_house: OpenHouse
) -> None:
    host, one, two = await two_at_a_board(house, clock="3+2")
    await host.do(turn, asked(one, "a1", 1), ["e2"])
    host = await (await open_house()).games.actor(host.id)
    assert host.snapshot.seq > 2
    await host.do(turn, asked(two, "b1", 2), ["e8"])  # on its way as the house was closed
    assert len(host.snapshot.played_turns.written) == 2
