"""Walls: the fast referee agrees with slow and obvious definitions; lines of walls."""

import random

from hypothesis import given
from hypothesis import strategies as st

from games.corridor import obvious
from games.corridor.randomly import positions
from trine.games.corridor.board import EAST, SOUTH, WEST
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import (
    RULE_SETS,
    Wall,
    find_great_wall,
    footprints,
    joined_points,
    joins_two_sides,
)


@given(positions())
def test_legal_walls_are_those_that_trying_each_finds(position: Position) -> None:
    walls = [action for action in position.legal_actions() if isinstance(action, Wall)]
    assert walls == obvious.legal_walls(position)


@given(positions())
def test_a_pawn_has_a_distance_unless_it_is_shut_off(position: Position) -> None:
    if not position.in_setup:
        pieces = obvious.all_pieces(position.walls, position.rules.wall_length)
        without = [player for player, far in enumerate(position.distances()) if far is None]
        assert without == obvious.trapped_players(position, pieces)


@given(st.integers(3, 9), st.integers(0, 10**9), st.floats(0, 0.7))
def test_a_great_wall_is_the_same_by_lines_by_corners_and_by_us(
    size: int, seed: int, density: float
) -> None:
    dice = random.Random(seed)
    walls = [wall for wall in footprints(size, 1) if dice.random() < density]
    pieces = obvious.all_pieces(walls, 1)
    found = find_great_wall(size, walls)
    assert (found is not None) == obvious.has_great_wall_by_lines(size, pieces)
    assert (found is not None) == obvious.has_great_wall_by_corners(size, pieces)
    if found:
        assert set(found.walls) <= set(walls)
        assert {*found.sides} in obvious.sides_of_lines(size, obvious.all_pieces(found.walls, 1))


@given(st.integers(3, 7), st.integers(0, 10**9))
def test_walls_one_by_one_never_make_a_great_wall(size: int, seed: int) -> None:
    """Placing legal walls until none is left, in any order, keeps all corners joined."""
    places = list(footprints(size, 1).items())
    random.Random(seed).shuffle(places)
    walls: list[Wall] = []
    for wall, place in places:
        if not joins_two_sides(joined_points(size, walls), place):
            walls.append(wall)
    assert not obvious.has_great_wall_by_corners(size, obvious.all_pieces(walls, 1))
    assert find_great_wall(size, walls) is None


def walls_of(words: str) -> list[Wall]:
    walls = []
    for word in words.split():
        wall = parse_action(word)
        assert isinstance(wall, Wall)
        walls.append(wall)
    return walls


def test_a_great_wall_is_named_in_order_from_side_to_side() -> None:
    found = find_great_wall(9, walls_of("c1v b2h a2h c2v c2h d5h e5h"))
    assert found is not None
    assert found.sides == (SOUTH, WEST)
    assert [str(wall) for wall in found.walls] == ["c1v", "c2v", "c2h", "b2h", "a2h"]
    found = find_great_wall(3, walls_of("c2h b2h a2h"))
    assert found is not None
    assert found.sides == (WEST, EAST)
    assert [str(wall) for wall in found.walls] == ["a2h", "b2h", "c2h"]


def test_loops_and_lines_with_both_ends_on_one_side_are_no_great_walls() -> None:
    assert find_great_wall(5, walls_of("b2v b3v c3h c1h d2h b1h")) is None
    assert find_great_wall(5, walls_of("a1h a1v")) is not None
    assert find_great_wall(5, walls_of("b1v b1h a1v")) is None


def test_walls_beside_a_corner_of_the_board_do_not_meet_in_it() -> None:
    """The corner point lies on two sides, but no wall ends there."""
    position = parse_position("great-wall 5 2 c1,c5 d5v *,* 1")
    legal = position.legal_actions()
    assert Wall(4, 2, "h") in legal
    assert Wall(4, 3, "h") not in legal


def test_quoridor_walls_may_touch_but_neither_cross_nor_overlap() -> None:
    position = parse_position("quoridor 9 2 e1,e9 e5h 9,10 2")
    legal = {str(action) for action in position.legal_actions()}
    assert {"c5h", "g5h", "e4v", "e6v", "d5v", "f5v"} <= legal
    assert not {"d5h", "e5h", "f5h", "e5v"} & legal


def test_every_rule_set_has_its_places() -> None:
    counts = [(name, len(footprints(9, rules.wall_length))) for name, rules in RULE_SETS.items()]
    assert counts[0] == ("quoridor", 128)
    assert counts[1:] == [(name, 144) for name in ("corridor", "corridor-8", "great-wall")]
