import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playing import ARIMAA, NEAR_GOAL, random_play, standing
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Play
from trine.games import new_play


def duel() -> Play:
    return random_play(0, 0)


@given(st.integers(0, 1000), st.integers(0, 60))
def test_taking_back_undoes_every_turn_with_its_repetitions(seed: int, doings: int) -> None:
    rng, play = random.Random(seed), duel()
    begun = {0: standing(play)}
    for _ in range(doings):
        if not (actions := play.legal_actions()):
            break
        play.act(rng.choice(actions))
        if not play.open_actions:
            begun[len(play.turns)] = standing(play)
    while play.turns:
        play.take_back()
        assert standing(play) == begun[len(play.turns)]


@given(st.integers(0, 1000), st.integers(1, 40))
def test_undo_gives_back_the_last_action_only(seed: int, doings: int) -> None:
    play = random_play(seed, doings)
    for action in reversed(play.open_actions):
        before = play.open_actions
        assert play.undo() == action
        assert play.open_actions == before[:-1]
    assert play.position == play.turn_start
    with pytest.raises(IllegalError, match="no action"):
        play.undo()


@given(st.integers(0, 1000), st.integers(0, 60))
def test_an_action_is_legal_where_nothing_says_why_not(seed: int, doings: int) -> None:
    play, rng = random_play(seed, doings), random.Random(seed)
    legal = set(play.legal_actions())
    assert all(play.why_not(action) is None for action in legal)
    other = rng.choice(
        random_play(seed + 1, doings).position.legal_actions() or (ARIMAA.rules.end,)
    )
    assert (play.why_not(other) is None) == (other in legal)


def test_an_illegal_action_changes_nothing_and_names_the_rule() -> None:
    play = duel()
    before = standing(play)
    with pytest.raises(IllegalError, match="at least one step"):
        play.act(ARIMAA.rules.end)
    with pytest.raises(IllegalError, match="backward"):
        play.enter("Ed4n a2s")
    with pytest.raises(MalformedError):
        play.enter("Ed4n 😀")
    assert standing(play) == before


def test_a_turn_knows_its_number_and_player() -> None:
    play = duel()
    play.enter("Ed4n end ra7s end")
    assert [(turn.number, turn.player) for turn in play.turns] == [(2, 0), (2, 1)]
    assert (play.turn_tag, play.mover) == ("3g", 0)


def test_the_start_of_the_open_turn_is_known() -> None:
    play = duel()
    start = play.position
    play.enter("Ed4n")
    assert play.turn_start == start != play.position
    play.enter("end")
    assert play.turn_start == play.position


def test_nothing_follows_the_end_of_a_play() -> None:
    play = new_play("arimaa", position=NEAR_GOAL)
    play.enter("a7n end")
    assert play.outcome == Outcome(0, Reason.GOAL)
    assert play.legal_actions() == ()
    with pytest.raises(IllegalError, match="over: goal"):
        play.enter("h2s")
    with pytest.raises(IllegalError, match="over: goal"):
        play.act(ARIMAA.rules.end)
    with pytest.raises(IllegalError, match="over: goal"):
        play.conclude(Outcome(1, Reason.RESIGNATION))


def test_a_line_that_goes_on_behind_the_end_is_refused_as_a_whole() -> None:
    play = new_play("arimaa", position=NEAR_GOAL)
    before = standing(play)
    with pytest.raises(IllegalError, match="over: goal"):
        play.enter("a7n end h2s")
    assert standing(play) == before
    play.enter("a7n end")
    assert play.outcome == Outcome(0, Reason.GOAL)


def test_a_line_may_hold_turns_of_both_players() -> None:
    play = duel()
    play.enter("d4n end ra7s end a2n")
    assert (play.turn_tag, len(play.turns), len(play.open_actions)) == ("3g", 2, 1)


def test_a_play_that_is_over_can_be_taken_back() -> None:
    play = new_play("arimaa", position=NEAR_GOAL)
    before = standing(play)
    play.enter("a7n end")
    assert play.take_back().actions
    assert standing(play) == before
    with pytest.raises(IllegalError, match="no turn to take back"):
        play.take_back()


def test_taking_back_drops_the_open_turn_too() -> None:
    play = duel()
    play.enter("Ed4n end ra7s")
    play.take_back()
    assert standing(play) == standing(duel())


def test_a_play_can_be_won_before_it_begins() -> None:
    play = new_play("arimaa", position="2g R7/8/8/8/4e3/8/7r/4E3")
    assert play.outcome == Outcome(0, Reason.GOAL)
    assert play.legal_actions() == ()


def test_a_play_is_ended_from_outside_once() -> None:
    play = duel()
    play.conclude(Outcome(1, Reason.RESIGNATION))
    with pytest.raises(IllegalError, match="over: resignation"):
        play.conclude(Outcome(None, Reason.AGREEMENT))
    assert play.outcome == Outcome(1, Reason.RESIGNATION)


def test_the_setup_never_counts_as_a_repetition() -> None:
    play = new_play("arimaa")
    play.enter("setup 99of9")
    play.enter("end")
    assert not play.history.repeated
    play.enter("setup 99of9")
    play.enter("end")
    assert play.history.times(play.position.key) == 1
