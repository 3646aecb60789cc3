"""The effects of a turn: compared with trying every wall, and case by case."""

from dataclasses import replace

import pytest
from hypothesis import given

from games.corridor.randomly import positions
from trine.games import new_play
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall
from trine.games.corridor.view.effects import TRAPPING_COST, effects, most_by_a_wall


def texts(position: str, action: str) -> list[str]:
    play = new_play("corridor", position=position)
    return [
        str(effect.text) for effect in play.room.view.effects(play.position, play.interpret(action))
    ]


def most_by_trying(position: Position, builder: int, player: int) -> float:
    start = position.distance(player)
    most = 0.0
    for action in replace(position, mover=builder).legal_actions():
        if isinstance(action, Wall) and start is not None:
            then = replace(position, mover=builder).play(action).distance(player)
            most = max(most, TRAPPING_COST if then is None else then - start)
    return most


@given(positions())
def test_what_one_wall_could_cost_is_exact(position: Position) -> None:
    if position.in_setup or position.outcome():
        return
    for player in position.playing:
        for builder in position.playing:
            if builder != player:
                most = most_by_trying(position, builder, player)
                assert most_by_a_wall(position, [builder], player) == most


@given(positions())
def test_every_way_that_a_wall_makes_longer_is_told(position: Position) -> None:
    if position.in_setup or position.outcome():
        return
    for wall in position.legal_walls()[::9]:
        after = position.play(wall)
        if after.outcome():
            continue
        sentences = [str(effect.text) for effect in effects(position, [wall])]
        assert sentences
        for player, seat in enumerate(position.seats):
            then, now = position.distance(player), after.distance(player)
            makes = [words for words in sentences if words.startswith(f"makes {seat.name}'s ")]
            if then is None:
                assert not makes
            elif now is None:
                assert f"leaves {seat.name} no way to the goal" in sentences
            elif now == then:
                assert not makes
            else:
                unit = "step" if now == then + 1 else "steps"
                whose = "own way" if player == position.mover else "shortest way"
                assert makes == [f"makes {seat.name}'s {whose} {now - then} {unit} longer"]


def test_the_others_come_before_the_own_way() -> None:
    north, south = texts("quoridor 9 2 e1,e9 - 10,10 1", "e8h")
    assert north == "makes North's shortest way 1 step longer"
    assert south == "makes South's own way 1 step longer"


@pytest.mark.parametrize(
    ("position", "action", "expected"),
    [
        ("quoridor 9 2 e4,e5 - 10,10 1", "e6", "jumps 2 steps nearer to the goal"),
        ("quoridor 9 2 e1,e9 - 10,10 1", "e2", "steps to the goal then: South 7, North 8"),
        ("quoridor 9 2 e1,e9 - 10,10 1", "d1", "steps to the goal then: South 8, North 8"),
        ("quoridor 9 2 e1,e9 - 10,10 1", "a1h", "steps to the goal then: South 8, North 8"),
    ],
)
def test_a_turn_is_told_by_what_it_means_for_the_race(
    position: str, action: str, expected: str
) -> None:
    assert texts(position, action)[0] == expected


LANE = "quoridor 9 2 a7,i9 a2v,a4v,a6v 8,9 1"
"""South is in a lane, which North can shut above: that would cost 14 steps."""


@pytest.mark.parametrize("action", ["a8", "a1h"])
def test_that_a_wall_can_cost_less_than_before_is_told(action: str) -> None:
    """The pawn leaves the lane; or it is shut below, so that it may not be shut above too."""
    assert "one wall can then cost South 2 steps at most, instead of 14" in texts(LANE, action)


def test_that_one_wall_more_would_cost_much_is_told() -> None:
    sentences = texts("quoridor 9 2 e4,e6 c3h,f3v 9,9 2", "e4h")
    assert sentences[-1] == "then one wall more could make South's way 5 steps longer"


def test_a_player_without_walls_makes_none_to_be_feared() -> None:
    sentences = texts("quoridor 9 2 e4,e6 c3h,f3v 9,1 2", "e4h")
    assert not any("one wall more" in words for words in sentences)


def test_that_one_wall_traps_is_told() -> None:
    position = "corridor 3 2 b1,b3 a1v,b2h 2,2 1"
    play = new_play("corridor", position=position)
    found = {str(a): texts(position, str(a)) for a in play.legal_actions()}
    assert any("then one wall more could trap North" in words for words in found.values())
