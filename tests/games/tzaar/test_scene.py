"""The scene of a TZAAR position: complete, honest, the same from both sides."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from scenes import as_json, assert_drawn_once, assert_known_paints, assert_trays_beside_owners
from trine.games.tzaar.board import (
    BLACK,
    EMPTY,
    KINDS,
    LINES_FROM,
    POINT_NAMES,
    POINTS,
    SIDES,
    WHITE,
)
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Placement
from trine.games.tzaar.starts import start
from trine.games.tzaar.view.figures import DISCS, FIGURES, star
from trine.games.tzaar.view.picks import picks
from trine.games.tzaar.view.scene import MEANINGS, scene

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
def test_every_piece_is_drawn_once(shown: Position) -> None:
    assert_drawn_once(scene(shown))


@pytest.mark.parametrize("shown", POSITIONS.values(), ids=POSITIONS)
def test_a_scene_is_json(shown: Position) -> None:
    data = as_json(scene(shown, last={"a1"}, marks={"b2": {"safe"}}, targets=["c3"]))
    assert data["targets"] == ["c3"]


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
    assert joined == {
        (point, other)
        for point in POINTS
        for line in LINES_FROM[point]
        for other in line
        if point < other
    }
    assert len(shown.board.lines) == 3 * 8 + 3 * 2


def test_column_ends_bear_their_names() -> None:
    for seat in (WHITE, BLACK):
        shown = scene(LATE, seat=seat)
        places = {cell.id: cell.at for cell in shown.board.cells}
        names = [label for label in shown.board.labels if label.role == "coordinate"]
        assert len(names) == 18
        for label in names:
            x, y = places[str(label.text)]
            assert label.at[0] == x
            first = str(label.text).endswith("1")
            assert (label.at[1] > y) == (first is (seat == WHITE))
            assert 0.8 < abs(label.at[1] - y) < 1


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


def test_trays_lie_on_the_side_of_their_owner() -> None:
    for seat in (WHITE, BLACK):
        assert_trays_beside_owners(scene(LATE, seat=seat), "shown", first_below=seat == WHITE)


def test_nothing_hides_anything() -> None:
    """Trays, names and stacks keep apart, and all of it stays within the picture."""
    drawn = scene(POSITIONS["fixed start"])
    trays = [area.outline for area in drawn.board.areas if area.role.startswith("tray")]
    names = [label.at for label in drawn.board.labels if label.role == "coordinate"]
    for (left, top), _, (right, bottom), _ in trays:
        assert 0 < left < right < drawn.board.size[0]
        assert 0 < top < bottom < drawn.board.size[1]
        for x, y in [*names, *(cell.at for cell in drawn.board.cells[:60])]:
            assert not (left - 0.18 < x < right + 0.18 and top - 0.12 < y < bottom + 0.12)
    for name in names:
        assert all(math.dist(name, cell.at) > 0.6 for cell in drawn.board.cells[:60])


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
    assert {(mark.cell, mark.role) for mark in drawn.marks} == {
        ("c4", "last-to"),
        ("c5", "last-from"),
    }
    assert [meaning.role for meaning in drawn.legend] == ["last-from", "last-to"]


def test_marks_say_nothing_twice() -> None:
    marks = {"c4": {"towering", "safe"}, "i1": {"safe", "sole"}, "d1": {"capturable"}}
    drawn = scene(LATE, marks=marks)
    assert {(mark.cell, mark.role) for mark in drawn.marks} == {
        ("c4", "towering"),
        ("i1", "safe"),
        ("i1", "sole"),
        ("d1", "capturable"),
    }
    assert {meaning.role for meaning in drawn.legend} == {"towering", "safe", "sole", "capturable"}
    assert {mark.role for mark in drawn.marks} <= set(FIGURES) & set(MEANINGS)


def test_alt_names_every_stack_and_its_height() -> None:
    said = str(scene(LATE).alt)
    assert said.startswith("White to move, first action: capture. White: Tott c2 (4) e8 h1,")
    assert len(re.findall(r"\b[a-i][1-9]\b", said)) == 60 - LATE.tops.count(EMPTY)
    assert re.findall(r"\((\d+)\)", said) == ["4", "2", "2", "4", "5", "2", "2", "3", "2", "3"]
    assert "brackets" not in str(scene(POSITIONS["fixed start"]).alt)
    placing = str(scene(POSITIONS["in placement"]).alt)
    assert "In hand: 15 T, 9 Y, 5 Z." in placing
    assert "In hand: 14 T, 9 Y, 6 Z." in placing


def test_every_figure_is_drawn_from_known_paints() -> None:
    assert_known_paints(FIGURES.values())


def test_the_three_kinds_of_both_sides_look_different() -> None:
    drawings = {FIGURES[letter] for letter in KINDS + KINDS.lower()}
    assert len(drawings) == 5  # a plain disc is plain on both sides
    assert FIGURES[DISCS[0]] != FIGURES[DISCS[1]]


def test_stars_have_their_points() -> None:
    assert star(8, 23, 10).count("L") == 15


def test_a_capture_is_two_points_and_a_placement_a_kind_and_a_point() -> None:
    first = POSITIONS["fixed start"]
    for action in first.legal_actions():
        path = picks(first, action)
        assert str(action) == "x".join(path)
        assert scene(first, targets=path).targets == tuple(sorted(path))
    assert picks(EMPTY_BOARD, Placement("Z", 2)) == ("Z", "a3")
    assert picks(EMPTY_BOARD.play(Placement("Z", 2)), Placement("T", 3)) == ("t", "a4")
