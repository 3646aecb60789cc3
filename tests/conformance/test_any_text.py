"""Whatever is typed or pasted in any game is read, or refused in words."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.test_rooms import begun
from trine.core.contract.position import NO_HISTORY
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.games import ROOMS

STARTS = {
    "arimaa": ["arimaa/official", "arimaa/diagonal"],
    "tzaar": ["tzaar/official setup=fixed", "tzaar/open setup=placement"],
    "corridor": ["corridor/quoridor", "corridor/quoridor players=4", "corridor/great-wall"],
}
each_game = pytest.mark.parametrize("game", ROOMS)


def some_play(game: str, rng: random.Random) -> Play:
    play = begun(rng.choice(STARTS[game]))
    for _ in range(rng.choice((0, 3, 40))):
        if not play.outcome:
            play.act_unchecked(rng.choice(play.legal_actions()))
    return play


@each_game
@given(st.randoms(use_true_random=False), st.text(max_size=20), st.data())
def test_any_line_is_actions_or_a_clear_error(
    game: str, rng: random.Random, line: str, data: st.DataObject
) -> None:
    play = some_play(game, rng)
    letters = {*"aE1 ,;-\x00é", *"".join(map(str, play.legal_actions()))}
    for words in (line, data.draw(st.text(st.sampled_from(sorted(letters)), max_size=40))):
        try:
            assert play.room.rules.interpret(play.position, words, NO_HISTORY)
        except TrineError as error:
            assert str(error).strip()


@each_game
@given(st.randoms(use_true_random=False), st.text(max_size=80), st.data())
def test_any_text_is_a_position_or_a_clear_error(
    game: str, rng: random.Random, nonsense: str, data: st.DataObject
) -> None:
    rules = some_play(game, rng).room.rules
    written = rules.format_position(some_play(game, rng).position)
    like = data.draw(st.text(st.sampled_from(sorted({*written})), max_size=60))
    at = rng.randrange(len(written))
    for words in (nonsense, like, *(written[:at] + one + written[at:] for one in (nonsense, like))):
        try:
            position = rules.parse_position(words, "")
        except TrineError as error:
            assert str(error).strip()
        else:
            assert rules.parse_position(rules.format_position(position), "") == position
