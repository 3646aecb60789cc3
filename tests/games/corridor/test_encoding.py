"""Every action has a number, every number of an action gives it back."""

import pytest

from trine.core.errors import MalformedError
from trine.games.corridor.board import SIZES
from trine.games.corridor.compiled import action_of, actions_of, number_of
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, RULE_SETS, Choice, Move, Wall, footprints


@pytest.mark.parametrize("size", [3, 9, 19])
def test_the_numbers_are_those_that_are_documented(size: int) -> None:
    position = Position.first(RULE_SETS["great-wall"], size)
    area, last = size * size, size - 1
    for action, number in (
        (Choice(0, 0), 0),
        (Move(last, last), area - 1),
        (Move(0, 1), size),
        (Wall(0, 0, "h"), area),
        (Wall(1, 1, "h"), area + size + 1),
        (Wall(0, 0, "v"), 2 * area),
        (Wall(last - 1, last, "v"), 3 * area - 2),
        (PASS, 3 * area),
    ):
        assert number_of(position, action) == number
    assert actions_of(size) == 3 * area + 1


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [SIZES[0], 9, SIZES[-1]])
def test_squares_walls_and_the_pass_are_all_numbers_that_name_something(
    rules: str, size: int
) -> None:
    position = Position.first(RULE_SETS[rules], size)
    named = 0
    for number in range(actions_of(size)):
        try:
            action = action_of(position, number)
        except MalformedError:
            continue
        assert number_of(position, action) == number
        named += 1
    assert named == size * size + len(footprints(size, position.rules.wall_length)) + 1


@pytest.mark.parametrize(
    ("number", "expected"),
    [(-1, "0 to 243"), (244, "0 to 243"), (81 + 8, "i1h"), (162 + 72, "a9v")],
)
def test_other_numbers_are_refused(number: int, expected: str) -> None:
    with pytest.raises(MalformedError, match=expected):
        action_of(Position.first(RULE_SETS["quoridor"]), number)
