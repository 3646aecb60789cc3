"""The scene of a TZAAR position: complete, honest, the same from both sides."""

import math
from itertools import combinations

import pytest

from scenes import marks_on
from trine.games.tzaar import ROOM
from trine.games.tzaar.board import BLACK, EMPTY, KINDS, LINES_FROM, POINT_NAMES, POINTS, SIDES
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Placement
from trine.games.tzaar.starts import start
from trine.games.tzaar.view.board import MEANINGS
from trine.games.tzaar.view.figures import DISCS, FIGURES
from trine.games.tzaar.view.pointing import picks

scene = ROOM.view.scene
LATE = parse_position(
    "official ..y3../.....y2/.T4.t5..t2/z......./.Y2..*..TZ/.Z4...z3../.....t2./T...../yY2.ZY "
    "white 1"
)
EMPTY_BOARD = start("official", {"Setup": "placement"})
POSITIONS = {
    "fixed start": start("official", {}),
    "before placement": EMPTY_BOARD,
    "in placement": EMPTY_BOARD.play(Placement("Z", 0)).play(Placement("T", 1)),
    "late": LATE,
    "open turn": LATE.play(LATE.legal_actions()[0]),
}


@pytest.mark.parametrize("shown", POSITIONS.values(), ids=POSITIONS)
def test_every_stack_is_in_the_scene_once(shown: Position) -> None:
    pieces = [piece for piece in scene(shown).pieces if piece.role == "piece"]
    stacks = {
        POINT_NAMES[point]: (shown.tops[point], shown.heights[point])
        for point in POINTS
        if shown.tops[point] != EMPTY
    }
    assert {piece.cell: (piece.figure, piece.height) for piece in pieces} == stacks
    assert len(pieces) == len(stacks)
    for piece in pieces:
        letter, height = stacks[piece.cell]
        assert str(piece.label) == (letter if height == 1 else f"{letter}{height}")
        assert piece.owner == int(letter.islower())
        assert piece.base == DISCS[piece.owner]
        assert f" {piece.cell}, {('White', 'Black')[piece.owner]}" in str(piece.tooltip)
        assert (f"height {height}" in str(piece.tooltip)) == (height > 1)


@pytest.mark.parametrize("shown", POSITIONS.values(), ids=POSITIONS)
def test_black_sees_the_board_turned_by_half(shown: Position) -> None:
    white, black = scene(shown), scene(shown, seat=BLACK)
    assert white.board.size == black.board.size
    assert white.alt == black.alt
    turned = {cell.id: cell.at for cell in black.board.cells}
    for cell in white.board.cells[:60]:
        x, y = turned[cell.id]
        assert (cell.at[0] + x, cell.at[1] + y) == pytest.approx(white.board.size)
    for here, there in zip(white.pieces, black.pieces, strict=True):
        assert (here.cell, here.figure, here.height) == (there.cell, there.figure, there.height)
        if here.role == "piece":
            assert black.board.place_of(there) == turned[there.cell]


def test_neighbours_are_one_unit_apart_and_no_others_are() -> None:
    places = {cell.id: cell.at for cell in scene(EMPTY_BOARD).board.cells[:60]}
    near = {
        frozenset(pair)
        for pair in combinations(places, 2)
        if math.dist(*map(places.get, pair)) < 1.01  # type: ignore[arg-type]
    }
    lines = {
        frozenset((POINT_NAMES[point], POINT_NAMES[line[0]]))
        for point in POINTS
        for line in LINES_FROM[point]
        if line
    }
    assert near == lines
    assert all(math.dist(*(places[name] for name in pair)) > 0.999 for pair in near)


def test_the_lines_drawn_are_the_lines_of_the_board() -> None:
    """Two points lie on one drawn line exactly if one is on a line outward from the other."""
    shown = scene(EMPTY_BOARD)
    places = [cell.at for cell in shown.board.cells[:60]]
    joined = set()
    for line in shown.board.lines:
        start_, end = line.points
        on_it = [
            point
            for point, at in enumerate(places)
            if math.dist(start_, at) + math.dist(at, end) < math.dist(start_, end) + 1e-3
        ]
        joined |= set(combinations(on_it, 2))
    pairs = {(one, other) for one in POINTS for line in LINES_FROM[one] for other in line}
    assert joined == {(one, other) for one, other in pairs if one < other}
    assert len(shown.board.lines) == 3 * 8 + 3 * 2


def test_the_trays_tell_what_is_in_hand_and_later_what_is_in_sight() -> None:
    for name, shown in POSITIONS.items():
        drawn = scene(shown)
        role = "hand" if shown.in_setup else "shown"
        beside = [piece for piece in drawn.pieces if piece.role in ("hand", "shown")]
        assert [piece.figure for piece in beside] == list(KINDS + KINDS.lower()), name
        assert {piece.role for piece in beside} == {role}
        counts = [int(str(label.text)) for label in drawn.labels if label.role == "count"]
        expected = [shown.hand(side) if shown.in_setup else shown.shown(side) for side in SIDES]
        assert counts == [*expected[0], *expected[1]]


def test_small_discs_show_the_actions_of_the_turn() -> None:
    for name, steps in {
        "fixed start": ["step"],
        "before placement": ["step"],
        "late": ["step", "step"],
        "open turn": ["step-used", "step"],
    }.items():
        pieces = scene(POSITIONS[name]).pieces
        assert [piece.role for piece in pieces if piece.role.startswith("step")] == steps, name


def test_the_last_turn_tells_left_points_from_reached_ones() -> None:
    drawn = scene(LATE, last={"c4", "c5"})
    assert marks_on(drawn) == "c4 last-to, c5 last-from"
    assert [meaning.role for meaning in drawn.legend] == ["last-from", "last-to"]


def test_marks_say_nothing_twice() -> None:
    marks = {"c4": {"towering", "safe"}, "i1": {"safe", "sole"}, "d1": {"capturable"}}
    drawn = scene(LATE, marks=marks)
    assert marks_on(drawn) == "c4 towering, d1 capturable, i1 safe, i1 sole"
    assert {meaning.role for meaning in drawn.legend} == {"towering", "safe", "sole", "capturable"}
    assert {mark.role for mark in drawn.marks} <= set(FIGURES) & set(MEANINGS)


def test_a_capture_is_two_points_and_a_placement_a_kind_and_a_point() -> None:
    first = POSITIONS["fixed start"]
    for action in first.legal_actions():
        path = picks(first, action)
        assert str(action) == "x".join(path)
        assert scene(first, targets=path).targets == tuple(sorted(path))
    assert picks(EMPTY_BOARD, Placement("Z", 2)) == ("Z", "a3")
    assert picks(EMPTY_BOARD.play(Placement("Z", 2)), Placement("T", 3)) == ("t", "a4")
