"""The text board of Corridor: everything is on it, can be told apart, and fits a terminal."""

import re

import pytest
from hypothesis import given

from games.corridor.randomly import positions
from trine.core.play import changed_cells
from trine.core.scene.canvas import Look, TextBoard
from trine.games.corridor import ROOM
from trine.games.corridor.board import SIZES, square_name
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, RULE_SETS, Move, Wall, footprints
from trine.games.corridor.view.insight import is_jump, status
from trine.games.corridor.view.text_board import PIECE_SETS, text_board

HORIZONTAL = "━┷┯┿═╧╤╪"
VERTICAL = "┃┨┠╂║╢╟╫"
"""The middles of walls two squares long, each sign for one of them."""


def lattice(board: TextBoard, position: Position) -> dict[tuple[int, int], str]:
    """The signs of a board by column and row of the lattice: three in a square or a lying gap."""
    margin = len(str(position.size)) + 1
    lines = ["".join(span.text for span in row)[margin:] for row in board.rows[1:-1]]
    places = {}
    for row, line in enumerate(lines):
        at = 0
        for column in range(2 * position.size + 1):
            width = 3 if column % 2 else 1
            places[column, row] = line[at : at + width]
            at += width
        assert at == len(line)
    return places


def seen_from(look: Look, position: Position, column: int, row: int) -> tuple[int, int]:
    edge = 2 * position.size
    return (edge - column, edge - row) if look.flipped else (column, row)


def middle_of(wall: Wall, position: Position) -> tuple[int, int]:
    length, edge = position.rules.wall_length, 2 * position.size
    if wall.axis == "h":
        return 2 * wall.file + length, edge - 2 * (wall.rank + 1)
    return 2 * (wall.file + 1), edge - 2 * wall.rank - length


LOOKS = [Look(pieces, flipped) for pieces in PIECE_SETS for flipped in (False, True)]


@given(positions())
def test_walls_can_be_read_from_the_board(position: Position) -> None:
    for flipped in (False, True):
        look = Look("letters", flipped)
        places = lattice(text_board(position, look), position)
        read = set()
        for wall in footprints(position.size, position.rules.wall_length):
            sign = places[seen_from(look, position, *middle_of(wall, position))]
            if sign[0] in (HORIZONTAL if wall.axis == "h" else VERTICAL):
                read.add(wall)
        assert read == set(position.walls)


@given(positions())
def test_pawns_stand_on_their_squares(position: Position) -> None:
    for look in LOOKS:
        places = lattice(text_board(position, look), position)
        shown = {}
        for square in range(position.size**2):
            rank, file = divmod(square, position.size)
            column, row = 2 * file + 1, 2 * (position.size - rank) - 1
            letters = places[seen_from(look, position, column, row)].strip(" !")
            if letters:
                shown[square] = letters
        assert shown == {
            pawn: position.seats[player].letter.upper()
            for player, pawn in enumerate(position.pawns)
            if pawn >= 0
        }


@given(positions())
def test_targets_are_shown_where_they_are(position: Position) -> None:
    actions = position.legal_actions()
    targets = frozenset(map(str, actions))
    for look in (Look("letters", flipped, targets=targets) for flipped in (False, True)):
        places = lattice(text_board(position, look), position)
        expected: dict[tuple[int, int], str] = {}
        for action in actions:
            if isinstance(action, Wall):
                middle = seen_from(look, position, *middle_of(action, position))
                sign = "-" if action.axis == "h" else "|"
                if position.rules.wall_length == 1:
                    sign = sign.replace("|", ":")
                expected[middle] = "+" if middle in expected else sign
            elif action != PASS:
                file, rank = parse_square(str(action).removeprefix("@"))
                column, row = 2 * file + 1, 2 * (position.size - rank) - 1
                expected[seen_from(look, position, column, row)] = "•"
        found = {place: sign.strip() for place, sign in places.items() if sign.strip() in "-|:+•"}
        assert {place: sign for place, sign in found.items() if sign} == expected


def parse_square(name: str) -> tuple[int, int]:
    move = parse_action(name)
    assert isinstance(move, Move)
    return move.file, move.rank


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pieces", PIECE_SETS)
def test_every_size_fits_eighty_columns(size: int, pieces: str) -> None:
    for players in (2, 3, 4):
        board = text_board(Position.first(RULE_SETS["great-wall"], size, players), Look(pieces))
        lines = str(board).splitlines()
        assert len(lines) == 2 * size + 3
        assert max(map(len, lines)) <= 80
        assert lines[0] == lines[-1]
        assert re.findall(r"^ *(\d+)", str(board), re.MULTILINE) == [
            str(rank) for rank in range(size, 0, -1)
        ]


def test_long_walls_can_be_told_from_each_other_where_they_meet() -> None:
    position = parse_position("quoridor 5 2 a1,e5 a1h,a3v,b2v,c1h,c3h,d2v 5,5 1")
    assert (
        str(text_board(position, Look()))
        == """\
    a   b   c   d   e
  ┌─↑───↑───↑───↑───↑─┐
5 │                 N │
  │   ·   ·   ·   ·   │
4 │   ┃               │
  │   ┃   ┌━━━━━━━┐   │
3 │   ┃   ┃       ┃   │
  │   ·   ┃   ·   ┃   │
2 │       ┃       ┃   │
  ├━━━━━━━┴━━━━━━━┘   │
1 │ S                 │
  └─↓───↓───↓───↓───↓─┘
    a   b   c   d   e"""
    )


def test_short_walls_are_joined_where_they_meet() -> None:
    position = parse_position("great-wall 4 3 b1,a3,c4 a1v,b1v,b2h,b2v,c2h *,*,* 1")
    assert (
        str(text_board(position, Look()))
        == """\
    a   b   c   d
  ┌─↑───↑───↑───↑─┐
4 │         N     →
  │   ·   ·   ·   │
3 │ W             →
  │   ·━━━┳━━━·   │
2 │       ┃       →
  │   ·   ┃   ·   │
1 │   ┃ S ┃       →
  └─↓─┸─↓─┸─↓───↓─┘
    a   b   c   d"""
    )


def test_what_just_changed_is_told() -> None:
    start = Position.first(RULE_SETS["quoridor"], 5)
    step, wall = parse_action("c2"), parse_action("b3h")
    assert isinstance(wall, Wall)
    last = changed_cells(ROOM, start, [step, wall])
    assert last == {"c1", "c2", "b3h"}
    board = text_board(start.play(step).play(wall), Look(last=last))
    assert "┃" not in str(board)
    assert "·═══════·" in str(board)
    assert "(S)" in str(board)
    assert {sign.sign for sign in board.legend} == {"↑", "↓", "()", "═"}


@given(positions())
def test_every_sign_is_in_the_legend(position: Position) -> None:
    last = changed_cells(ROOM, position, position.legal_actions()[-1:])
    for action in position.legal_actions()[-1:]:
        position = position.play(action)
    look = Look(last=last, targets=frozenset(map(str, position.legal_actions())))
    board = text_board(position, look)
    lines = "─│┌┐└┘├┤┬┴┼┰┥┸┝·━┷┯┿┃┨┠╂┗┏┣┛┻┓┫┳╋╧╤╪╢╟╫ "
    on_board = "".join(span.text for row in board.rows[1:-1] for span in row)
    letters = {seat.letter.upper() for seat in position.seats}
    told = set(on_board) - set(lines) - letters - set("0123456789")
    assert told - set("".join(sign.sign for sign in board.legend)) == set()
    assert len(board.legend) == len(set(board.legend))


def test_status_tells_ways_hands_and_owners() -> None:
    position = Position.first(RULE_SETS["quoridor"], 9, 4)
    for word in ("e2h", "b5", "c7v"):
        position = position.play(parse_action(word))
    assert [str(line) for line in status(position.without_mover())] == [
        "South: 9 steps to the goal, 4 walls in hand",
        "West: 7 steps to the goal, 5 walls in hand",
        "North: 9 steps to the goal, 4 walls in hand",
        "East: has left the play",
        "walls of South: e2h",
        "walls of North: c7v",
    ]


def test_groups_tell_steps_from_jumps_and_walls_by_direction() -> None:
    position = parse_position("quoridor 9 2 e4,e5 e5h 10,9 1")
    groups = {
        str(heading): list(map(str, g))
        for heading, g in ROOM.view.group_actions(position, position.legal_actions())
    }
    assert sorted(groups["steps of the pawn"]) == ["d4", "e3", "f4"]
    assert sorted(groups["jumps of the pawn"]) == ["d5", "f5"]
    assert set(groups["horizontal walls"]) == {
        n for n in groups["horizontal walls"] if n[-1] == "h"
    }
    assert list(groups)[2:] == ["horizontal walls", "vertical walls"]
    assert [str(h) for h, _ in ROOM.view.group_actions(position, [PASS])] == ["pass"]
    choices = Position.first(RULE_SETS["corridor"])
    assert [str(h) for h, _ in ROOM.view.group_actions(choices, choices.legal_actions())] == [
        "start squares"
    ]


@given(positions())
def test_a_jump_is_what_leads_over_a_pawn(position: Position) -> None:
    for action in position.legal_actions():
        if isinstance(action, Move):
            pawn = position.pawns[position.mover]
            target = action.rank * position.size + action.file
            near = abs(target - pawn) in (1, position.size)
            assert is_jump(position, action) != near


@given(positions())
def test_changed_cells_are_what_an_action_touches(position: Position) -> None:
    for action in position.legal_actions()[-3:]:
        after = position.play(action)
        changed = changed_cells(ROOM, position, [action])
        moved = {
            square_name(position.size, pawn)
            for pawn in set(position.pawns) ^ set(after.pawns)
            if pawn >= 0
        }
        placed = {str(wall) for wall in set(after.walls) - set(position.walls)}
        assert changed == moved | placed


@pytest.mark.parametrize("pieces", PIECE_SETS)
def test_no_sign_has_two_meanings(pieces: str) -> None:
    for name, rules in RULE_SETS.items():
        for players in rules.players:
            position = Position.first(rules, 5, players)
            while position.in_setup:
                position = position.play(position.legal_actions()[0])
            after = position.play(position.legal_moves()[0]).play(Wall(3, 2, "v"))
            for last in ({"d3v", "a1", "b1"}, {"a2h"}):
                targets = frozenset(map(str, after.legal_actions()))
                marks = {"c3": frozenset({"way"})}
                look = Look(pieces, last=frozenset(last), marks=marks, targets=targets)
                signs = [sign.sign for sign in text_board(after, look).legend]
                assert len(set(signs)) == len(signs), name
                assert len(signs) > players + 3
