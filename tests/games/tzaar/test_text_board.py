"""The text board of TZAAR: every stack, every line, from both sides, without colour."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.play import changed_cells
from trine.core.scene.canvas import Look, TextBoard
from trine.games.tzaar import ROOM
from trine.games.tzaar.board import EMPTY, LINES_FROM, POINT_NAMES, POINTS, SIDES, coordinates
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS, Placement
from trine.games.tzaar.starts import start
from trine.games.tzaar.view.board import MARKS, PIECE_SETS, text_board
from trine.games.tzaar.view.insight import status

LATE = parse_position(
    "official ..y3../.....y2/.T4.t5..t2/z......./.Y2..*..TZ/.Z4...z3../.....t2./T...../yY2.ZY "
    "white 1"
)
TALL = parse_position(
    "official YZ.T./....../...Z11.../......../.T12..*..t11./.....y10../......./....../t..yz white 1"
)
FULL = start("official", {})
EMPTY_BOARD = start("open", {"Setup": "placement"})
SHOWN = {"full": FULL, "late": LATE, "tall": TALL, "empty": EMPTY_BOARD}
WIDE = {"letters": 4, "discs": 6}
"""The distance of neighbouring columns of the board on the screen, by the piece set."""


def place(name: str, look: Look) -> tuple[int, int]:
    """The line and column of the screen of a point, seen from the missing centre.

    One rank up a column is two lines up; one column on is half a rank up or down.
    """
    column, height = coordinates(name)
    right, down = (column - 4) * WIDE[look.pieces], 8 - height
    if look.flipped:
        right, down = -right, -down
    return 9 + down, 3 + 4 * WIDE[look.pieces] + right


def written(board: TextBoard, line: int, column: int, length: int = 1) -> str:
    row = "".join(span.text for span in board.rows[line])
    return row[column : column + length].ljust(length)


def looks() -> list[Look]:
    return [Look(pieces, flipped) for pieces in PIECE_SETS for flipped in (False, True)]


@pytest.mark.parametrize("look", looks(), ids=lambda look: f"{look.pieces}, {look.flipped}")
@pytest.mark.parametrize("position", SHOWN.values(), ids=SHOWN)
def test_every_stack_stands_on_its_point(position: Position, look: Look) -> None:
    board = text_board(position, look)
    for point in POINTS:
        line, column = place(POINT_NAMES[point], look)
        top, height = position.tops[point], position.heights[point]
        stack = top + (str(height) if height > 1 else "")
        if look.pieces == "discs" and top != EMPTY:
            column += 1
        assert written(board, line, column, len(stack)) == stack
        assert not written(board, line, column + len(stack)).isdigit()


@pytest.mark.parametrize("look", looks(), ids=lambda look: f"{look.pieces}, {look.flipped}")
def test_strokes_lead_along_the_lines_of_the_board_and_nowhere_else(look: Look) -> None:
    """The eye goes from point to point over a stroke, and stops where there is none."""
    board = text_board(EMPTY_BOARD, look)
    wide = WIDE[look.pieces]
    # From a point, clockwise from straight up: the stroke, and the next point.
    strokes = [(-1, 0), (-1, wide // 2), (0, wide // 2), (1, 0), (0, -wide // 2), (-1, -wide // 2)]
    steps = [(-2, 0), (-1, wide), (1, wide), (2, 0), (1, -wide), (-1, -wide)]
    order = [3, 4, 5, 0, 1, 2] if look.flipped else [0, 1, 2, 3, 4, 5]
    names = {place(name, look): point for point, name in enumerate(POINT_NAMES)}
    beside = set()
    for point, name in enumerate(POINT_NAMES):
        line, column = place(name, look)
        for way, direction in zip(LINES_FROM[point], order, strict=True):
            (down, right), (far_down, far_right) = strokes[direction], steps[direction]
            stroke = (line + down, column + right)
            following = names.get((line + far_down, column + far_right))
            assert following == (way[0] if way else None)
            if way:
                assert written(board, *stroke) == "|/\\|/\\"[direction]
                beside.add(stroke)
    drawn = {
        (line, column)
        for line in range(len(board.rows))
        for column in range(3 + 8 * wide + 4)
        if written(board, line, column) in "|/\\"
    }
    assert drawn == beside


@pytest.mark.parametrize("look", looks(), ids=lambda look: f"{look.pieces}, {look.flipped}")
def test_a_board_fits_on_a_small_screen(look: Look) -> None:
    lines = str(text_board(TALL, look)).split("\n")
    assert len(lines) == 19
    assert max(map(len, lines)) <= 8 * WIDE[look.pieces] + 8


def test_signs_stand_beside_their_stacks_the_most_urgent_first() -> None:
    marks = {
        "a1": frozenset({"safe", "sole"}),
        "e4": frozenset({"capturable", "towering", "safe"}),
        "h6": frozenset({"towering", "safe"}),
        "i1": frozenset({"safe"}),
        "d5": frozenset({"unheard-of"}),
    }
    look = Look(last=frozenset({"a1", "b3"}), marks=marks)
    board = text_board(TALL, look)
    for name, sign in {"a1": "*", "e4": "!", "h6": "^", "i1": ":", "b3": "("}.items():
        line, column = place(name, look)
        assert written(board, line, column - 1) == sign
    assert [sign.sign for sign in board.legend][2:] == ["!", "*", "^", ":", "()"]
    roles = {role for row in board.rows for span in row for role in span.roles.split()}
    assert {"white", "black", "point", "line", "hole", "coordinate", "last"} <= roles


def test_the_legend_tells_what_pieces_are_called_and_which_signs_are_on_the_board() -> None:
    for pieces in PIECE_SETS:
        own = text_board(LATE, Look(pieces)).legend
        assert [sign.roles for sign in own] == ["white", "black"]
        board = str(text_board(FULL, Look(pieces)))
        for sign in own:
            assert all(letter in board for letter in sign.sign.split())
            assert all(f"{kind}" in str(sign.meaning) for kind in ("Tott", "Tzarra", "Tzaar"))
    *_, sign = text_board(LATE, Look(last=frozenset({"c4"}))).legend
    assert sign.roles == "last"
    assert len({sign.sign for sign in MARKS}) == len(MARKS)


def test_status_tells_what_is_due_in_sight_and_to_be_captured() -> None:
    assert list(map(str, status(FULL))) == [
        "first turn of the play: one capture",
        "White in sight: 15 T, 9 Y, 6 Z",
        "Black in sight: 15 T, 9 Y, 6 Z",
        "captures now: White 42, Black 42",
    ]
    assert str(status(LATE)[0]) == "first action: capture"
    after = LATE.play(LATE.legal_actions()[0])
    assert str(status(after)[0]) == "second action: capture, stack or pass"


def test_status_counts_what_is_in_hand_while_pieces_are_placed() -> None:
    after = EMPTY_BOARD.play(Placement("Z", 0)).play(Placement("T", 1))
    assert list(map(str, status(after))) == [
        "White in hand: 15 T, 9 Y, 5 Z",
        "Black in hand: 14 T, 9 Y, 6 Z",
    ]


def random_position(seed: int) -> Position:
    rng = random.Random(seed)
    setup = rng.choice(("random", "placement", "fixed"))
    options = {"Setup": setup, **({"Seed": str(seed)} if setup == "random" else {})}
    position = start(rng.choice(sorted(RULE_SETS)), options)
    for _ in range(rng.randrange(120)):
        if actions := position.legal_actions():
            position = position.play(rng.choice(actions))
    return position


@given(st.integers(0, 10**9))
def test_changed_cells_are_those_where_something_changes(seed: int) -> None:
    position = random_position(seed)
    rng = random.Random(seed)
    actions, positions = [], [position]
    for _ in range(2):
        if legal := positions[-1].legal_actions():
            actions.append(rng.choice(legal))
            positions.append(positions[-1].play(actions[-1]))
    changed = {
        POINT_NAMES[point]
        for before, after in pairwise(positions)
        for point in POINTS
        if (before.tops[point], before.heights[point]) != (after.tops[point], after.heights[point])
    }
    touched = changed_cells(ROOM, position, actions)
    assert changed <= touched
    assert len(touched - changed) <= len(SIDES)  # a stack may take one just like itself
