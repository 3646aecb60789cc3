"""The kernel is the referee's twin: the same actions, positions and results, and sound keys.

`TRINE_PLAYS` is how many whole plays of each rule set and each setup are compared.
"""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from conformance.vectors import Vector, vectors_of
from kernels import (
    OTHERWISE,
    Row,
    actions_in,
    as_result,
    assert_counts,
    assert_passes_again,
    new_rows,
    plays,
)
from trine.core.contract.score import ONGOING
from trine.games.tzaar.board import ARMY_SIZE, EMPTY, EMPTY_BOARD, NO_HEIGHTS, PIECES, POINTS, SIDES
from trine.games.tzaar.compiled import ACTIONS, action_of, number_of, to_position, to_row
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel import rules as kernel
from trine.games.tzaar.notation import parse_action
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import RULE_SETS, Action, Stacking, captures_of
from trine.games.tzaar.starts import start

PLAYS = plays(10)
MOST_PLIES = 60 + 2 * 60
"""No play is longer: placements, then turns of two actions, each of which takes a stack."""


each_vector = vectors_of("tzaar*.jsonl")


def row_of(position: Position) -> Row:
    row: Row = new_rows(layout)[0]
    to_row(position, row)
    return row


def assert_twins(row: Row, position: Position) -> None:
    assert row.tolist() == row_of(position).tolist()
    assert layout.key(row) == layout.fresh_key(row)
    assert to_position(row) == position
    assert layout.mover(row) == position.mover
    assert kernel.result(row) == as_result(position.outcome())
    actions = actions_in(kernel, row)
    assert set(actions) <= set(range(ACTIONS))
    assert sorted(actions) == sorted(
        number_of(position, action) for action in position.legal_actions()
    )
    captures = [len(captures_of(position.tops, position.heights, side)) for side in SIDES]
    assert [kernel.captures(row, side) for side in SIDES] == captures


def any_position(rules: str, rng: random.Random) -> Position:
    """A board that need not come from a play: some stacks, with up to all pieces in them."""
    tops, heights = list(EMPTY_BOARD), list(NO_HEIGHTS)
    for letters in PIECES:
        left = ARMY_SIZE
        for letter in letters + "".join(rng.choices(letters, k=rng.randrange(20))):
            point = rng.choice([point for point in POINTS if tops[point] == EMPTY])
            height = min(1 + int(rng.expovariate(rng.choice((0.2, 1.0)))), left)
            if height:
                tops[point], heights[point] = letter, height
                left -= height
    stage = rng.choice((Stage.ONE, Stage.TWO))
    return Position(RULE_SETS[rules], "".join(tops), tuple(heights), rng.choice(SIDES), stage)


def beginning(rules: str, setup: str, seed: int = 0) -> Position:
    return start(rules, {"Setup": setup, **({"Seed": str(seed)} if setup == "random" else {})})


def whole_play(rules: str, setup: str, seed: int) -> Iterator[tuple[Position, Action | None]]:
    """The positions of a play by chance and what was played there; one in two is fond of stacking."""
    rng = random.Random(seed)
    position = beginning(rules, setup, seed)
    while actions := position.legal_actions():
        stackings = [action for action in actions if isinstance(action, Stacking)]
        action = rng.choice(stackings if stackings and seed % 2 else actions)
        yield position, action
        position = position.play_unchecked(action)
    yield position, None


@pytest.mark.parametrize("setup", ["random", "placement"])
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_kernel_is_the_referee_in_whole_plays(rules: str, setup: str) -> None:
    rows = new_rows(layout, MOST_PLIES)
    tallest = 0
    for seed in range(PLAYS):
        for ply, (position, action) in enumerate(whole_play(rules, setup, seed)):
            if ply == 0:
                to_row(position, rows[0])
            assert_twins(rows[ply], position)
            if action is not None:
                rows[ply + 1] = np.uint64(2**64 - 1)  # whatever stands there must not matter
                kernel.play(rows, ply, number_of(position, action))
            tallest = max(tallest, *position.heights)
    assert tallest >= 5 or PLAYS < 10, "plays by chance must build some stacks"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_kernel_is_the_referee_on_boards_with_tall_stacks(rules: str) -> None:
    rows, rng = new_rows(layout, 1), random.Random(5)
    for _ in range(4 * PLAYS):
        position = any_position(rules, rng)
        to_row(position, rows[0])
        assert_twins(rows[0], position)
        for action in position.legal_actions():
            kernel.play(rows, 0, number_of(position, action))
            after = position.play_unchecked(action)
            assert rows[1].tolist() == row_of(after).tolist()


@each_vector("actions")
def test_a_vector_is_the_same_in_the_kernel(vector: Vector) -> None:
    position = parse_position(vector["position"])
    row = row_of(position)
    assert_twins(row, position)
    assert len(actions_in(kernel, row)) == vector["actions"]
    if vector["captures"] is not None:
        assert [kernel.captures(row, side) for side in SIDES] == vector["captures"]
    if "tokens" in vector:
        tokens = sorted(str(action_of(position, number)) for number in actions_in(kernel, row))
        assert tokens == vector["tokens"]


@each_vector("result")
def test_the_result_of_a_vector_is_the_same(vector: Vector) -> None:
    result = kernel.result(row_of(parse_position(vector["position"])))
    said = vector["result"]
    assert result == (ONGOING if said is None else ["white", "black"].index(said.split()[-1]))


@each_vector("perft")
def test_sequences_are_as_many_as_a_vector_says(vector: Vector) -> None:
    assert_counts("tzaar", row_of(parse_position(vector["position"])), [1, *vector["perft"]])


@each_vector("line")
def test_the_line_of_a_vector_does_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    rows = new_rows(layout, len(vector["line"]))
    to_row(position, rows[0])
    for ply, token in enumerate(vector["line"]):
        action = parse_action(token)
        kernel.play(rows, ply, number_of(position, action))
        position = position.play(action)
        assert_twins(rows[ply + 1], position)


@OTHERWISE
def test_all_this_holds_again_with_indices_checked_and_interpreted(setting: str) -> None:
    slow = "again or likely or vector or counted"
    assert_passes_again(__file__, f"not ({slow})", TRINE_PLAYS="2", **{setting: "1"})
