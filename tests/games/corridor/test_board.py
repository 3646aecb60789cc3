"""Squares, sides and seats."""

import pytest

from trine.games.corridor import board


@pytest.mark.parametrize("size", board.SIZES)
def test_names_tell_all_squares_apart(size: int) -> None:
    assert len(set(board.square_names(size))) == size * size
    assert board.square_name(size, board.square_at(size, 0, 0)) == "a1"
    assert board.square_name(size, board.square_at(size, 1, 2)) == "b3"


@pytest.mark.parametrize("size", board.SIZES)
def test_whoever_is_my_neighbour_has_me_as_neighbour_on_the_other_side(size: int) -> None:
    for square, near in enumerate(board.neighbours(size)):
        for side in board.SIDES:
            on_border = square in board.side_squares(size, side)
            assert (near[side] == board.OFF_BOARD) == on_border
            if not on_border:
                assert board.neighbours(size)[near[side]][board.opposite(side)] == square


def test_sides_as_lists_and_as_sets_hold_the_same() -> None:
    for side in board.SIDES:
        assert board.side_set(5, side) == sum(2**square for square in board.side_squares(5, side))
    east = [board.square_name(5, square) for square in board.side_squares(5, board.EAST)]
    assert east == ["e1", "e2", "e3", "e4", "e5"]


def test_left_and_right_of_a_way() -> None:
    assert board.across(board.NORTH) == (board.WEST, board.EAST)
    assert board.across(board.SOUTH) == (board.EAST, board.WEST)
    assert board.across(board.EAST) == (board.NORTH, board.SOUTH)


def test_pawns_start_in_the_middle_or_left_of_it_as_the_player_faces_the_board() -> None:
    assert [board.square_name(9, board.middle_square(9, side)) for side in board.SIDES] == [
        "e1",
        "a5",
        "e9",
        "i5",
    ]
    assert [board.square_name(8, board.middle_square(8, side)) for side in board.SIDES] == [
        "d1",
        "a5",
        "e8",
        "h4",
    ]


def test_players_sit_clockwise_from_the_south() -> None:
    assert [seat.letter for seat in board.SEATS_OF[2]] == ["s", "n"]
    assert [seat.letter for seat in board.SEATS_OF[3]] == ["s", "w", "n"]
    assert [seat.letter for seat in board.SEATS_OF[4]] == ["s", "w", "n", "e"]
    assert board.SIDES_OF[3] == (board.SOUTH, board.WEST, board.NORTH)
