"""The table of rule sets, the actions, the laws of the board."""

import pytest

from trine.games.corridor.board import SIZES, all_open, square_name, square_names
from trine.games.corridor.rules import (
    PASS,
    RULE_SETS,
    Choice,
    Move,
    Wall,
    footprint_of,
    footprints,
    moves_to,
    passages_beside,
    pawn_targets,
)


def test_the_table_of_rule_sets() -> None:
    table = {
        rules.name: (
            rules.players,
            rules.chooses_start,
            rules.wall_length,
            [rules.walls_each(9, players) for players in rules.players],
            rules.walls_may_trap,
            rules.great_wall,
            rules.jumps_aside,
        )
        for rules in RULE_SETS.values()
    }
    assert table == {
        "quoridor": ((2, 3, 4), False, 2, [10, 6, 5], False, False, True),
        "corridor": ((2, 3, 4), True, 1, [10] * 3, True, False, False),
        "corridor-8": ((2, 3, 4), True, 1, [8] * 3, True, False, False),
        "great-wall": ((2, 3, 4), True, 1, [None] * 3, True, True, False),
    }
    assert RULE_SETS["corridor-8"].walls_each(13, 2) == 12


def test_actions_print_as_notation_and_sort_as_positions_list_them() -> None:
    walls = [Wall(0, 9, "h"), Wall(0, 1, "v"), Wall(1, 0, "h"), Wall(0, 1, "h")]
    assert [str(wall) for wall in sorted(walls)] == ["a2h", "a2v", "a10h", "b1h"]
    assert [str(action) for action in (Move(8, 8), Choice(18, 0), PASS)] == ["i9", "@s1", "-"]


def test_a_move_is_known_by_its_square() -> None:
    assert [str(move) for move in moves_to(4)] == list(square_names(4))


@pytest.mark.parametrize("size", SIZES)
def test_there_are_as_many_places_for_walls_as_there_should_be(size: int) -> None:
    assert len(footprints(size, 1)) == 2 * size * (size - 1)
    assert len(footprints(size, 2)) == 2 * (size - 1) ** 2
    assert list(footprints(size, 2)) == sorted(footprints(size, 2))


def test_a_wall_of_two_squares_overlaps_four_places() -> None:
    """The same, those half a wall to either side, and the one across."""
    places = footprints(9, 2)
    middle = places[Wall(4, 4, "h")]
    hit = [str(wall) for wall, place in places.items() if middle.overlaps(place)]
    assert hit == ["d5h", "e5h", "e5v", "f5h"]


def test_a_wall_of_one_square_overlaps_only_itself() -> None:
    places = footprints(9, 1)
    for wall, place in places.items():
        assert [other for other in places if places[other].overlaps(place)] == [wall]


def test_walls_shut_the_sides_that_they_stand_on() -> None:
    footprint = footprint_of(3, 2, [Wall(0, 0, "h"), Wall(1, 1, "v")])
    passages = passages_beside(3, footprint)
    shut_north = all_open(3).north & ~passages.north
    shut_east = all_open(3).east & ~passages.east
    shut = [square_name(3, square) for square in range(9) if shut_north >> square & 1]
    assert shut == ["a1", "b1"]
    shut = [square_name(3, square) for square in range(9) if shut_east >> square & 1]
    assert shut == ["b2", "b3"]


def test_jumps_by_both_laws() -> None:
    """a1 beside b1; behind b1 is c1, or a wall, or a pawn."""
    free, names = all_open(3), square_names(3)

    def targets(jumps_aside: bool, pawns: list[int], walls: list[Wall]) -> list[str]:
        passages = passages_beside(3, footprint_of(3, 1, walls)) if walls else free
        return sorted(names[target] for target in pawn_targets(jumps_aside, passages, pawns, 0))

    behind = Wall(1, 0, "v")
    assert targets(False, [0, 1], []) == ["a2", "c1"]
    assert targets(True, [0, 1], []) == ["a2", "c1"]
    assert targets(False, [0, 1], [behind]) == ["a2"]
    assert targets(True, [0, 1], [behind]) == ["a2", "b2"]
    assert targets(False, [0, 1, 2], []) == ["a2"]
    assert targets(True, [0, 1, 2], []) == ["a2", "b2"]
    assert targets(True, [0, 1, 2], [Wall(1, 0, "h")]) == ["a2"]
    assert targets(True, [0, 1, 2, 4], []) == ["a2"]
