"""The effects of a turn: compared with trying every wall, and case by case."""

from dataclasses import replace

from hypothesis import given

from games.corridor.randomly import positions
from trine.games import new_play
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall
from trine.games.corridor.view.effects import TRAPPING_COST, effects, max_wall_cost


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
                assert max_wall_cost(position, [builder], player) == most


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


def test_that_one_wall_traps_is_told() -> None:
    position = "corridor 3 2 b1,b3 a1v,b2h 2,2 1"
    play = new_play("corridor", position=position)
    found = {str(a): texts(position, str(a)) for a in play.legal_actions()}
    assert any("then one wall more could trap North" in words for words in found.values())
