"""The small parts of the house, each for itself."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import house.victims
from trine.core.clock import parse_time_control
from trine.core.errors import FileError, MalformedError
from trine.house.games.live.agreement import Agreement, check_wish
from trine.house.games.live.bots import Bots
from trine.house.games.live.timekeeper import MAX_QUOTA, Lag
from trine.house.games.storage.records import export
from trine.house.games.view.snapshot import Attendance, Presence
from trine.house.people.names import clean_name, guest_name
from waiting import PATIENCE


@given(st.lists(st.floats(0, 30), max_size=40))
def test_no_turn_is_given_back_more_than_its_lag_or_the_quota(trips: list[float]) -> None:
    lag = Lag()
    for trip in trips:
        lag.add(trip)
        before = lag.quota
        refund = lag.refund()
        assert 0 <= refund <= min(lag.round_trip, before, 0.5)
        assert 0 <= lag.quota <= MAX_QUOTA


def test_who_is_gone_is_first_reconnecting_and_then_has_left() -> None:
    fast = Attendance(parse_time_control("3+2"))
    fast.come(0)
    assert fast.seen(0, 0) is Presence.HERE
    fast.go(0, 100.0, closed=False)
    assert fast.seen(0, 120.0) is Presence.RECONNECTING and fast.claimable_from(0) == 140.0
    assert fast.seen(0, 141.0) is Presence.LEFT
    fast.come(0)
    fast.come(0)
    fast.go(0, 200.0, closed=True)  # another page of the same player is still open
    assert fast.seen(0, 300.0) is Presence.HERE and fast.claimable_from(0) is None


@pytest.mark.parametrize("clock", ["30+20", "2/2/100/10/8"])
def test_in_slower_games_one_waits_longer(clock: str) -> None:
    slow = Attendance(parse_time_control(clock))
    slow.come(1)
    slow.go(1, 0.0, closed=True)
    assert slow.claimable_from(1) == 30.0


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\x00b", "bot:7", "engine: rm", "\u202eabc"])
def test_unseemly_names_are_refused(name: str) -> None:
    with pytest.raises(MalformedError):
        clean_name(name)


@pytest.mark.parametrize("wish", ["engine:/bin/sh", "aei:x", "bot:99", "bot:", "", "nobody"])
def test_nobody_can_name_a_program_to_sit_down(wish: str) -> None:
    with pytest.raises(MalformedError):
        check_wish(Agreement.make("tzaar"), wish)


def test_what_chance_decides_is_decided_before_the_game_is_stored() -> None:
    agreed = Agreement.make("tzaar", options={"Setup": "random"})
    assert agreed.terms().start == Agreement.from_data(agreed.as_data()).terms().start


@pytest.mark.nightly
async def test_a_worker_that_dies_forfeits_nothing(tmp_path: Path) -> None:
    bots = Bots(1)
    try:
        mark = tmp_path / "died"
        job = partial(house.victims.die_once, str(mark))
        async with asyncio.timeout(PATIENCE):
            assert await bots._submit(0, job) == "alive"  # type: ignore[arg-type]
        assert bots.died == 1
    finally:
        await asyncio.to_thread(bots.close)


def test_a_record_is_written_whole_or_the_problem_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    export(folder, "abc", "one\n")
    export(folder, "abc", "two\n")
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [("abc.trine", "two\n")]
    (folder / "held.trine").mkdir()
    with pytest.raises(FileError, match=r"held\.trine: .*directory"):
        export(folder, "held", "three\n")


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "Moderator", "ADMlN", "deleted", "computer, level 3", "Computer 9", "bot:3"),
        *("Anna (bot)", "компьютер, уровень 5", "ordinateur, niveau 2", "gép, 1. szint"),
        *("...", "\u3164", "\u00b4\u00b4", "Z\u0351\u036b\u0343algo", "a\u0489", "ก็็็"),
        *("The Admin", "Anna (admin)", "admin1", "администратор", "\u13aadmin", "deleted user"),
        *("удалено", "törölt", "Supprimé", "Модератор 2", "3. szint", "número 5 admin"),
    ],
)
def test_guests_take_no_name_that_is_taken_for_another(name: str) -> None:
    with pytest.raises(MalformedError):
        guest_name(name)


@pytest.mark.parametrize(
    "name", ["Anna", "Guest 1234", "Zoë", "Nguyễn", "Robot", "Ботаник", "猫 2"]
)
def test_guests_may_be_called_otherwise(name: str) -> None:
    assert guest_name(name) == name
