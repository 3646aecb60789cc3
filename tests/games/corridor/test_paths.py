"""Ways over the board, compared with walking square by square."""

from itertools import pairwise

from hypothesis import given

from games.corridor import obvious
from games.corridor.randomly import positions
from trine.games.corridor import board
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.position import Position


@given(positions())
def test_what_is_reachable_is_what_walking_reaches(position: Position) -> None:
    size = position.size
    pieces = obvious.all_pieces(position.walls, position.rules.wall_length)
    for start in (0, size * size // 2):
        found = obvious.squares_from((start % size, start // size), size, pieces)
        reached = set(board.members(board.reachable(position.passages, 1 << start)))
        assert reached == {rank * size + file for file, rank in found}


@given(positions())
def test_a_way_is_as_long_as_the_distance_and_passes_no_wall(position: Position) -> None:
    for player in range(position.players):
        path, far = position.path(player), position.distance(player)
        if path is None:
            assert far is None
            continue
        assert len(path) == (far or 0) + 1
        assert path[0] == position.pawns[player]
        assert [square in position.goal_squares(player) for square in path].index(True) == far
        for square, after in pairwise(path):
            assert after in board.neighbours(position.size)[square]
            assert not position.is_blocked(square, after)
            assert position.wall_between(square, after) is None


@given(positions())
def test_a_side_is_open_from_both_squares_or_from_neither(position: Position) -> None:
    for square, near in enumerate(board.neighbours(position.size)):
        for side in board.SIDES:
            step = position.passages.step(square, side)
            if step != board.OFF_BOARD:
                assert step == near[side]
                assert position.passages.step(step, board.opposite(side)) == square
            elif near[side] != board.OFF_BOARD:
                assert position.is_blocked(square, near[side])
                assert position.wall_between(square, near[side]) in position.walls


def test_sets_do_not_leak_over_the_border() -> None:
    free = board.all_open(3)
    assert board.reachable(free, 0) == 0
    assert list(board.members(free.spread(1 << 2))) == [1, 2, 5]
    assert list(board.members(free.spread(1 << 3))) == [0, 3, 4, 6]
    assert list(board.members(free.spread(1 << 7))) == [4, 6, 7, 8]


def test_the_distance_to_a_set_that_holds_the_start_is_nothing() -> None:
    assert board.distance(board.all_open(5), 1 << 24, board.side_set(5, board.NORTH)) == 0
    assert board.shortest_path(board.all_open(5), 1 << 24, board.side_set(5, board.EAST)) == (24,)


def test_there_is_no_way_out_of_a_shut_corner() -> None:
    position = parse_position("corridor 5 2 a1,c4 a1h,a1v 9,9 1")
    assert position.path(0) is None
    assert position.distances() == (None, 3)
    assert position.is_blocked(0, 1)
    assert str(position.wall_between(0, 5)) == "a1h"
