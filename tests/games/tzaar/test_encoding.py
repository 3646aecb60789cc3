"""Every action has a number, every number an action."""

import pytest

from trine.core.errors import MalformedError
from trine.games.tzaar.compiled import ACTIONS, action_of, number_of
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.rules import PASS, Capture, Placement, Stacking
from trine.games.tzaar.starts import start

MIDDLE = parse_position(
    "official .Z.T./.t..Y./T..z.y./Y2.t..T.t/..TZ*.y.T/t.Y3..z.y/.T.t..Y/z.t.T./.Y3t.Z white 2"
)


def test_the_numbers_are_those_that_are_documented() -> None:
    for action, number in (
        (Capture(0, 1), 1),
        (Stacking(0, 1), 1),
        (Capture(59, 58), 3598),
        (PASS, 3600),
        (Placement("T", 0), 3601),
        (Placement("Y", 0), 3661),
        (Placement("Z", 59), 3780),
    ):
        assert number_of(MIDDLE, action) == number
    assert ACTIONS == 3781


def test_every_number_gives_an_action_that_gives_it_back() -> None:
    for position in (MIDDLE, start("open", {}), start("open", {"Setup": "placement"})):
        for number in range(ACTIONS):
            assert number_of(position, action_of(position, number)) == number


@pytest.mark.parametrize("number", [-1, ACTIONS])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(MalformedError, match="expected 0 to 3780"):
        action_of(MIDDLE, number)
