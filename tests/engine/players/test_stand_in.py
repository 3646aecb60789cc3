"""A stand-in plays at once, legally, and with nothing compiled."""

import subprocess
import sys
from typing import Any

import pytest

from trine.core.clock import Limits
from trine.engine.players.stand_in import ERROR_RATES, StandIn, quick_advice
from trine.games import ROOMS, new_play, open_room

GAMES = pytest.mark.parametrize("game", ROOMS)


@GAMES
@pytest.mark.parametrize("level", ERROR_RATES)
def test_every_turn_is_whole_and_legal(game: str, level: int) -> None:
    room = open_room(game)
    assert StandIn.exists_for(room, level) and not StandIn.exists_for(room, 5)
    play, player = new_play(game), StandIn(room, level, seed=7)
    for _ in range(6):
        mover = play.mover
        play.follow(play.check(player.choose(play, Limits()).actions))
        assert play.outcome or play.mover != mover


@pytest.mark.parametrize("level", [min(ERROR_RATES), max(ERROR_RATES)])
def test_first_turns_are_sensible_where_a_game_begins_as_usual(level: int) -> None:
    for seed in range(4):
        play: Any = new_play("corridor")
        for _ in range(4):
            before, mover = play.position.distance(play.mover), play.mover
            play.follow(play.check(StandIn(play.room, level, seed).choose(play, Limits()).actions))
            assert play.position.distance(mover) <= before
        play = new_play("arimaa")
        for _ in range(4):
            play.follow(play.check(StandIn(play.room, level, seed).choose(play, Limits()).actions))
        assert sum(map(str.isalpha, play.position.board)) == 32


@GAMES
def test_a_hint_at_once_can_be_played(game: str) -> None:
    play = new_play(game)
    decision, told = quick_advice(play)
    assert str(told[0]).startswith("hint: ")
    play.follow(play.check(decision.actions))


@GAMES
def test_nothing_is_compiled_for_it(game: str) -> None:
    code = (
        "import sys, time\n"
        "from trine.core.clock import Limits\n"
        "from trine.engine.players.stand_in import StandIn\n"
        "from trine.games import new_play, open_room\n"
        f"play = new_play({game!r})\n"
        "for _ in range(4):\n"
        "    for action in StandIn(play.room, 1).choose(play, Limits()).actions: play.act(action)\n"
        "assert 'numba' not in sys.modules\n"
        "assert time.process_time() < 30\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
