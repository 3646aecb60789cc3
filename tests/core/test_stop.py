"""A stop is heard whenever it is set: before, while, and after; it wakes those who wait."""

import sys
import threading
import time

import numpy as np
import pytest

from trine.core.work.stop import Stop
from waiting import wait_until

LONG = 120.0
"""Units: seconds; what comes only after so long has failed."""


def test_a_stop_stays_set_however_often_it_is_set() -> None:
    stop = Stop()
    assert not stop.is_set
    assert not stop.wait(0.0)
    for _ in range(2):
        stop.set()
        assert stop.is_set
        assert stop.wait(LONG)


def test_who_waits_is_woken_at_once() -> None:
    stop, woken = Stop(), list[float]()

    def wait() -> None:
        assert stop.wait(LONG)
        woken.append(time.monotonic())

    waiting = [threading.Thread(target=wait) for _ in range(3)]
    for thread in waiting:
        thread.start()
    began = time.monotonic()
    stop.set()
    for thread in waiting:
        thread.join()
    assert len(woken) == 3 and max(woken) - began < LONG


def test_compiled_code_sees_the_flag_in_an_array() -> None:
    stop = Stop()
    flag = np.frombuffer(stop.flag, np.int64)
    assert flag.tolist() == [0]
    stop.set()
    assert flag.tolist() == [1]
    other = Stop()
    np.frombuffer(other.flag, np.int64)[0] = 1
    assert other.is_set


def test_a_call_is_made_once_whether_the_stop_is_set_before_or_inside_but_not_after() -> None:
    made: list[str] = []
    before = Stop()
    before.set()
    with before.calls(lambda: made.append("before")):
        assert made == ["before"]
        before.set()
    inside = Stop()
    with inside.calls(lambda: made.append("inside")):
        inside.set()
        inside.set()
    after = Stop()
    with after.calls(lambda: made.append("after")):
        pass
    after.set()
    assert made == ["before", "inside"]


def test_nothing_is_called_behind_the_end_of_the_block() -> None:
    """Whoever leaves the block while the call is going on waits for it."""
    stop, ended, leaver = Stop(), list[float](), threading.get_ident()
    begun = threading.Event()

    def call() -> None:
        begun.set()
        wait_until(lambda: sys._current_frames()[leaver].f_code.co_name == "calls")
        ended.append(time.monotonic())

    with stop.calls(call):
        threading.Thread(target=stop.set, daemon=True).start()
        assert begun.wait(LONG)
    assert ended
    assert time.monotonic() >= ended[0]


def test_what_a_ctrl_c_leaves_undone_the_next_stop_does() -> None:
    stop, made = Stop(), list[int]()

    def interrupted() -> None:
        made.append(1)
        if len(made) == 1:
            raise KeyboardInterrupt

    with stop.calls(interrupted), stop.calls(lambda: made.append(2)):
        with pytest.raises(KeyboardInterrupt):
            stop.set()
        assert stop.is_set
        stop.set()
    assert made == [1, 1, 2]


def test_a_part_is_stopped_with_the_whole_or_alone() -> None:
    whole = Stop()
    with whole.child() as first, whole.child() as second:
        first.set()
        assert not second.is_set
        assert not whole.is_set
        whole.set()
        assert second.is_set
    with whole.child() as late:
        assert late.is_set
    with Stop().child() as left:
        pass
    assert not left.is_set


def test_a_stop_after_some_seconds_is_for_that_part_alone() -> None:
    whole = Stop()
    with whole.after(0.05) as part:
        assert part.wait(LONG)
    assert not whole.is_set
    with whole.after(LONG) as part:
        whole.set()
        assert part.is_set
    for never in (float("inf"), 1e300):
        with Stop().after(never) as part:
            assert not part.wait(0.05)
    with Stop().after(-1.0) as part:
        assert part.wait(LONG)


def test_no_stop_is_lost_between_threads() -> None:
    for _ in range(300):
        whole, heard = Stop(), list[bool]()

        def part(whole: Stop = whole, heard: list[bool] = heard) -> None:
            with whole.child() as own:
                heard.append(own.wait(LONG))

        thread = threading.Thread(target=part)
        thread.start()
        whole.set()
        thread.join()
        assert heard == [True]
