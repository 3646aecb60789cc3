"""Counting with kernels: the counts of others, and of the referee."""

import random

import pytest

from trine.core.contract.position import Position
from trine.engine.search.bench import bench_positions
from trine.engine.search.perft import count_sequences
from trine.games import ROOMS, new_play, open_kernel, open_room

PUBLISHED = [
    ("tzaar/official", {}, (42, 1_797, 260_556, 11_010_135)),
    ("tzaar/open", {}, (42, 6_315, 263_319, 37_441_218)),
    ("tzaar/official", {"setup": "placement"}, (180, 31_860, 5_543_640)),
    ("corridor/quoridor", {}, (131, 16_677, 2_062_264)),
    ("corridor/quoridor", {"players": 4}, (131, 16_677, 2_062_065)),
]
"""Counted by other programs: the TZAAR vectors, Titanium and Zquoridor."""


def counted_by_referee(position: Position, depth: int) -> int:
    actions = position.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(counted_by_referee(position.play_unchecked(a), depth - 1) for a in actions)


@pytest.mark.parametrize(("game", "options", "counts"), PUBLISHED)
def test_counts_are_those_that_others_found(
    game: str, options: dict[str, object], counts: tuple[int, ...]
) -> None:
    start = new_play(game, "", **options).start
    kernel = open_kernel(game.partition("/")[0])
    for depth, count in enumerate(counts, start=1):
        assert sum(count_sequences(kernel, start, depth).values()) == count


@pytest.mark.parametrize("name", ROOMS)
def test_the_split_is_that_of_the_referee(name: str) -> None:
    rng = random.Random(3)
    kernel = open_kernel(name)
    for rules in open_room(name).rule_sets:
        play = new_play(f"{name}/{rules}")
        for _ in range(40):
            if not play.outcome:
                play.act_unchecked(rng.choice(play.legal_actions()))
        if play.outcome:
            continue
        split = count_sequences(kernel, play.position, 2)
        assert set(split) == set(play.position.legal_actions())
        for action, count in split.items():
            assert count == counted_by_referee(play.position.play_unchecked(action), 1)


@pytest.mark.parametrize("name", ROOMS)
def test_threads_and_counting_in_bulk_change_nothing(name: str) -> None:
    kernel, told = open_kernel(name), []
    position = next(bench_positions(open_room(name))).position
    alone = count_sequences(kernel, position, 3, in_bulk=False)
    together = count_sequences(
        kernel, position, 3, threads=3, done=lambda *counted: told.append(counted)
    )
    assert alone == together
    assert told[-1][0] == told[-1][1] > 0


def test_a_play_that_is_over_has_no_continuation() -> None:
    over = open_room("corridor").rules.parse_position("corridor 3 2 a3,b2 - 10,10 2", "")
    assert over.outcome() is not None
    assert count_sequences(open_kernel("corridor"), over, 3) == {}


@pytest.mark.parametrize("name", ROOMS)
def test_fixed_positions_are_many_different_and_have_their_reasons(name: str) -> None:
    positions = list(bench_positions(open_room(name)))
    assert 16 <= len(positions) <= 24
    assert len({fixed.position for fixed in positions}) == len(positions)
    assert all(fixed.reason and fixed.position.legal_actions() for fixed in positions)
