"""Time is divided so that no clock is overstepped and little is left unused."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.clock import Clock, TimeControl, parse_time_control
from trine.engine.levels import FULL, LEVELS, parse_level
from trine.engine.limits import Limits
from trine.engine.timing import LAG, allot

controls = st.builds(
    TimeControl,
    move=st.integers(0, 600),
    reserve=st.integers(0, 3600),
    percent=st.integers(0, 100),
    turn_time=st.integers(0, 900),
).filter(lambda control: not control.untimed)


@given(control=controls, used=st.floats(0, 5))
def test_no_allotment_oversteps_the_clock(control: TimeControl, used: float) -> None:
    clock = Clock.start(control)
    given_time = allot(Limits(clock=clock, used=used), 0)
    assert given_time.most is not None and given_time.enough is not None
    assert 0 <= given_time.enough <= given_time.most or given_time.most == 0
    assert given_time.most == 0 or given_time.most + used + LAG <= clock.left(0)


@given(control=controls)
def test_a_game_of_many_turns_can_be_played_on_a_clock(control: TimeControl) -> None:
    clock = Clock.start(control)
    for _ in range(200):
        most = allot(Limits(clock=clock), 0).most
        assert most is not None
        assert not clock.overstepped(0, most)
        clock = clock.after_turn(0, most)


def test_what_a_turn_gets_in_any_case_is_used() -> None:
    most = allot(Limits(clock=Clock.start(parse_time_control("10s/1m"))), 0).most
    assert most is not None
    assert 9.5 < most < 30


def test_an_untimed_clock_is_no_limit() -> None:
    clock = Clock.start(parse_time_control("0/0"))
    assert allot(Limits(clock=clock), 0).most is None
    fixed = allot(Limits(seconds=2, clock=clock), 0).most
    assert fixed == pytest.approx(2 - LAG)


def test_the_lower_of_two_limits_of_time_counts() -> None:
    clock = Clock.start(parse_time_control("10s/0"))
    assert allot(Limits(seconds=2, clock=clock), 0).most == pytest.approx(2 - LAG)


def test_each_level_looks_further_and_overlooks_less() -> None:
    levels = [LEVELS[number] for number in range(1, FULL + 1)]
    for weaker, stronger in pairwise(levels):
        assert weaker.nodes is not None
        assert stronger.nodes is None or stronger.nodes > weaker.nodes
        assert stronger.blind <= weaker.blind
    assert levels[-1].nodes is None and levels[-1].blind == 0


@pytest.mark.parametrize("words", ["0", "11", "x", "", "-1", "٣"])
def test_other_levels_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="levels are 1 to 10"):
        parse_level(words)
