"""The numbers of actions: each action has one, and keeps it."""

import pytest

from trine.core.errors import MalformedError
from trine.games.arimaa.board import DIRECTIONS, KINDS, SQUARES
from trine.games.arimaa.compiled import ACTIONS, action_of, number_of
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, RULE_SETS, STEPS, Action, Placement

EVERYWHERE = {
    # A board that is full, so that there is a piece to step from each square. It need not be legal.
    side: Position.of(RULE_SETS["official"], "RCDHMErcdhmeRCdh" * 4, side)
    for side in (0, 1)
}


@pytest.mark.parametrize("side", [0, 1])
def test_every_number_is_the_number_of_its_action(side: int) -> None:
    position = EVERYWHERE[side]
    actions = [action_of(position, number) for number in range(ACTIONS)]
    assert [number_of(position, action) for action in actions] == list(range(ACTIONS))
    assert len(set(actions)) == ACTIONS


def test_every_action_is_the_action_of_its_number() -> None:
    position = EVERYWHERE[1]
    actions: list[Action] = [END]
    actions += [STEPS[position.board[at], at, way] for at in SQUARES for way in DIRECTIONS]
    actions += [Placement(kind.lower(), at) for kind in KINDS for at in SQUARES]
    assert len(actions) == ACTIONS
    for action in actions:
        assert action_of(position, number_of(position, action)) == action


def test_numbers_stay_what_they_are() -> None:
    position = parse_position("2g 8/8/8/8/3Er3/8/8/R7", RULE_SETS["diagonal"])
    names = {"Ra1n": 0, "Ed4n": 108, "Ed4e": 109, "Ed4s": 110, "Ed4w": 111, "re4w": 115}
    names |= {"Ed4ne": 364, "Ed4se": 365, "Ed4sw": 366, "Ed4nw": 367, "end": 512}
    names |= {"Ea1": 513, "Eh8": 576, "Ra1": 833, "Rh8": 896}
    for name, number in names.items():
        assert str(action_of(position, number)) == name


@pytest.mark.parametrize("number", [-1, -512, 5 * 4, 256 + 5 * 4, ACTIONS, 10**9])
def test_a_number_of_no_action_is_refused(number: int) -> None:
    with pytest.raises(MalformedError):
        action_of(parse_position("2g 8/8/8/8/3Er3/8/8/R7"), number)
