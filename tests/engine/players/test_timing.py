"""Time is divided so that no clock is overstepped and little is left unused."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.clock import Clock, Limits, TimeControl, parse_time_control
from trine.engine.arena.match import parse_budget
from trine.engine.players.player import LEVELS, level_of, parse_level
from trine.engine.players.timing import LAG, allot
from trine.games import ROOMS, open_heuristics

slow = st.builds(
    TimeControl,
    move=st.integers(0, 600),
    reserve=st.integers(0, 3600),
    percent=st.integers(0, 100),
    total=st.integers(0, 600),
    turn_time=st.integers(0, 900),
)
fast = st.builds(
    TimeControl,
    move=st.integers(0, 200).map(lambda hundredths: hundredths / 100),
    reserve=st.integers(0, 200).map(lambda tenths: tenths / 10),
)
controls = st.one_of(slow, fast).filter(
    lambda one: not one.untimed or bool(one.turn_time or one.total)
)
ROUNDING = 1e-9


def allotted(clock: Clock, used: float = 0.0) -> tuple[float, float]:
    found = allot(Limits(clock=clock, used=used), 0)
    assert found.soft is not None and found.hard is not None
    return found.soft, found.hard


@given(control=controls, used=st.floats(0, 5))
def test_no_allotment_oversteps_the_clock(control: TimeControl, used: float) -> None:
    clock = Clock.start(control)
    enough, most = allotted(clock, used)
    assert 0 <= enough <= most
    left = min(clock.left(0), clock.game_left())
    assert most == 0 or most + used + LAG <= left + ROUNDING


@given(control=controls, lag=st.floats(0, LAG))
def test_a_player_who_always_takes_the_most_never_oversteps(
    control: TimeControl, lag: float
) -> None:
    clock = Clock.start(control)
    for _ in range(200):
        most = allotted(clock)[1]
        assert not most or not clock.overstepped(0, most + lag - ROUNDING)
        clock = clock.after_turn(0, most)


@given(control=controls)
def test_no_turn_takes_more_than_a_quarter_of_the_reserve(control: TimeControl) -> None:
    clock = Clock.start(control)
    for _ in range(40):
        before = clock.reserve(0)
        clock = clock.after_turn(0, allotted(clock)[1])
        assert clock.reserve(0) >= 0.75 * before - ROUNDING
    assert clock.reserve(0) >= 1e-5 * control.reserve - ROUNDING


@given(control=controls)
def test_after_forty_usual_turns_a_third_of_the_reserve_is_left(control: TimeControl) -> None:
    clock = Clock.start(control)
    for _ in range(40):
        clock = clock.after_turn(0, allotted(clock)[0])
    assert clock.reserve(0) >= control.reserve / 3


@pytest.mark.parametrize("words", ["1+0.02", "0.5+0.01", "8.0+0.08", "60.0+0.6"])
def test_a_fast_control_is_used(words: str) -> None:
    control = parse_budget(words)[1]
    assert control
    clock, lag, taken = Clock.start(control), 0.005, list[float]()
    enough, most = allotted(clock)
    assert most >= control.move + control.reserve / 25
    assert enough >= (control.move + control.reserve / 25) / 2
    for _ in range(200):
        taken.append(allotted(clock)[1] + lag)
        assert not clock.overstepped(0, taken[-1])
        clock = clock.after_turn(0, taken[-1])
    assert clock.reserve(0) <= LAG  # what a player may keep back for a lag
    assert sum(taken) == pytest.approx(200 * control.move + control.reserve, abs=LAG)


def test_what_a_turn_gets_in_any_case_is_used() -> None:
    most = allot(Limits(clock=Clock.start(parse_time_control("10s/1m"))), 0).hard
    assert most is not None
    assert 9.5 < most < 30


@pytest.mark.parametrize("words", ["0/0/100/0/0/15s", "0/0/100/0/1m"])
def test_where_only_a_turn_or_the_whole_game_is_limited_the_time_is_used(words: str) -> None:
    enough, most = allotted(Clock.start(parse_time_control(words)))
    assert 1 < enough <= most


def test_an_untimed_clock_is_no_limit() -> None:
    clock = Clock.start(parse_time_control("0/0"))
    assert allot(Limits(clock=clock), 0).hard is None
    assert allot(Limits(hard=math.inf), 0).hard is None
    fixed = allot(Limits(hard=2, clock=clock), 0).hard
    assert fixed == pytest.approx(2 - LAG)


def test_the_lower_of_two_limits_of_time_counts() -> None:
    clock = Clock.start(parse_time_control("10s/0"))
    assert allot(Limits(hard=2, clock=clock), 0).hard == pytest.approx(2 - LAG)


@pytest.mark.parametrize("game", ROOMS)
def test_each_level_looks_further_and_overlooks_less(game: str) -> None:
    levels = [level_of(open_heuristics(game), number) for number in LEVELS]
    for weaker, stronger in pairwise(levels):
        assert weaker.nodes is not None
        assert stronger.nodes is None or stronger.nodes > weaker.nodes
        assert stronger.overlook_rate <= weaker.overlook_rate
    assert levels[-1].nodes is None and levels[-1].overlook_rate == 0


@pytest.mark.parametrize("words", ["0", "11", "x", "", "-1", "٣"])
def test_other_levels_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="levels are 1 to 10"):
        parse_level(words)
