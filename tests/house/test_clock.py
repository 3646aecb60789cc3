"""The clock of the house, though that of the machine is set back or the machine was suspended."""

from pathlib import Path

import pytest

from house.houses import Eye, OpenHouse, Time, a_house, settled, two_at_a_board, until
from trine.core.clock import HOUR
from trine.house.app import House
from trine.house.games.live.commands import CommandMeta, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.people.tables import Person
from trine.house.processes.lease import Lease
from trine.house.processes.tables import last_sign
from trine.house.store.schema import database_moment
from trine.house.store.store import HouseClock, Store
from trine.house.tables import SCHEMA
from trine.play.session.state import State


async def played(house: House, host: GameActor, who: Person, words: str) -> float | None:
    """Play a turn as a page does, which comes now; how long it took."""
    await host.do(turn, CommandMeta(who.id, received_at=house.now()), [words])
    return host.game.played_turns.times[-1].used


def state_of(host: GameActor) -> State:
    state = host.game.state
    assert state
    return state


async def test_turns_take_their_time_though_the_clock_was_set_back_between(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock="3+2")
    days, *_ = await two_at_a_board(house, clock="2d/7d/0")
    assert await played(house, host, one, "e2") is not None
    time.now += 7
    assert await played(house, host, two, "e8") == pytest.approx(7)
    newest = house.now()
    house = await open_house(after=-HOUR)
    assert house.now() >= newest
    assert house.store.now() == house.now(), "there is one clock"
    host = await house.games.actor(host.id)
    await host.enter(Eye(), one.id)
    await until(lambda: state_of(host).paused is None)
    left = state_of(host).clock
    time.now += 11
    assert await played(house, host, one, "e3") == pytest.approx(11)
    after = state_of(host).clock
    assert left and after and after.reserve(0) == pytest.approx(left.reserve(0) - 11 + 2)
    time.now += HOUR
    host = await house.games.actor(days.id)
    assert state_of(host).elapsed(house.now()) < HOUR + 60


async def test_nobody_pays_for_a_suspend_and_the_house_is_not_late_after_it(tmp_path: Path) -> None:
    wall, steady = Time(), Time()

    def passes(seconds: float) -> None:
        wall.now += seconds
        steady.now += seconds

    async with a_house(tmp_path, now=HouseClock(wall, steady)) as house:
        host, one, two = await two_at_a_board(house, clock="3+2")
        days, first, _ = await two_at_a_board(house, clock="2d/7d/0")
        await played(house, days, first, "e2")
        await host.enter(Eye(), one.id)
        await host.enter(Eye(), two.id)
        await played(house, host, one, "e2")
        await house.lease.renew()
        passes(9)
        wall.now += HOUR  # what is monotonic stands still in a suspend
        host.tick()
        await house.lease.renew()
        await settled(host, days)
        assert house.now() == pytest.approx(wall.now)
        assert state_of(host).elapsed(house.now()) == pytest.approx(9)
        passes(4)
        assert await played(house, host, two, "e8") == pytest.approx(9), "it was waited for"
        assert not host.game.over
        passes(HOUR)
        host.tick()
        await until(lambda: host.game.over)
        assert state_of(days).elapsed(house.now()) == pytest.approx(HOUR + 4, abs=10)


async def test_the_clock_never_goes_back_and_leaves_small_differences(tmp_path: Path) -> None:
    wall, steady = Time(), Time()
    async with a_house(tmp_path, now=HouseClock(wall, steady)) as house:
        began = house.now()
        for aside in (-HOUR, 3.0, 0.0):
            wall.now = began + aside
            await house.lease.renew()
            assert house.now() == began
        assert not house.lease.lapses


async def test_several_processes_go_by_the_clock_of_their_database(place: str) -> None:
    async def woken(before: float | None) -> None: ...

    with Store.open(place, SCHEMA) as store:
        clock = HouseClock()
        clock.set(clock.wall() + HOUR)
        lease = Lease(
            store, clock, print, "one", "", has_running_clock=lambda: False, on_lapse=woken
        )
        await lease.begin()
        assert clock() == pytest.approx(store.read(database_moment), abs=60)
        assert lease.last_heartbeat == store.read(last_sign)
        clock.set(clock() - HOUR)
        await lease.renew()
        assert clock() == pytest.approx(store.read(database_moment), abs=60)
        assert lease.lapses == 1
