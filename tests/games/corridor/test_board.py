"""Squares, sides and seats."""

import pytest

from trine.games.corridor.board import (
    EAST,
    NORTH,
    OFF_BOARD,
    SEATS_OF,
    SIDES,
    SIDES_OF,
    SIZES,
    SOUTH,
    WEST,
    across,
    middle_square,
    neighbours,
    opposite,
    side_set,
    side_squares,
    square_at,
    square_name,
    square_names,
)


@pytest.mark.parametrize("size", SIZES)
def test_names_tell_all_squares_apart(size: int) -> None:
    assert len(set(square_names(size))) == size * size
    assert square_name(size, square_at(size, 0, 0)) == "a1"
    assert square_name(size, square_at(size, 1, 2)) == "b3"


@pytest.mark.parametrize("size", SIZES)
def test_whoever_is_my_neighbour_has_me_as_neighbour_on_the_other_side(size: int) -> None:
    for square, near in enumerate(neighbours(size)):
        for side in SIDES:
            on_border = square in side_squares(size, side)
            assert (near[side] == OFF_BOARD) == on_border
            if not on_border:
                assert neighbours(size)[near[side]][opposite(side)] == square


def test_sides_as_lists_and_as_sets_hold_the_same() -> None:
    for side in SIDES:
        assert side_set(5, side) == sum(2**square for square in side_squares(5, side))
    east = [square_name(5, square) for square in side_squares(5, EAST)]
    assert east == ["e1", "e2", "e3", "e4", "e5"]


def test_left_and_right_of_a_way() -> None:
    assert across(NORTH) == (WEST, EAST)
    assert across(SOUTH) == (EAST, WEST)
    assert across(EAST) == (NORTH, SOUTH)


def test_pawns_start_in_the_middle_or_left_of_it_as_the_player_faces_the_board() -> None:
    assert [square_name(9, middle_square(9, side)) for side in SIDES] == ["e1", "a5", "e9", "i5"]
    assert [square_name(8, middle_square(8, side)) for side in SIDES] == ["d1", "a5", "e8", "h4"]


def test_players_sit_clockwise_from_the_south() -> None:
    assert [seat.letter for seat in SEATS_OF[2]] == ["s", "n"]
    assert [seat.letter for seat in SEATS_OF[3]] == ["s", "w", "n"]
    assert [seat.letter for seat in SEATS_OF[4]] == ["s", "w", "n", "e"]
    assert SIDES_OF[3] == (SOUTH, WEST, NORTH)
