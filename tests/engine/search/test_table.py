"""The transposition table gives back what it was given, and nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.contract.score import PROVEN_SCORE, WIN
from trine.engine.search.kernel.table import (
    AGES,
    BUCKET_BYTES,
    BUCKET_WORDS,
    EXACT,
    LOWER,
    NO_ACTION,
    NO_EVALUATION,
    UPPER,
    action_of,
    age_of,
    bound_of,
    bucket_of,
    depth_of,
    evaluation_of,
    probe,
    score_of,
    store,
)
from trine.engine.search.worker_factory import MEGABYTE, new_table

keys = st.integers(0, 2**64 - 1).map(np.uint64)


@given(
    key=keys,
    ply=st.integers(0, 96),
    action=st.integers(0, NO_ACTION),
    score=st.integers(-PROVEN_SCORE, PROVEN_SCORE) | st.integers(WIN - 99, WIN - 97),
    evaluation=st.integers(-20_000, 20_000) | st.just(NO_EVALUATION),
    depth=st.integers(0, 95),
    bound=st.sampled_from([LOWER, UPPER, EXACT]),
    age=st.integers(0, AGES - 1),
)
def test_what_is_kept_is_found(
    key: np.uint64,
    ply: int,
    action: int,
    score: int,
    evaluation: int,
    depth: int,
    bound: int,
    age: int,
) -> None:
    table = np.zeros((8, BUCKET_WORDS), np.uint64)
    for sign in (1, -1):
        store(table, key, ply, action, sign * score, evaluation, depth, bound, age)
        data = probe(table, key)
        assert score_of(data, ply) == sign * score
        assert action_of(data) == action
        assert evaluation_of(data) == evaluation
        assert (depth_of(data), bound_of(data), age_of(data)) == (depth, bound, age)


def test_a_win_is_counted_from_where_it_is_found() -> None:
    table = np.zeros((8, BUCKET_WORDS), np.uint64)
    store(table, np.uint64(5), 10, 1, WIN - 13, 0, 4, EXACT, 0)
    assert score_of(probe(table, np.uint64(5)), 2) == WIN - 5
    store(table, np.uint64(5), 10, 1, 13 - WIN, 0, 4, EXACT, 0)
    assert score_of(probe(table, np.uint64(5)), 2) == 5 - WIN


def test_a_shallow_result_does_not_replace_a_deep_exact_one_of_the_same_search() -> None:
    table, key = np.zeros((8, BUCKET_WORDS), np.uint64), np.uint64(5)
    store(table, key, 0, 7, 120, 3, 9, EXACT, 1)
    for bound in (LOWER, UPPER, EXACT):
        store(table, key, 0, 8, 90, 3, 4, bound, 1)
        assert (depth_of(probe(table, key)), score_of(probe(table, key), 0)) == (9, 120)
    store(table, key, 0, 8, 90, 3, 4, LOWER, 2)
    assert depth_of(probe(table, key)) == 4, "another search knows another past"


def test_the_deepest_and_youngest_stay() -> None:
    table = np.zeros((1, BUCKET_WORDS), np.uint64)
    for key, depth, age in ((1, 20, 3), (2, 9, 3), (3, 12, 0), (4, 12, 3), (5, 1, 3)):
        store(table, np.uint64(key), 0, 1, 0, 0, depth, EXACT, age)
    assert [bool(probe(table, np.uint64(key))) for key in (1, 2, 3, 4, 5)] == [1, 1, 0, 1, 1]


def test_an_action_is_not_forgotten_for_none() -> None:
    table = np.zeros((1, BUCKET_WORDS), np.uint64)
    store(table, np.uint64(9), 0, 123, 50, 0, 3, LOWER, 0)
    store(table, np.uint64(9), 0, NO_ACTION, 20, 0, 4, UPPER, 0)
    assert action_of(probe(table, np.uint64(9))) == 123


def test_an_evaluation_is_not_forgotten_for_none() -> None:
    table, key = np.zeros((1, BUCKET_WORDS), np.uint64), np.uint64(9)
    store(table, key, 0, 123, 50, -31, 3, LOWER, 0)
    store(table, key, 0, NO_ACTION, 20, NO_EVALUATION, 0, UPPER, 0)
    assert evaluation_of(probe(table, key)) == -31


@pytest.mark.parametrize("megabytes", [1, 5, 33, 100])
def test_a_table_is_as_large_as_asked(megabytes: float) -> None:
    table = new_table(megabytes)
    assert table.nbytes == pytest.approx(megabytes * MEGABYTE, rel=0.01)
    assert table.ctypes.data % BUCKET_BYTES == 0, "a bucket is a cache line"
    assert bucket_of(table, np.uint64(0)) == 0
    assert bucket_of(table, np.uint64(2**64 - 1)) == len(table) - 1
    # Half of the keys go to each half of the table.
    keys = np.random.default_rng(1).integers(0, 2**64, 2_000, np.uint64)
    lower = sum(bucket_of(table, key) < len(table) // 2 for key in keys)
    assert 900 < lower < 1_100
