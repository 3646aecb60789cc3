"""Goals and captures within a turn are found exactly: compared with trying every action.

``TRINE_PLAYS`` sets how many random positions are compared.
"""

import os
import random

import numpy as np
import pytest

from conformance.vectors import Vector, vectors_of
from games.arimaa import enumeration
from mining.kernel import captures_in_turn
from trine.core.contract.score import ONGOING
from trine.games.arimaa.board import SQUARE_NAMES
from trine.games.arimaa.compiled import to_position
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel.goals import detect_goal
from trine.games.arimaa.rules import RULE_SETS
from trine.games.arimaa.starts import start_position
from trine.games.arimaa.view.insight import threats_of

PLAYS = int(os.environ.get("TRINE_PLAYS", "20"))


each_vector = vectors_of("arimaa*.jsonl")


def check_goal(row: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> int:
    """All that is foreseen is there, and all that is there is foreseen."""
    fewest, foreseen = enumeration.fewest_steps(row), int(detect_goal(row))
    assert foreseen == (0 if fewest == enumeration.NO_GOAL else fewest + 1), to_position(row)
    return foreseen


@each_vector("position")
def test_goals_and_captures_of_vectors_are_those_of_all_turns(vector: Vector) -> None:
    row = enumeration.row_of(parse_position(vector["position"], RULE_SETS[vector["rules"]]))
    if kernel.result(row) == ONGOING:
        check_goal(row)
        assert captures_in_turn(row) == enumeration.removable_squares(row)


def test_goals_are_foreseen_at_every_step_of_a_turn() -> None:
    rng = random.Random(1)
    seen = {True: 0, False: 0}
    for _ in range(40 * PLAYS):
        for row in enumeration.rows_within(enumeration.crowded(rng), rng):
            seen[check_goal(row) > 0] += 1
    assert min(seen.values()) > 20 * PLAYS, seen


def test_captures_are_found_at_every_step_of_a_turn() -> None:
    rng = random.Random(2)
    captures = 0
    for _ in range(4 * PLAYS):
        for row in enumeration.rows_within(enumeration.crowded(rng, near_goal=0), rng):
            found = captures_in_turn(row)
            assert found == enumeration.removable_squares(row), to_position(row)
            captures += bool(found)
    assert captures > 3 * PLAYS


def test_captures_are_those_that_insight_names() -> None:
    position = parse_position("2g 7r/8/8/1H1e4/2c2h2/4E3/8/R7")
    named = set(threats_of(position, position.mover).capture)
    found = int(captures_in_turn(enumeration.row_of(position)))
    assert named == {square for square in range(64) if found >> square & 1}
    assert {SQUARE_NAMES[square] for square in named} == {"c4", "f4"}


@pytest.mark.parametrize(
    ("words", "foreseen"),
    [
        ("2g 8/R7/8/8/4e3/8/7r/4E3", 2),  # one step, and the end
        ("2s 8/R7/8/8/4e3/8/7r/4E3", 2),
        ("2g 8/8/8/R7/4e3/8/r7/4E3", 4),
        ("2g 8/8/8/8/R3e3/8/r7/4E3", 5),
        ("2g 8/8/8/8/8/R3e3/r7/4E3", 0),  # a step short
        ("2g 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR", 4),  # the French position
        ("2g 8/Rc6/8/8/8/4e3/r7/4E3", 0),  # frozen, and nobody is near
        ("2g 8/Rc6/8/1E6/8/4e3/r7/8", 4),  # a step to a6 is two steps away
        ("2g r7/Rc6/3E4/8/8/4e3/r7/8", 0),  # too much in the way
    ],
)
def test_a_goal_is_foreseen_with_its_last_action(words: str, foreseen: int) -> None:
    row = enumeration.row_of(parse_position(words))
    assert check_goal(row) == foreseen


def test_nothing_is_foreseen_in_a_setup() -> None:
    for rules in RULE_SETS.values():
        row = enumeration.row_of(start_position(rules))
        assert detect_goal(row) == 0
        assert captures_in_turn(row) == 0


def test_a_rabbit_on_its_goal_wins_with_the_end_of_the_turn() -> None:
    position = parse_position("2g 8/R7/8/8/4e3/8/7r/4E3")
    step = next(step for step in position.possible_steps() if str(step) == "Ra7n")
    assert detect_goal(enumeration.row_of(position.play_unchecked(step))) == 1
