"""A game that is being played and its clock, in step; forfeits."""

from pathlib import Path

import pytest

from play.record.logs import BLITZ, turns_of
from playing import HANDICAP, NEAR_GOAL, HandClock, live, replayed, resumed, standing, terms
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError


def test_who_oversteps_loses_by_time(path: Path, now: HandClock) -> None:
    with live(path, terms(clock=BLITZ), now) as game:
        now.wait(75)
        assert game.time_left == 0
        assert not game.check_time()
        game.enter("d4n")
        now.wait(0.1)
        assert game.check_time()
        assert game.play.outcome == Outcome(1, Reason.TIME)
        assert not game.check_time()
        assert game.time_left == float("inf")
    assert turns_of(path) == '2g Ed4n lost\n[Result "Silver"]\n[Reason "time"]\n'
    assert replayed(path).outcome == Outcome(1, Reason.TIME)


def test_each_side_has_a_clock_of_its_own(path: Path, now: HandClock) -> None:
    with live(path, terms(clock=BLITZ), now) as game:
        now.wait(25)
        game.enter("d4n end")
        assert game.time_left == 75
        now.wait(7.24)
        game.enter("ra7s end")
        assert game.time_left == 65
        assert game.clock
        assert game.clock.reserves == (50, 68)
        now.wait(65.2)
        assert game.check_time()
        assert game.play.outcome == Outcome(1, Reason.TIME)


def test_the_setup_has_a_minute_of_its_own(path: Path, now: HandClock) -> None:
    with live(path, terms(clock="0:15/0", start="", handicap=HANDICAP), now) as game:
        now.wait(59)
        assert game.time_left == 1
        game.enter("Ra1 Rh1 Ee2")
        game.enter("end")
        assert game.time_left == 60
        game.enter("ra8 rh8 ee7")
        game.enter("end")
        assert game.time_left == 15


def test_without_a_clock_nobody_hurries(path: Path, now: HandClock) -> None:
    with live(path, terms(), now) as game:
        now.wait(10**6)
        assert game.time_left == float("inf")
        assert not game.check_time()
        game.enter("d4n end")
    assert turns_of(path) == "2g Ed4n {277:46:40}\n"


AHEAD = "2g r7/8/8/8/4e3/8/R7/R3E3"
"""Gold has a rabbit more."""


@pytest.mark.parametrize(("start", "winner"), [(AHEAD, 0), (AHEAD.replace("R3E3", "4E3"), 1)])
def test_the_board_is_scored_when_the_game_time_is_over(
    start: str, winner: int, path: Path
) -> None:
    now = HandClock()
    with live(path, terms(clock="5/5/100/0/0:02", start=start), now) as game:
        now.wait(60)
        game.enter("e1n end")
        now.wait(59)
        game.enter("e4n")
        assert not game.check_time()
        now.wait(1.1)
        assert game.check_time()
        assert game.play.outcome == Outcome(winner, Reason.SCORE)
        assert game.play.open_actions == ()
    result = ("Gold", "Silver")[winner]
    ending = f'2s ee4n undo \n[Result "{result}"]\n[Reason "score"]\n'
    assert turns_of(path).endswith(ending)
    assert replayed(path).outcome == Outcome(winner, Reason.SCORE)


def test_the_board_is_scored_when_the_turns_are_used_up(path: Path) -> None:
    with live(path, terms(clock="5/5/100/0/2t", start=AHEAD)) as game:
        for line in ("e1n end", "e4n end", "e2n end"):
            game.enter(line)
            assert game.play.outcome is None
        game.enter("e5n end")
        assert game.play.outcome == Outcome(0, Reason.SCORE)
    assert replayed(path).outcome == Outcome(0, Reason.SCORE)


def test_a_goal_counts_more_than_the_end_of_the_game_time(path: Path) -> None:
    with live(path, terms(clock="5/5/100/0/1t", start=NEAR_GOAL)) as game:
        game.enter("e1n end e4n end")
        assert game.play.outcome
        assert game.play.outcome.reason is Reason.SCORE
    with live(path.with_name("2.txt"), terms(clock="5/5/100/0/1t", start=NEAR_GOAL)) as game:
        game.enter("e1n end h2s end")
        assert game.play.outcome == Outcome(1, Reason.GOAL)


def test_a_turn_that_was_taken_back_does_not_use_up_the_turns(path: Path) -> None:
    with live(path, terms(clock="5/5/100/0/2t", start=AHEAD)) as game:
        for _ in range(3):
            game.enter("e1n end e4n end")
            if game.play.outcome:
                break
            game.take_back()
            game.take_back()
        assert game.play.outcome is None


def test_a_game_halted_before_any_turn_is_scored_from_its_start(path: Path, now: HandClock) -> None:
    with live(path, terms(clock="5/5/100/0/0:02", start=AHEAD), now) as game:
        now.wait(121)
        assert game.check_time()
        assert game.play.outcome == Outcome(0, Reason.SCORE)


def test_who_forfeits_has_lost_and_the_record_says_why(path: Path) -> None:
    with live(path, terms()) as game:
        game.enter("d4n end")
        game.forfeit("it is {silent}")
        assert game.play.outcome == Outcome(0, Reason.FORFEIT)
        with pytest.raises(IllegalError):
            game.forfeit("again")
    assert (
        '\n2s {Silver forfeits: it is (silent)} \n[Result "Gold"]\n[Reason "forfeit"]\n'
        in path.read_text()
    )
    with resumed(path) as (again, damage):
        assert damage is None
        assert standing(again.play) == standing(replayed(path))


def test_an_open_turn_is_taken_back_before_a_forfeit(path: Path) -> None:
    with live(path, terms()) as game:
        game.enter("d4n")
        game.forfeit("gone")
        assert game.play.open_actions == ()
    assert replayed(path).outcome == Outcome(1, Reason.FORFEIT)
