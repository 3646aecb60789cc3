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
    play, rng = begun(f"{game}/{rules}"), Random(9)
    while play.position.in_setup or len(play.turns) < 6:
        play.act_unchecked(rng.choice(play.legal_actions()))
    strategist = room.handbook.strategists[name]
    turns = [strategist(play.position, play.history, Random(seed)) for seed in (4, 4, 5)]
    assert turns[0] == turns[1]
    for turn in turns:
        ahead = play.copy()
        ahead.follow(ahead.check(turn))
        assert len(ahead.turns) == len(play.turns) + 1


@pytest.mark.parametrize(
    "game", ["arimaa/official", "tzaar/open setup=placement", "corridor/corridor"]
)
def test_a_setup_brings_nothing_about(game: str) -> None:
    play = begun(game)
    assert play.room.view.effects(play.position, play.legal_actions()[:1]) == []
