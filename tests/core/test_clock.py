import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrimaa.util import TimeControl as Independent

from trine.core.clock import (
    Clock,
    TimeControl,
    format_seconds,
    format_time_control,
    parse_seconds,
    parse_time_control,
)
from trine.core.errors import MalformedError, TrineError

HOURS = 3600

# The examples of the match rules, and time controls of the server's archive (2002, 2026-02).
CONTROLS = [
    ("0/5", TimeControl(0, 300), "0/5"),
    ("0:12/5", TimeControl(12, 300), "0:12/5"),
    ("3/0", TimeControl(180, 0), "3/0"),
    ("0:30/5/100/3", TimeControl(30, 300, 100, 180), "0:30/5/100/3"),
    ("4/2/50/10/6", TimeControl(240, 120, 50, 600, 6 * HOURS), "4/2/50/10/6"),
    ("4/4/100/4/6", TimeControl(240, 240, 100, 240, 6 * HOURS), "4/4/100/4/6"),
    ("4/4/100/4/90t", TimeControl(240, 240, 100, 240, turns=90), "4/4/100/4/90t"),
    ("4/4/100/4/90t/5", TimeControl(240, 240, 100, 240, 0, 90, 300), "4/4/100/4/90t/5"),
    ("24h5m10s/0/0/0/60d", TimeControl(86710, 0, 0, 0, 60 * 86400), "24h5m10s/0/0/0/60d"),
    ("2/2/100/10/8", TimeControl(120, 120, 100, 600, 8 * HOURS), "2/2/100/10/8"),
    ("8s/0/0", TimeControl(8, 0, 0), "0:08/0/0"),
    ("8s/0/100", TimeControl(8, 0), "0:08/0"),
    ("0:30/3/100/5/8", TimeControl(30, 180, 100, 300, 8 * HOURS), "0:30/3/100/5/8"),
    ("2m/6m/100/0/7h13s/0", TimeControl(120, 360, total=7 * HOURS + 13), "2/6/100/0/7h13s"),
    ("15s/2m/100", TimeControl(15, 120), "0:15/2"),
    ("15s/2m30s/100", TimeControl(15, 150), "0:15/2:30"),
    ("4m/10m/100/0/16h/10m", TimeControl(240, 600, 100, 0, 16 * HOURS, 0, 600), "4/10/100/0/16/10"),
    ("3/3/100/3/0", TimeControl(180, 180, 100, 180), "3/3/100/3"),
    ("0/0/0/0/0", TimeControl(0, 0, 0), "0/0/0"),
    ("0/60/0/0/0", TimeControl(0, HOURS, 0), "0/1h/0"),
    ("1/1/100/0/1:30", TimeControl(60, 60, total=5400), "1/1/100/0/1:30"),
    ("1/1/100/0/0:10", TimeControl(60, 60, total=600), "1/1/100/0/0:10"),
    ("1/1/100/0/0t/1:30", TimeControl(60, 60, turn_time=90), "1/1/100/0/0/1:30"),
]
FRACTIONS = [
    ("0.1s/10s", TimeControl(0.1, 10), "0.1s/10s"),
    ("0.08s/8s/100/0", TimeControl(0.08, 8), "0.08s/8s"),
    ("0.250s/1", TimeControl(0.25, 60), "0.25s/1m"),
    ("0/1m30.5s", TimeControl(0, 90.5), "0/1m30.5s"),
    ("1h0.125s/1d0.5s/50/2/0:30", TimeControl(3600.125, 86400.5, 50, 120, 1800),
     "1h0.125s/24h0.5s/50/2/0:30"),
    ("10.5s+1", TimeControl(1, 10.5), "1s/10.5s"),
    ("1.0s/10.000s", TimeControl(1, 10), "0:01/0:10"),
]  # fmt: skip
SHORT_NAMES = [
    ("5+3", "0:03/5/100/0/0/0"),
    ("5+0", "0/5"),
    ("0:30+2", "0:02/0:30"),
    ("1h30m+30", "30s/1h30m"),
    ("G/5", "0/5"),
    (" G/1h ", "0/60"),
]


@pytest.mark.parametrize(("words", "control", "canonical"), CONTROLS + FRACTIONS)
def test_a_time_control_is_read_and_written(
    words: str, control: TimeControl, canonical: str
) -> None:
    assert parse_time_control(words) == control
    assert format_time_control(control) == canonical


@pytest.mark.parametrize(("words", "control", "canonical"), CONTROLS)
def test_pyrimaa_reads_the_same(words: str, control: TimeControl, canonical: str) -> None:
    assert independent(words) == independent(canonical) == control


@pytest.mark.parametrize(("short", "words"), SHORT_NAMES)
def test_a_short_name_yields_a_time_control(short: str, words: str) -> None:
    assert parse_time_control(short) == parse_time_control(words)


def independent(words: str) -> TimeControl:
    read = Independent(words)
    limits = (read.time_limit, read.turn_limit, read.max_turntime)
    return TimeControl(read.move, read.reserve, read.percent, read.max_reserve, *limits)


BAD = [
    ("", "not a time control"),
    ("none", "'none' is not a time control"),
    ("5", "'5' is not a time control"),
    ("1/1/1/1/1/1/1", "not a time control"),
    ("G/", "reserve (R): ''"),
    ("/5", "time per move (M): ''"),
    ("-1/5", "time per move (M): '-1'"),
    ("5+", "not a time control"),
    ("+3", "not a time control"),
    ("x+3", "reserve (R): 'x'"),
    ("5+3/100", "time per move (M): '5+3'"),
    ("2/0.5", "reserve (R): '0.5'"),
    ("0.5/2", "time per move (M): '0.5'"),
    ("0.5m/2", "time per move (M): '0.5m'"),
    (".5s/2", "time per move (M): '.5s'"),
    ("0.s/2", "time per move (M): '0.s'"),
    ("0.0001s/2", "time per move (M): '0.0001s'"),
    ("10+0.1", "not a time control"),
    ("2/2/100/0.5s", "limit of the reserve (L): '0.5s'"),
    ("2/2/100/5/0.5s", "game time (G): '0.5s'"),
    ("2/2/100/5/8/0.5s", "time for one turn (T): '0.5s'"),
    ("1:2:3/0", "time per move (M): '1:2:3'"),
    (":30/0", "time per move (M): ':30'"),
    ("1m1m/0", "time per move (M): '1m1m'"),
    ("5s1m/0", "time per move (M): '5s1m'"),
    ("1m30/0", "time per move (M): '1m30'"),
    ("1M/0", "time per move (M): '1M'"),
    ("٣/0", "time per move (M): '٣'"),
    ("9" * 5000 + "/0", "time per move (M)"),
    ("2/2/101", "percent (P): '101'"),
    ("2/2/50%", "percent (P): '50%'"),
    ("2/2//5", "percent (P): ''"),
    ("2/2/100/5t", "limit of the reserve (L): '5t'"),
    ("2/2/100/5/t", "game time (G): 't'"),
    ("2/2/100/5/90t1h", "game time (G): '90t1h'"),
    ("2/2/100/5/8/9t", "time for one turn (T): '9t'"),
]


@pytest.mark.parametrize(("words", "message"), BAD)
def test_a_bad_time_control_is_refused_by_field(words: str, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_time_control(words)
    assert message in str(caught.value)


@given(st.text() | st.text("0123456789:/+Gdhmst", max_size=20))
def test_random_text_raises_nothing_but_trine_errors(words: str) -> None:
    for parse in (parse_time_control, parse_seconds):
        try:
            parse(words)
        except TrineError as error:
            assert str(error)


SPANS = st.integers(0, 100) | st.integers(0, 10**7) | st.integers(0, 2000).map(lambda n: n * 60)
LIMITS = st.fixed_dictionaries({"total": SPANS}) | st.fixed_dictionaries(
    {"turns": st.integers(0, 999)}
)
TIME_CONTROLS = st.builds(
    lambda limits, **fields: TimeControl(**fields, **limits),
    LIMITS,
    move=SPANS,
    reserve=SPANS,
    percent=st.integers(0, 100),
    reserve_limit=SPANS,
    turn_time=SPANS,
)
USED = st.floats(0, 10**6)


@given(TIME_CONTROLS)
def test_time_control_round_trips(control: TimeControl) -> None:
    words = format_time_control(control)
    assert parse_time_control(words) == control == independent(words)
    assert format_time_control(parse_time_control(words)) == words
    assert parse_time_control(str(Independent(words))) == control


@given(TIME_CONTROLS, st.integers(0, 10**7), st.integers(0, 10**7))
def test_time_control_with_fractions_round_trips(
    control: TimeControl, move: int, reserve: int
) -> None:
    control = replace(control, move=move / 1000, reserve=reserve / 1000)
    words = format_time_control(control)
    assert parse_time_control(words) == control
    assert format_time_control(parse_time_control(words)) == words


# The first turns of games in the archive of the Arimaa server for 2026-02, by game number: what
# each turn used, and the reserves of both players behind it. Turns 0 and 1 are the setups.
RECORDED = {
    "15s/2m30s/100": [  # 669123
        (13, 150, 150), (16, 150, 150), (17, 148, 150), (22, 148, 143), (13, 150, 143),
    ],
    "8s/10s/100": [  # 669125
        (3, 10, 10), (14, 10, 10), (3, 15, 10), (5, 15, 13), (9, 14, 13),
    ],
    "8s/0/100": [  # 669129
        (13, 0, 0), (47, 0, 0), (4, 4, 0), (5, 4, 3), (6, 6, 3),
    ],
    "8s/0/0": [  # 669130
        (13, 0, 0), (8, 0, 0), (4, 0, 0), (4, 0, 0), (6, 0, 0),
    ],
    "2/2/100/5/0": [  # 669127
        (15, 120, 120), (1, 120, 120), (34, 206, 120), (7, 206, 233), (34, 292, 233),
    ],
    "2m/6m/100/0/7h12s/0": [  # 669139
        (32, 360, 360), (33, 360, 360), (35, 445, 360), (10, 445, 470), (16, 549, 470),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("words", "turns"), RECORDED.items())
def test_the_clock_runs_as_in_recorded_games(words: str, turns: list[tuple[int, ...]]) -> None:
    clock = Clock.start(parse_time_control(words))
    for number, (used, *reserves) in enumerate(turns):
        assert not clock.overstepped(number % 2, used, setup=number < 2)
        clock = clock.after_turn(number % 2, used, setup=number < 2)
        assert clock.reserves == tuple(reserves)
    assert sum(clock.used) == sum(turn[0] for turn in turns)
    assert clock.turns == (3, 2)


@pytest.mark.parametrize(
    ("words", "used", "reserve"),
    [
        ("0:10/1", 10, 60),  # M: just used up
        ("0:10/1", 4, 66),
        ("0:10/1", 12.25, 57.75),  # beyond M: out of the reserve, not rounded
        ("0:10/1", 70, 0),
        ("0:10/1", 99, 0),  # too long: the reserve is empty, not negative
        ("0/1", 20, 40),  # M 0: everything comes out of the reserve
        ("0:10/1", 6.6, 63),  # 3.4 unused
        ("0:10/1", 6.5, 64),  # 3.5 unused
        ("0:10/1", 9.6, 60),  # 0.4 unused
        ("0:10/1/50", 5, 63),  # P: 2.5 of 5 unused
        ("0:10/1/50", 5.5, 62),  # 2.25 of 4.5
        ("0:10/1/33", 0, 63),  # 3.3 of 10
        ("0:10/1/0", 0, 60),
        ("0:10/1/0", 15, 55),  # P does not touch what a turn takes
        ("0:10/1/100/1:05", 0, 65),  # L: filled up to it
        ("0:10/1/100/1", 0, 60),
        ("0:10/1/100/0:30", 0, 60),  # L below the reserve: not cut, not increased
        ("0:10/1/100/0:30", 15, 55),
        ("0:10/1/100/0", 0, 70),  # 0: no limit
    ],
)
def test_the_reserve_after_a_turn(words: str, used: float, reserve: float) -> None:
    clock = Clock.start(parse_time_control(words)).after_turn(1, used)
    assert clock.reserves == (60, reserve)
    assert (clock.used, clock.turns) == ((0, used), (0, 1))


@pytest.mark.parametrize(
    ("words", "used", "reserve"),
    [
        ("0.1s/10s", 0.03, 10.07),
        ("0.1s/10s", 0.1, 10),
        ("0.1s/10s", 0.35, 9.75),
        ("0.1s/10s/50", 0.03, 10.035),
        ("1s/10.5s", 0.6, 10.9),  # whole seconds would make it 10.5
        ("0.5s/10s/100/0:10", 0.1, 10),
    ],
)
def test_nothing_is_rounded_where_there_are_fractions(
    words: str, used: float, reserve: float
) -> None:
    clock = Clock.start(parse_time_control(words)).after_turn(0, used)
    assert clock.reserve(0) == pytest.approx(reserve, abs=1e-9)


def test_a_reserve_above_its_limit_grows_again_once_it_has_fallen_below() -> None:
    clock = Clock.start(parse_time_control("0:30/5/100/3"))
    for used, reserve in [(0, 300), (140, 190), (10, 190), (60, 160), (25, 165), (0, 180)]:
        clock = clock.after_turn(0, used)
        assert clock.reserve(0) == reserve


@pytest.mark.parametrize(
    ("words", "left", "left_in_setup"),
    [
        ("2/5", 420, 420),
        ("0:30/5", 330, 360),  # M below 1 minute: 1 minute for the setup, then the reserve
        ("1/0", 60, 60),
        ("0/5", 300, 360),
        ("4/4/100/4/90t/5", 300, 300),  # T below M and the reserve together
        ("4/4/100/4/90t/9", 480, 480),
        ("0:08/1/100/0/0/0:20", 20, 60),  # T does not cut the minute of the setup,
        ("1/1/100/0/0/0:20", 20, 20),  # but the time of the setup where M is enough
        ("0:08/1/100/0/0/1:30", 68, 90),
        ("4/4/100/4/0:01", 480, 480),  # nobody loses by the end of the game time
        ("0/0", math.inf, math.inf),  # untimed
        ("0/0/0/0/60d", math.inf, math.inf),
        ("0/0/0/0/0/1d", 86400, 86400),
    ],
)
def test_the_time_left_for_a_turn(words: str, left: float, left_in_setup: float) -> None:
    clock = Clock.start(parse_time_control(words))
    assert clock.left(0) == left
    assert clock.left(0, setup=True) == left_in_setup


def test_the_setup_takes_from_the_reserve_and_gives_nothing_to_it() -> None:
    clock = Clock.start(parse_time_control("0:30/5"))
    assert clock.after_turn(0, 20, setup=True).reserve(0) == 300
    assert clock.after_turn(0, 60, setup=True).reserve(0) == 300
    assert clock.after_turn(0, 75, setup=True).reserve(0) == 285
    assert Clock.start(parse_time_control("2/2")).after_turn(0, 100, setup=True).reserve(0) == 120


def test_the_last_moment_is_in_time() -> None:
    clock = Clock.start(parse_time_control("8s/2s/0"))
    assert not clock.overstepped(0, 10)
    assert clock.overstepped(0, 10.1)
    assert not clock.overstepped(0, 62, setup=True)
    assert clock.overstepped(0, 62.1, setup=True)
    assert not Clock.start(parse_time_control("0/0")).overstepped(0, 1e9)


def test_the_game_time_halts_the_game() -> None:
    clock = Clock.start(parse_time_control("4/2/50/10/0:10"))
    assert clock.game_left() == 600
    clock = clock.after_turn(0, 100).after_turn(1, 250).after_turn(0, 100)
    assert clock.game_left() == 150
    assert not clock.game_over()
    assert not clock.overstepped(1, 360)  # halted after 150, when player 1 still had time
    assert clock.after_turn(1, 150).game_over()
    assert clock.after_turn(1, 160).game_left() == 0


def test_who_runs_out_of_time_before_the_game_does_has_lost() -> None:
    clock = Clock.start(parse_time_control("0/5/100/0/0:06"))
    assert clock.overstepped(0, 301)
    assert clock.overstepped(0, 1000)
    assert not clock.after_turn(1, 60).overstepped(0, 301)  # both end at once: scored


def test_the_game_ends_when_all_players_have_made_their_turns() -> None:
    clock = Clock.start(parse_time_control("4/4/100/4/2t"), players=3)
    for player in (0, 1, 2, 0, 1):
        clock = clock.after_turn(player, 1)
        assert not clock.game_over()
    assert clock.after_turn(2, 1).game_over()
    assert clock.game_left() == math.inf


def test_a_clock_without_game_limit_never_stops_the_game() -> None:
    clock = Clock.start(parse_time_control("0/0"))
    assert not clock.after_turn(0, 1e6).after_turn(1, 1e6).game_over()


@given(TIME_CONTROLS, st.lists(st.tuples(USED, st.booleans()), max_size=20))
def test_the_reserve_never_exceeds_what_was_there_or_its_limit(
    control: TimeControl, turns: list[tuple[float, bool]]
) -> None:
    clock = Clock.start(control)
    for used, setup in turns:
        before = clock.reserve(0)
        clock = clock.after_turn(0, used, setup=setup)
        assert 0 <= clock.reserve(0) <= max(before, control.reserve_limit or math.inf)
        assert clock.reserve(1) == control.reserve


@given(TIME_CONTROLS, USED, st.booleans(), st.floats(0.001, 1e6))
def test_any_time_beyond_what_is_left_oversteps_until_the_game_is_halted(
    control: TimeControl, used: float, setup: bool, extra: float
) -> None:
    clock = Clock.start(control).after_turn(0, used)
    left = clock.left(0, setup=setup)
    assert not clock.overstepped(0, left, setup=setup)
    assert clock.overstepped(0, left + extra, setup=setup) == (left < clock.game_left())


@given(st.integers(0, 10**4), USED, st.floats(0.001, 1e6))
def test_who_has_nothing_left_oversteps_with_any_time(
    reserve: int, beyond: float, extra: float
) -> None:
    clock = Clock.start(TimeControl(0, reserve + 1)).after_turn(0, reserve + 1 + beyond)
    assert clock.left(0) == 0
    assert clock.overstepped(0, extra)


def test_a_clock_is_a_value() -> None:
    clock = Clock.start(parse_time_control("2/2"))
    assert clock.after_turn(0, 5) == clock.after_turn(0, 5) != clock
    assert hash(clock) == hash(replace(clock))
    assert clock.turns == (0, 0)


DURATIONS = [
    (0, "0:00"),
    (12, "0:12"),
    (12.3, "0:12.3"),
    (12.04, "0:12"),
    (59.96, "1:00"),
    (60, "1:00"),
    (3599.9, "59:59.9"),
    (3600, "1:00:00"),
    (3900, "1:05:00"),
    (360000.5, "100:00:00.5"),
]


@pytest.mark.parametrize(("seconds", "words"), DURATIONS)
def test_a_duration_is_written_and_read(seconds: float, words: str) -> None:
    assert format_seconds(seconds) == words
    assert parse_seconds(words) == round(seconds, 1)


def test_minutes_beyond_an_hour_are_read() -> None:
    assert parse_seconds(" 90:05 ") == 5405


@given(st.integers(0, 10**8))
def test_durations_of_whole_tenths_round_trip(tenths: int) -> None:
    assert parse_seconds(format_seconds(tenths / 10)) == tenths / 10


@pytest.mark.parametrize(
    "words", ["", "12", ":12", "0:1", "0:60", "1:60:00", "1:5:00", "0:12.", "0:12.34", "-0:12"]
)
def test_a_bad_duration_is_refused(words: str) -> None:
    with pytest.raises(MalformedError, match="is not a time such as 0:12"):
        parse_seconds(words)
