"""The scene of an Arimaa position: complete, honest, the same from both sides."""

import pytest

from scenes import marks_on, on_board
from trine.games.arimaa import ROOM
from trine.games.arimaa.board import EMPTY_BOARD, GOLD, SILVER, SQUARE_NAMES, SQUARE_OF, SQUARES
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS, STEPS, Placement, is_frozen
from trine.games.arimaa.view.pointing import movements, picks

scene = ROOM.view.scene
OFFICIAL = RULE_SETS["official"]
CROWDED = "...rcr..rR....mrDd.H..d....e......r..r.C..rE...MR.hr.hDH.RCR.RRR"
"""From a8 to h8, then rank 7, down to h1."""


def position(top_down: str, mover: int = GOLD, rules: str = "official") -> Position:
    ranks = [top_down[start : start + 8] for start in range(0, 64, 8)]
    return Position.of(RULE_SETS[rules], "".join(reversed(ranks)), mover, 20)


def in_setup() -> Position:
    start = Position.before_setup(OFFICIAL)
    for piece, square in (("E", "e2"), ("R", "a1"), ("R", "b1")):
        start = start.play(Placement(piece, SQUARE_OF[square]))
    return start


POSITIONS = {
    "before setup": Position.before_setup(OFFICIAL),
    "in setup": in_setup(),
    "empty": position(EMPTY_BOARD),
    **{f"crowded, {name}": position(CROWDED, SILVER, name) for name in RULE_SETS},
}


@pytest.mark.parametrize("shown", POSITIONS.values(), ids=POSITIONS)
def test_every_piece_of_the_board_is_in_the_scene_once(shown: Position) -> None:
    pieces = [piece for piece in scene(shown).pieces if piece.role == "piece"]
    assert {piece.cell: str(piece.label) for piece in pieces} == {
        SQUARE_NAMES[square]: shown.board[square]
        for square in SQUARES
        if shown.board[square] != "."
    }
    assert len(pieces) == 64 - shown.board.count(".")


@pytest.mark.parametrize("shown", POSITIONS.values(), ids=POSITIONS)
def test_silver_sees_the_squares_turned_by_half(shown: Position) -> None:
    gold, silver = scene(shown), scene(shown, seat=SILVER)
    assert gold.board.size == silver.board.size
    assert silver.alt == gold.alt
    turned = {cell.id: cell.at for cell in silver.board.cells}
    for cell in gold.board.cells[:64]:
        x, y = turned[cell.id]
        assert (cell.at[0] + x, cell.at[1] + y) == pytest.approx((9.0, 8.6))
    for here, there in zip(gold.pieces, silver.pieces, strict=True):
        assert (here.cell, here.figure, here.marks) == (there.cell, there.figure, there.marks)
        if here.cell:
            assert silver.board.place_of(there) == pytest.approx(
                turned[there.cell], abs=0.5 if here.role != "piece" else 1e-9
            )


@pytest.mark.parametrize("name", RULE_SETS)
def test_frozen_pieces_are_marked_by_the_rule_set(name: str) -> None:
    shown = position(CROWDED, rules=name)
    frozen = {cell for cell, piece in on_board(scene(shown)).items() if "frozen" in piece.marks}
    assert frozen == {
        SQUARE_NAMES[square]
        for square in SQUARES
        if shown.board[square] != "." and is_frozen(shown.rules, shown.board, square)
    }
    assert frozen
    assert f"Frozen: {' '.join(sorted(frozen, key=SQUARE_OF.__getitem__))}." in str(
        scene(shown).alt
    )


def test_army_is_complete_with_what_lies_beside_the_board() -> None:
    for shown in POSITIONS.values():
        drawn = scene(shown)
        counts = [int(str(label.text)) for label in drawn.labels if label.role == "count"]
        beside = [piece for piece in drawn.pieces if piece.role in ("hand", "captured")]
        assert len(beside) == len(counts)
        assert sum(counts) + len(on_board(drawn)) == 32
        assert {piece.role for piece in beside} <= {"hand" if shown.hands else "captured"}


def test_the_last_turn_tells_left_squares_from_reached_ones() -> None:
    drawn = scene(position(CROWDED), last={"d5", "d4"})
    assert marks_on(drawn) == "d4 last-from, d5 last-to"
    assert {meaning.role for meaning in drawn.legend} == {"trap", "frozen", "last-to", "last-from"}


def test_marks_say_nothing_twice() -> None:
    marks = {"d6": {"frozen", "capturable", "dislodgeable"}, "b7": {"goal", "dislodgeable"}}
    drawn = scene(position(CROWDED), marks=marks)
    assert marks_on(drawn) == "b7 dislodgeable, b7 goal, d6 capturable"


def test_the_coins_show_the_steps_of_the_open_turn() -> None:
    shown = position(CROWDED)
    for left in (4, 3, 2):
        drawn = scene(shown)
        steps = [piece.role for piece in drawn.pieces if piece.role.startswith("step")]
        assert steps == ["step"] * left + ["step-used"] * (4 - left)
        shown = shown.play(next(iter(shown.legal_actions())))


def test_a_rabbit_is_pushed_off_to_the_strip_beyond_the_board() -> None:
    """The strip lies beyond the rank of the rabbit, from both sides; only this rule set has it."""
    shown = position("." * 52 + "E" + "..." + "...." + "r...", GOLD, "ejection")
    off = STEPS["r", SQUARE_OF["e1"], "s"]
    # The elephant on e2 pushes: west, east, or south and off.
    assert off in shown.legal_actions()
    assert picks(shown, off) == ("e1", "off-s")
    assert movements(shown, off) == (("e1", ""),)
    for seat in (GOLD, SILVER):
        board = scene(shown, seat=seat).board
        at = {spot.id: spot.at for spot in board.spots}
        below = at["off-s"][1] > at["off-n"][1]
        assert below is (seat == GOLD)
        assert (at["e1"][1] < at["off-s"][1]) is below
    assert "off-s" not in scene(position(CROWDED)).board.ids


def test_a_step_over_a_corner_is_two_squares() -> None:
    """In `diagonal` a pusher takes the square of its victim over the corner."""
    shown = position(
        EMPTY_BOARD[:27] + "r" + EMPTY_BOARD[28:34] + "E" + EMPTY_BOARD[35:], GOLD, "diagonal"
    )
    pushed = shown.play(STEPS["r", SQUARE_OF["d5"], "n"])
    (taking,) = [action for action in pushed.legal_actions() if str(action) == "Ec4ne"]
    assert picks(pushed, taking) == ("c4", "d5")
    assert movements(pushed, taking) == (("c4", "d5"),)


def test_a_hand_is_pointed_at_before_a_square() -> None:
    shown = in_setup()
    assert picks(shown, Placement("C", SQUARE_OF["a2"])) == ("C", "a2")
    for action in shown.legal_actions():
        drawn = scene(shown, targets=picks(shown, action))
        assert set(drawn.targets) == set(picks(shown, action))
