"""The games to begin with: a beginner who means well wins them, and hears each sentence once."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from trine.core.clock import Limits
from trine.core.play import Play
from trine.core.text.sentence import Text
from trine.engine.players.stand_in import StandIn
from trine.games import first_games, start_position

GAMES = 20
WON = 14
"""Of them at least; a race of whoever means well is nearly always won."""
LONGEST = 50
"""Units: turns of the beginner."""


@cache
def played(name: str) -> tuple[tuple[Play, tuple[Text, ...]], ...]:
    """Games of a beginner who errs now and then against the gentlest level, with what was told."""
    room, first = first_games()[name]
    games = []
    for seed in range(GAMES):
        play = Play(room, start_position(room, first.rules, position=first.position))
        players = [StandIn(room, level, seed) for level in (3, 1)]
        told = []
        while not play.outcome and len(play.turns) < 2 * LONGEST:
            if play.mover == 0 and (line := first.line(play.turns, 0)):
                told.append(line)
            play.act_unchecked(*players[play.mover].choose(play.copy(), Limits()).actions)
        games.append((play, tuple(told)))
    return tuple(games)


@pytest.mark.parametrize("name", first_games())
def test_the_gentlest_level_loses_to_whoever_means_well(name: str) -> None:
    outcomes = [play.outcome for play, _ in played(name)]
    assert all(outcomes), "it comes to an end"
    assert sum(outcome is not None and outcome.winner == 0 for outcome in outcomes) >= WON


def test_stacks_are_won_more_often_than_not_by_whoever_taps_anywhere() -> None:
    room, first = first_games()["stacks"]
    won = 0
    for seed in range(GAMES):
        play = Play(room, start_position(room, first.rules, position=first.position))
        bot, rng = StandIn(room, 1, seed), Random(seed)
        while not play.outcome:
            if play.mover == 0:
                play.act(rng.choice(play.legal_actions()))
            else:
                play.act_unchecked(*bot.choose(play.copy(), Limits()).actions)
        won += play.outcome.winner == 0
    assert won > GAMES / 2


@pytest.mark.parametrize("name", first_games())
def test_each_sentence_is_told_in_some_game_and_never_twice(name: str) -> None:
    _, first = first_games()[name]
    told = [Counter(map(str, lines)) for _, lines in played(name)]
    assert all(game[str(first.task)] == 1 for game in told)
    assert max(count for game in told for count in game.values()) == 1
    heard = set().union(*told)
    # A jump is rare where pawns seldom meet.
    missed = {str(bubble.text) for bubble in first.bubbles} - heard
    assert len(missed) <= 1, missed
