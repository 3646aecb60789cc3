from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.contract.position import NO_HISTORY, History

KEYS = "abc"


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(KEYS))))
def test_a_history_counts_like_a_plain_counter(doings: list[tuple[bool, str]]) -> None:
    history, counter = History(), Counter[str]()
    for adds, key in doings:
        if adds:
            history.add(key)
            counter[key] += 1
        elif counter[key]:
            history.remove(key)
            counter[key] -= 1
        assert [history.times(key) for key in KEYS] == [counter[key] for key in KEYS]
        assert history.repeated == any(times > 1 for times in counter.values())


def test_what_never_stood_cannot_be_removed() -> None:
    with pytest.raises(KeyError):
        History(["a"]).remove("b")


def test_the_first_standing_is_empty() -> None:
    assert not NO_HISTORY.repeated
    assert NO_HISTORY.times("a") == 0
