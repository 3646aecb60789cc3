"""Limits as protocols say them: both directions, and the way there and back."""

import pytest

from trine.core.clock import Clock, Limits, TimeControl, parse_time_control
from trine.core.errors import MalformedError
from trine.engine.protocol.time_limits import (
    AeiTimes,
    format_aei_times,
    format_go,
    read_go,
    time_limit,
)
from trine.games import new_play

ARIMAA = new_play("arimaa", "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR")


def clock(words: str, players: int = 2) -> Clock:
    return Clock.start(parse_time_control(words), players)


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("depth 4", Limits(depth=4)),
        ("nodes 100 depth 2", Limits(depth=2, nodes=100)),
        ("movetime 1500", Limits(hard=1.5)),
        ("movetime 0", Limits(hard=0.001)),
        ("infinite", Limits()),
        ("", Limits()),
        ("infinite depth 3", Limits()),
        (
            "p1time 10000 p2time 20000 p1inc 2000 p2inc 2000",
            Limits(clock=Clock(TimeControl(2, 20), (8.0, 18.0), (0.0, 0.0), (0, 0))),
        ),
        (
            "p1time 10100 p2time 5000 p1inc 100 p2inc 100",
            Limits(clock=Clock(TimeControl(0.1, 11), (10.0, 4.9), (0.0, 0.0), (0, 0))),
        ),
        ("p1time -20", Limits(clock=Clock(TimeControl(0, 1), (0.0, 0.0), (0.0, 0.0), (0, 0)))),
    ],
)
def test_go_is_read(words: str, limits: Limits) -> None:
    assert read_go(new_play("tzaar"), words.split()) == (limits, [])


def test_what_is_left_on_the_clock_may_be_used_whatever_the_increment() -> None:
    for words in ("p1time 500 p1inc 3000", "p1time 500 p1inc 80", "p1time 3000 p1inc 3000"):
        limits, _ = read_go(new_play("tzaar"), words.split())
        assert limits.clock and limits.clock.left(0) == int(words.split()[1]) / 1000


def test_a_number_that_is_missing_is_an_error() -> None:
    for words in ("depth", "nodes x", "p1time", "movetime 1.5"):
        with pytest.raises(MalformedError):
            read_go(new_play("tzaar"), words.split())


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(), "go"),
        (Limits(depth=5, nodes=7), "go depth 5 nodes 7"),
        (Limits(hard=2.5, used=0.5), "go movetime 2000"),
        (Limits(hard=0.5, used=0.9), "go movetime 1"),
        (Limits(clock=clock("0/0")), "go"),
        (
            Limits(clock=clock("1/2").after_turn(0, 90), used=10),
            "go p1time 140000 p2time 180000 p1inc 60000 p2inc 60000",
        ),
        (Limits(clock=clock("0:10/1/50")), "go p1time 70000 p2time 70000 p1inc 5000 p2inc 5000"),
        (
            Limits(clock=clock("0:10/1/100/0/0/0:15")),
            "go p1time 15000 p2time 15000 p1inc 10000 p2inc 10000",
        ),
    ],
)
def test_go_is_written(limits: Limits, words: str) -> None:
    assert format_go(new_play("tzaar"), limits) == words


def test_every_player_has_a_clock() -> None:
    play = new_play("corridor", players=4)
    words = format_go(play, Limits(clock=clock("5+3", 4)))
    assert words.split()[1::2] == [
        f"p{player}{kind}" for kind in ("time", "inc") for player in range(1, 5)
    ]
    told, _ = read_go(play, words.split()[1:])
    assert told.clock and [told.clock.left(player) for player in range(4)] == [303.0] * 4


def test_a_clock_of_ugi_leaves_the_same_on_both_sides() -> None:
    play = new_play("corridor")
    for words in ("5+3", "1/1", "0:15/2/100/3", "G/5", "0.1s/10s", "0.08s/90.5s"):
        for used in (0.0, 3.5, 61.0):
            sent = clock(words).after_turn(0, used).after_turn(1, 2 * used)
            limits, _ = read_go(play, format_go(play, Limits(clock=sent)).split()[1:])
            assert limits.clock
            assert limits.clock.left(0) == pytest.approx(sent.left(0), abs=0.002)
            assert limits.clock.left(1) == pytest.approx(sent.left(1), abs=0.002)


def test_the_options_of_aei() -> None:
    limits = Limits(clock=clock("0:15/2/50/10/2/1").after_turn(0, 20.5), used=1.2, depth=8)
    assert format_aei_times(ARIMAA, limits) == {
        "tcmove": "15",
        "tcreserve": "120",
        "tcpercent": "50",
        "tcmax": "600",
        "tctotal": "7200",
        "tcturns": "0",
        "tcturntime": "60",
        "greserve": "114",
        "sreserve": "120",
        "moveused": "2",
        "depth": "8",
    }


def test_aei_is_told_no_fractions_and_never_that_there_is_no_limit() -> None:
    sent = clock("0.1s/10s").after_turn(0, 0.35)
    told = format_aei_times(ARIMAA, Limits(clock=sent))
    assert (told["tcmove"], told["tcreserve"], told["greserve"]) == ("0", "10", "9")
    hurried = format_aei_times(ARIMAA, Limits(clock=clock("0.1s/0.5s")))
    assert (hurried["tcmove"], hurried["tcreserve"]) == ("0", "1")
    times = AeiTimes()
    for name, value in hurried.items():
        if name != "depth":
            times.set(name, value)
    limits = times.limits((0.0, 0.0))
    assert limits.clock and limits.clock.left(0) <= 0.6


def test_fractions_that_aei_tells_are_heard() -> None:
    times = AeiTimes()
    for name, value in (("tcmove", "0.5"), ("tcreserve", "10"), ("greserve", "3.25")):
        times.set(name, value)
    limits = times.limits((0.0, 0.0))
    assert limits.clock and limits.clock.control == TimeControl(0.5, 10)
    assert (limits.clock.left(0), limits.clock.left(1)) == (3.75, 10.5)


def test_a_fixed_time_is_a_time_for_each_move_in_aei() -> None:
    told = format_aei_times(ARIMAA, Limits(hard=2.5))
    assert (told["tcmove"], told["tcreserve"], told["greserve"]) == ("2", "0", "0")
    assert format_aei_times(ARIMAA, Limits(hard=0.1))["tcmove"] == "1"
    both = format_aei_times(ARIMAA, Limits(hard=2.5, clock=clock("1/1")))
    assert (both["tcmove"], both["tcturntime"]) == ("60", "2")


def test_what_aei_is_told_it_understands() -> None:
    sent = clock("0:15/2/50/10/2/1").after_turn(0, 20.0)
    times = AeiTimes()
    for name, value in format_aei_times(ARIMAA, Limits(clock=sent, used=3.0)).items():
        if name != "depth":
            times.set(name, value)
    limits = times.limits((20.0, 0.0))
    assert limits.used == 3.0 and limits.clock
    assert limits.clock.control == sent.control and limits.clock.reserves == sent.reserves
    assert limits.clock.game_left() == sent.game_left()


def test_what_may_be_used() -> None:
    assert time_limit(ARIMAA, Limits()) is None
    assert time_limit(ARIMAA, Limits(depth=3, nodes=4)) is None
    assert time_limit(ARIMAA, Limits(hard=3, used=1)) == 2
    assert time_limit(ARIMAA, Limits(hard=30, clock=clock("0:10/0:10"), used=5)) == 15
    assert time_limit(ARIMAA, Limits(clock=clock("1/1/100/0/0:01"))) == 60
    assert time_limit(new_play("arimaa"), Limits(clock=clock("0:10/0:10"))) == 70  # the setup
    assert time_limit(ARIMAA, Limits(clock=clock("0/0"))) is None
    assert time_limit(ARIMAA, Limits(hard=1, used=2)) == 0


@pytest.mark.parametrize("value", ["", "x", "1e5", "nan", "inf", "9" * 40])
def test_times_are_plain_numbers(value: str) -> None:
    with pytest.raises(MalformedError):
        AeiTimes().set("tcmove", value)


def test_what_makes_no_sense_is_made_sense_of() -> None:
    times = AeiTimes()
    for name, value in (
        *(("tcmove", "-5"), ("tcreserve", "60"), ("tcpercent", "250")),
        *(("tctotal", "100"), ("tcturns", "40")),
    ):
        times.set(name, value)
    limits = times.limits((0.0, 0.0))
    assert limits.clock and limits.clock.control == TimeControl(0, 60, 100, 0, 100)
