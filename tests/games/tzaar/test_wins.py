"""Ends foreseen at a glance are those that trying every action finds; captures are the referee's."""

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.vectors import Vector, vectors_of
from kernels import OTHERWISE, assert_passes_again
from trine.core.contract.position import Reason
from trine.games.tzaar.board import EMPTY, LINES_FROM, PIECES, POINTS, SIDE, SIDES
from trine.games.tzaar.compiled import KERNEL
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.kernel import attacks
from trine.games.tzaar.kernel.wins import detect_win
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import RULE_SETS, Capture, Stacking, can_capture, captures_of
from trine.games.tzaar.starts import start

each_vector = vectors_of("tzaar*.jsonl")


def few_stacks(seed: int) -> Position:
    rng = random.Random(seed)
    letters = "TYZtyz" + "".join(rng.choices("TYZtyz", k=rng.randrange(8)))
    points = rng.sample(POINTS, len(letters))
    tops, heights = [EMPTY] * len(POINTS), [0] * len(POINTS)
    for point, letter in zip(points, letters, strict=True):
        tops[point], heights[point] = letter, rng.choice((1, 1, 1, 2, 2, 3, 4))
    stage = rng.choice((Stage.ONE, Stage.TWO))
    return Position(RULE_SETS["open"], "".join(tops), tuple(heights), rng.choice(SIDES), stage)


def late_positions(seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    position = start(rng.choice(sorted(RULE_SETS)), {"Setup": "random", "Seed": str(seed)})
    played = []
    while actions := position.legal_actions():
        played.append(position)
        position = position.play_unchecked(rng.choice(actions))
    yield from played[-9:]


def wins_with(position: Position, actions: int) -> set[Reason]:
    """The reasons of wins of the player to move within the open turn, in so many actions at most."""
    found = set()
    for action in position.legal_actions():
        after = position.play_unchecked(action)
        if outcome := after.outcome():
            if outcome.winner == position.mover:
                found.add(outcome.reason)
        elif after.turn_open and actions > 1:
            found |= wins_with(after, actions - 1)
    return found


def silences_first(position: Position) -> bool:
    """Whether a first action leaves the other side without a capture on the board."""
    return any(
        not can_capture(after.tops, after.heights, 1 - position.mover)
        for after in map(position.play_unchecked, position.legal_actions())
    )


def loses_a_kind_next(position: Position) -> bool:
    """Whether each second action loses, at once or to the next action, which takes a kind."""
    for action in position.legal_actions():
        after = position.play_unchecked(action)
        if after.outcome() is None and Reason.EXTINCTION not in wins_with(after, 1):
            return False
    return True


def check_foreseen(position: Position) -> int:
    """Compare what is foreseen with trying all actions, both ways."""
    foreseen = int(detect_win(KERNEL.row_of(position)))
    one, two = wins_with(position, 1), wins_with(position, 2)
    if position.turn_open:
        doomed = not one and loses_a_kind_next(position)
        assert foreseen == (1 if one else -2 if doomed else 0)
        return foreseen
    if foreseen:
        assert {1: one, 2: two}[foreseen]
    if one:
        assert foreseen == 1
    elif Reason.EXTINCTION in two or silences_first(position):
        assert foreseen == 2
    return foreseen


@pytest.mark.parametrize("seed", range(12))
def test_the_ends_of_plays_are_foreseen_exactly(seed: int) -> None:
    for position in late_positions(seed):
        check_foreseen(position)


def test_what_is_foreseen_is_what_trying_every_action_finds() -> None:
    positions = [position for position in map(few_stacks, range(400)) if not position.outcome()]
    seen = Counter((position.turn_open, check_foreseen(position)) for position in positions)
    for case in ((False, 0), (False, 1), (False, 2), (True, 0), (True, 1), (True, -2)):
        assert seen[case] >= 5, seen


@each_vector("result")
def test_what_is_foreseen_in_vectors_is_true(vector: Vector) -> None:
    position = parse_position(vector["position"])
    if vector["result"] is None:
        if position.stage in (Stage.ONE, Stage.TWO) and len(position.legal_actions()) < 30:
            check_foreseen(position)
        elif position.stage in (Stage.PLACE, Stage.FIRST):
            assert detect_win(KERNEL.row_of(position)) == 0


@pytest.mark.parametrize(
    ("board", "turn", "foreseen"),
    [
        # The last Tzaar of Black is beside the tall stack of White.
        ("T2z.../Y...../Z....../......../....*..../tt....../y....../....../.....", "white 1", 1),
        # The last Tzarra of Black is behind a Tott, which White's tall stack takes first.
        ("T2ty2../....../Z....../......../Y...*..../......../tt...../z...../.....", "white 1", 2),
        # The stack in front is too low; it captures elsewhere and so makes way for the tall one.
        ("T2Ty2../..t.../......./.......z/....*...t/......../......./....../YZ...", "white 1", 2),
        # Black attacks both the last Tzaar and the last Tzarra of White, with a stack each.
        ("Zt.../....../......./..T...../....*...t/......../......./z...../y2Y...", "white 2", -2),
    ],
)
def test_what_is_foreseen_can_be_read_off_the_board(board: str, turn: str, foreseen: int) -> None:
    position = parse_position(f"open {board} {turn}")
    assert check_foreseen(position) == foreseen


@given(st.integers(0, 2**32))
def test_stacks_are_attacked_and_taken_as_the_referee_says(seed: int) -> None:
    position = few_stacks(seed)
    row = KERNEL.row_of(position)
    for side in SIDES:
        captures = captures_of(position.tops, position.heights, 1 - side)
        targets = {capture.target for capture in captures}
        assert points_in(attacks.attacked(row, side)) == targets
        for point in POINTS:
            if position.tops[point] in PIECES[side]:
                origins = {capture.origin for capture in captures if capture.target == point}
                assert points_in(attacks.takers(row, point, 1 - side)) == origins


@given(st.integers(0, 2**32))
def test_stacks_are_taken_after_an_action_as_the_referee_says(seed: int) -> None:
    position = few_stacks(seed)
    row = KERNEL.row_of(position)
    for action in position.legal_actions():
        if not isinstance(action, Capture | Stacking):
            continue  # a pass changes nothing
        after = position.play_unchecked(action)
        origin, reached = action.origin, action.target
        for side in SIDES:
            captures = captures_of(after.tops, after.heights, side)
            if side != position.mover:
                assert bool(attacks.is_silent_after(row, origin, reached)) == (not captures)
            for point in POINTS:
                if after.tops[point] in PIECES[1 - side]:
                    origins = {capture.origin for capture in captures if capture.target == point}
                    height = np.uint64(after.heights[point] - 1)
                    found = points_in(
                        attacks.takers_after(row, point, height, side, origin, reached)
                    )
                    assert found == origins


@given(st.integers(0, 2**32))
def test_the_neighbour_is_the_first_stack_on_the_line(seed: int) -> None:
    position = few_stacks(seed)
    row = KERNEL.row_of(position)
    for point in POINTS:
        for way, line in enumerate(LINES_FROM[point]):
            first = next((other for other in line if SIDE[position.tops[other]] >= 0), -1)
            assert attacks.neighbour(row, point, way % 3, way < 3) == first


def points_in(points: np.uint64) -> set[int]:
    return {point for point in POINTS if int(points) >> point & 1}


@OTHERWISE
def test_much_of_this_holds_again_with_indices_checked_and_interpreted(setting: str) -> None:
    assert_passes_again(__file__, "read_off or taken or neighbour", **{setting: "1"})
