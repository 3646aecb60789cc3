"""One contract for the strategists of every game, and for the effects of setups."""

from random import Random

import pytest

from conformance.test_rooms import begun
from trine.games import BUNDLED_GAMES, open_room

STRATEGISTS = [
    (game, name) for game in BUNDLED_GAMES for name in open_room(game).handbook.strategists
]


@pytest.mark.parametrize(("game", "name"), STRATEGISTS)
def test_the_same_chance_gives_the_same_whole_turn(game: str, name: str) -> None:
    room, rules = open_room(game), open_room(game).default_rules
    play, rng = begun(f"{game}/{rules}"), Random(7)
    while play.position.in_setup or len(play.turns) < 6:
        play.act_unchecked(rng.choice(play.legal_actions()))
    strategist = room.handbook.strategists[name]
    turns, again = (
        [strategist(play.position, play.history, Random(seed)) for seed in range(3)] for _ in "12"
    )
    assert turns == again
    assert len(set(turns)) > 1, "chance decides"
    for turn in turns:
        ahead = play.copy()
        ahead.follow(ahead.check(turn))
        assert len(ahead.turns) == len(play.turns) + 1


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("arimaa/official", "setup 99of9"),
        ("tzaar/open setup=placement", "Ta1"),
        ("corridor/great-wall", "e1"),
    ],
)
def test_a_setup_brings_nothing_about(game: str, line: str) -> None:
    play = begun(game)
    assert play.position.in_setup
    assert play.room.view.effects(play.position, play.interpret(line)) == []
