"""The room's knowledge about playing well: terms against plain definitions, symmetry, legal actions."""

import math
import random
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.vectors import Vector, vectors_of
from kernels import OTHERWISE, active_inputs, assert_passes_again
from trine.core.compiled.arrays import Buffer
from trine.core.contract.score import UNRESTRICTED
from trine.games import open_heuristics
from trine.games.tzaar.board import (
    COLUMNS,
    EMPTY,
    KINDS,
    LINES_FROM,
    PIECES,
    POINT_NAMES,
    POINT_OF,
    POINTS,
    SIDE,
    SIDES,
)
from trine.games.tzaar.compiled import KERNEL, action_of, to_position, to_row
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel import rules as kernel
from trine.games.tzaar.kernel.ordering import MAX_FORCED, MAX_POINTS, MAX_SCARCE, MIN_CAPTURES
from trine.games.tzaar.knowledge.strategy import NEIGHBOURS
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import RULE_SETS, Action, Capture, Placement, Stacking, captures_of
from trine.games.tzaar.starts import start

HEURISTICS = open_heuristics("tzaar")
TOUCHED = 12345


each_vector = vectors_of("tzaar*.jsonl")


def somewhere(seed: int) -> Position:
    rng = random.Random(seed)
    position = start(rng.choice(sorted(RULE_SETS)), {"Setup": "random", "Seed": str(seed)})
    for _ in range(rng.randrange(45)):
        after = position.play_unchecked(rng.choice(position.legal_actions()))
        if after.outcome():
            break
        position = after
    return position


def changed(position: Position, tops: str, heights: tuple[int, ...], mover: int) -> Position:
    return Position(position.rules, tops, heights, mover, position.stage)


def evaluated(position: Position, player: int) -> tuple[int, list[float]]:
    counts = np.full(len(HEURISTICS.terms), TOUCHED, np.float32)
    points = HEURISTICS.evaluate(KERNEL.row_of(position), player, HEURISTICS.weights, counts)
    return int(points), counts.tolist()


# --- the inputs of nets --------------------------------------------------------------------------


def seen_by_nets(position: Position) -> set[int]:
    return active_inputs(HEURISTICS, KERNEL.row_of(position))


def expected_inputs(position: Position) -> set[int]:
    """What a net is to see, counted as plainly as can be: 16 inputs for each of twelve wide counts,
    8 for each of sixty narrow ones, four for the turn."""
    tops, heights, found = position.tops, position.heights, set[int]()
    for side in range(2):
        targets = {capture.target for capture in captures_of(tops, heights, 1 - side)}
        for kind in range(3):
            stacks = [point for point in POINTS if tops[point] == PIECES[side][kind]]
            endangered = [point for point in stacks if point in targets]
            wide = (side * 3 + kind) * 2 * 16
            found |= {wide + len(stacks), wide + 16 + len(endangered)}
            for height in range(1, 6):
                alike = [point for point in stacks if min(heights[point], 5) == height]
                for danger in range(2):
                    number = sum((point in targets) == bool(danger) for point in alike)
                    narrow = 192 + (((side * 3 + kind) * 5 + height - 1) * 2 + danger) * 8
                    if number:
                        found.add(narrow + min(number, 8) - 1)
    return found | {672 + 2 * position.mover + (position.stage is not Stage.ONE)}


@given(st.integers(0, 10_000))
def test_a_net_sees_the_relations_of_the_stacks(seed: int) -> None:
    position = somewhere(seed)
    assert seen_by_nets(position) == expected_inputs(position)


@given(st.integers(0, 10_000))
def test_the_other_side_sees_mirrored_inputs(seed: int) -> None:
    position, seen = somewhere(seed), HEURISTICS.net
    assert seen is not None
    swapped = changed(position, position.tops.swapcase(), position.heights, 1 - position.mover)
    assert seen_by_nets(swapped) == {int(seen.mirrored[one]) for one in seen_by_nets(position)}


def test_a_net_sees_nothing_while_pieces_are_placed() -> None:
    assert seen_by_nets(start("open", {"Setup": "placement"})) == set()


# --- the evaluation ------------------------------------------------------------------------------


def reserve_of(position: Position, side: int, kind: str) -> float:
    tops, heights = position.tops, position.heights
    targets = {capture.target for capture in captures_of(tops, heights, 1 - side)}
    total = 0.0
    for point in POINTS:
        if tops[point] == PIECES[side][KINDS.index(kind)]:
            able = sum(
                SIDE[tops[other]] == 1 - side and heights[other] >= heights[point]
                for other in POINTS
            )
            total += (0.5 if point in targets else 1.0) / (1 + able)
    return math.log2(total + 0.01)


def counted(position: Position, side: int) -> dict[str, float]:
    tops, heights = position.tops, position.heights
    own = [point for point in POINTS if SIDE[tops[point]] == side]
    enemies = [point for point in POINTS if SIDE[tops[point]] == 1 - side]
    targets = {capture.target for capture in captures_of(tops, heights, 1 - side)}
    highest = max(heights[point] for point in enemies)
    facing = 0
    for point in own:
        for line in LINES_FROM[point]:
            first = next((other for other in line if tops[other] != EMPTY), None)
            facing += first in own
    gone = 1 - (len(own) + len(enemies)) / 60
    captures = math.log2(1 + len(captures_of(tops, heights, side)))
    reserves = [reserve_of(position, side, kind) for kind in KINDS]
    tallest = max(heights[point] for point in own) - 1
    return {
        "stacks": len(own),
        "buried": sum(heights[point] - 1 for point in own),
        "tallest": tallest,
        "towers": sum(heights[point] > highest for point in own),
        "captures": captures,
        "stackings": math.log2(1 + facing / 2),
        "attacked_buried": sum(heights[point] - 1 for point in own if point in targets),
        "sole": sum(tops.count(piece) == 1 for piece in PIECES[side]),
        "reserve_tott": reserves[0],
        "reserve_tzarra": reserves[1],
        "reserve_tzaar": reserves[2],
        "late_tallest": gone * tallest,
        "late_captures": gone * captures,
        "late_reserve": gone * sum(reserves),
    }


@given(st.integers(0, 2**32))
def test_terms_count_what_plain_definitions_count(seed: int) -> None:
    position = somewhere(seed)
    for player in SIDES:
        own, enemy = counted(position, player), counted(position, 1 - player)
        expected = [own[term.name] - enemy[term.name] for term in HEURISTICS.terms[:-2]]
        sign = 1 if position.mover == player else -1
        expected += [0, sign] if position.turn_open else [sign, 0]
        points, counts = evaluated(position, player)
        assert counts == pytest.approx(expected, abs=1e-4)
        assert points == pytest.approx(
            sum(
                term.weight * value for term, value in zip(HEURISTICS.terms, expected, strict=True)
            ),
            abs=0.6,
        )


@given(st.integers(0, 2**32))
def test_colours_changed_negate_the_score(seed: int) -> None:
    position = somewhere(seed)
    if position.stage is Stage.FIRST:
        return
    swapped = changed(position, position.tops.swapcase(), position.heights, 1 - position.mover)
    for player in SIDES:
        assert evaluated(swapped, player)[0] == -evaluated(position, player)[0]


@given(st.integers(0, 2**32))
def test_a_mirrored_board_has_the_same_score(seed: int) -> None:
    position = somewhere(seed)
    mirror = [POINT_OF[COLUMNS[8 - COLUMNS.index(name[0])] + name[1]] for name in POINT_NAMES]
    tops = "".join(position.tops[point] for point in mirror)
    heights = tuple(position.heights[point] for point in mirror)
    mirrored = changed(position, tops, heights, position.mover)
    assert evaluated(mirrored, 0)[1] == pytest.approx(evaluated(position, 0)[1], abs=1e-4)


@each_vector("result")
def test_vectors_have_scores_and_boards_being_filled_have_none(vector: Vector) -> None:
    position = parse_position(vector["position"])
    if vector["result"] is None:
        points, counts = evaluated(position, position.mover)
        assert (points, set(counts)) == (0, {0.0}) if position.in_setup else abs(points) <= 20_000


def test_a_tower_and_captures_are_worth_more_than_nothing() -> None:
    even = parse_position(
        "open TYZ../....../......./......../....*..../......../......./....../..zyt white 1"
    )
    ahead = even.tops[:5] + "T" + even.tops[6:], (*even.heights[:5], 4, *even.heights[6:])
    assert evaluated(changed(even, *ahead, 0), 0)[0] > evaluated(even, 0)[0] + 50


# --- actions -------------------------------------------------------------------------------------


def new_list() -> Buffer:
    return np.full(kernel.MAX_ACTIONS, TOUCHED, np.int32)


@given(st.integers(0, 2**32))
def test_tactical_actions_are_legal_captures_of_scarce_kinds(seed: int) -> None:
    position = somewhere(seed)
    out = new_list()
    total = int(HEURISTICS.tactical(KERNEL.row_of(position), out))
    listed = [action_of(position, int(number)) for number in out[:total]]
    legal = position.legal_actions()
    assert set(out[total:].tolist()) <= {TOUCHED}
    assert len(set(listed)) == len(listed)
    if position.stage is not Stage.FIRST:
        assert set(listed) == {
            action
            for action in legal
            if isinstance(action, Capture)
            and position.tops.count(position.tops[action.target]) <= MAX_SCARCE
        }


@given(st.integers(0, 2**32))
def test_a_player_must_act_who_has_very_few_first_actions(seed: int) -> None:
    position = somewhere(seed)
    assert HEURISTICS.must_act is not None
    few = position.stage is Stage.ONE and len(position.legal_actions()) <= MAX_FORCED
    assert HEURISTICS.must_act(KERNEL.row_of(position)) == few


def scored(position: Position) -> dict[Action, int]:
    row, actions, scores = KERNEL.row_of(position), new_list(), new_list()
    total = kernel.generate(row, actions)
    HEURISTICS.score_moves(row, actions, total, scores)
    assert set(scores[total:].tolist()) <= {TOUCHED}
    numbers = map(int, actions[:total])
    return dict(zip((action_of(position, one) for one in numbers), scores.tolist(), strict=False))


@given(st.integers(0, 2**32))
def test_preferences_stay_within_bounds_and_within_the_list(seed: int) -> None:
    position = somewhere(seed)
    for action, score in scored(position).items():
        assert abs(score) <= MAX_POINTS
        if isinstance(action, Capture | Stacking):
            shown = position.tops.count(position.tops[action.target])
            assert shown > 1 or isinstance(action, Stacking) or score > MAX_POINTS / 3
            assert shown > 1 or isinstance(action, Capture) or score < -MAX_POINTS / 3


def test_what_wins_is_preferred_and_what_loses_comes_last() -> None:
    board = "TzT../Y...../t....../......../....*..../t......./......./y....y/..Z.."
    scores = scored(parse_position(f"open {board} white 2"))
    ranked = [str(action) for action in sorted(scores, key=scores.__getitem__, reverse=True)]
    assert ranked[0].endswith("xa2"), "it takes the last Tzaar of Black"
    assert ranked[-1] == "a1+b1", "it covers the last Tzarra of White"


def test_preferring_placements_is_left_to_the_search() -> None:
    position = start("official", {"Setup": "placement"})
    assert set(scored(position).values()) == {0}
    assert HEURISTICS.tactical(KERNEL.row_of(position), new_list()) == 0


@given(st.integers(0, 2**32))
def test_a_skipped_turn_is_over_and_nothing_else_has_changed(seed: int) -> None:
    position = somewhere(seed)
    rows = np.full((2, layout.WORDS), TOUCHED, np.uint64)
    to_row(position, rows[0])
    captures = [len(captures_of(position.tops, position.heights, side)) for side in SIDES]
    told = bool(HEURISTICS.null_move(rows, 0))
    assert told == (
        position.turn_open or (position.stage is Stage.ONE and min(captures) >= MIN_CAPTURES)
    )
    if told:
        expected = Position(
            position.rules, position.tops, position.heights, 1 - position.mover, Stage.ONE
        )
        assert to_position(rows[1]) == expected
        assert layout.key(rows[1]) == layout.fresh_key(rows[1])


# --- whole turns ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_opening_fills_the_board_with_totts_at_the_edge(rules: str) -> None:
    position, rng = start(rules, {"Setup": "placement"}), Random(5)
    while position.in_setup:
        (placement,) = HEURISTICS.opening(position, rng)
        position = position.play(placement)
    assert HEURISTICS.opening(position, rng) == ()
    corners = {position.tops[point].upper() for point in POINTS if NEIGHBOURS[point] == 3}
    assert corners == {"T"}
    inside = [position.tops[point].upper() for point in POINTS if NEIGHBOURS[point] == 6]
    assert inside.count("T") < len(inside) / 4


def test_the_opening_is_decided_by_chance_where_all_is_equal() -> None:
    position = start("open", {"Setup": "placement"})
    placements = {HEURISTICS.opening(position, Random(seed)) for seed in range(30)}
    assert len(placements) == 6
    assert all(isinstance(turn[0], Placement) for turn in placements)
    assert HEURISTICS.opening(position, Random(3)) == HEURISTICS.opening(position, Random(3))


def test_no_position_can_stand_a_third_time() -> None:
    assert KERNEL.repetition.rule(somewhere(1)) == UNRESTRICTED


@OTHERWISE
def test_all_this_holds_again_with_indices_checked_and_interpreted(setting: str) -> None:
    assert_passes_again(__file__, "not again and not vectors", **{setting: "1"})
