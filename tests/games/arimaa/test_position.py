"""The referee beyond the vectors: results, repetition, handicaps, values."""

from __future__ import annotations

import pytest

from trine.core.contract.position import History, Outcome, Reason
from trine.core.errors import TrineError
from trine.games import new_play, open_room
from trine.games.arimaa.board import GOLD, SILVER
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.position import Position, turn_results
from trine.games.arimaa.rules import END, RULE_SETS, STEPS
from trine.games.arimaa.starts import count_setups

OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"


def test_positions_are_values() -> None:
    start = parse_position(OPENING)
    one, other = start, start
    for square, direction in ((8, "n"), (15, "n")):
        one = one.play(STEPS["D", square, direction])
    for square, direction in ((15, "n"), (8, "n")):
        other = other.play(STEPS["D", square, direction])
    assert one == other
    assert hash(one) == hash(other)
    assert one != start


def test_the_turn_number_does_not_tell_positions_apart() -> None:
    assert parse_position(OPENING) == parse_position(OPENING.replace("2g", "9g"))


def test_a_push_and_a_pull_can_be_the_same_step() -> None:
    # After Ee4n the rabbit's step to e4 completes the elephant's pull, or begins a push, which the
    # elephant itself can complete over the corner; only the next step decides.
    position = parse_position("2g 7e/7r/8/5M2/4Er2/8/6d1/R7", RULE_SETS["diagonal"])
    position = position.play(STEPS["E", 28, "n"])
    position = position.play(STEPS["r", 29, "w"])
    assert position.push is not None
    assert not position.push.due
    assert position.may_end()
    assert STEPS["E", 36, "se"] in position.legal_actions()


def test_a_draw_when_the_last_rabbits_go() -> None:
    position = parse_position("2g e7/m7/8/8/8/3rER2/8/7M", RULE_SETS["classic"])
    play = new_play("arimaa/classic", position="2g e7/m7/8/8/8/3rER2/8/7M")
    play.enter("rd3w Ee3w end")
    assert play.outcome == Outcome(None, Reason.ELIMINATION)
    assert position.outcome() is None


def test_a_side_without_pieces_to_move_has_lost() -> None:
    position = parse_position("2s 2M5/8/8/8/6Er/R7/DR6/eCR5")
    assert position.legal_actions() == ()
    assert turn_results(position) == {}
    assert position.outcome() == Outcome(GOLD, Reason.IMMOBILIZATION)


def test_an_open_turn_has_no_result() -> None:
    position = parse_position("2g 8/R7/8/8/8/8/r7/8")
    assert position.play(STEPS["R", 48, "n"]).outcome() is None


def test_goal_of_the_player_who_moved_comes_first() -> None:
    both = "R7/8/8/8/8/8/8/r7"
    assert parse_position(f"2s {both}").outcome() == Outcome(GOLD, Reason.GOAL)
    assert parse_position(f"2g {both}").outcome() == Outcome(SILVER, Reason.GOAL)


def test_repetition_costs_nothing_until_something_has_stood_twice() -> None:
    """The rare case is decided only where it can arise: then by trying turns, else not at all."""
    calls = 0

    class Counting(Position):
        def can_be_completed(self, history: History) -> bool:
            nonlocal calls
            calls += 1
            return super().can_be_completed(history)

    start = parse_position(OPENING)
    counting = Counting.of(start.rules, start.board, start.mover)
    counting.outcome(History([counting.key]))
    counting.legal_actions(History([counting.key]))
    assert calls == 0
    counting.outcome(History([counting.key, counting.key]))
    assert calls == 2  # before the turn, and after its first step


@pytest.mark.parametrize(
    ("rules", "position", "steps", "told"),
    [
        ("official", "2g 8/8/8/8/8/8/4rE2/R7", "re2s Ef2w", "the rabbit on e1 would stand on its goal: Silver would win"),
        ("official", "2g 8/7r/8/8/8/2R5/2C5/4E3", "Ee1n", None),
        ("official", "2g 8/7r/8/8/8/2R5/2C5/4E3", "Cc2w", "you would have no rabbit left: Silver would win"),
        ("diagonal", "2g 8/7r/8/8/8/2R5/2C5/4E3", "Cc2w", None),
        ("classic", "2g e7/m7/8/8/8/3rER2/8/7M", "rd3w Ee3w", "neither side would have a rabbit left: a draw"),
        ("official", "2g e7/m7/8/8/8/3rER2/8/7M", "rd3w Ee3w", None),
        ("official", "2g 8/R7/8/8/8/8/7r/4E3", "Ra7n", None),
    ],
)  # fmt: skip
def test_an_end_of_a_turn_that_does_not_win_is_warned_of(
    rules: str, position: str, steps: str, told: str | None
) -> None:
    play = new_play(f"arimaa/{rules}", position=position)
    for step in play.interpret(steps):
        assert play.position.warning(step, play.history) is None
        play.act(step)
    warning = play.position.warning(END, play.history)
    assert (warning and str(warning)) == told
    play.act(END)
    lost = play.outcome is not None and play.outcome.winner != GOLD
    assert lost == (told is not None)


@pytest.mark.parametrize(("rules", "loses"), [("classic", True), ("diagonal", False)])
def test_a_third_standing_is_warned_of_where_it_loses(rules: str, loses: bool) -> None:
    play = new_play(f"arimaa/{rules}", position="2g e7/8/8/8/8/r7/8/R6E")
    for turn in ["Eh1n", "ea8s", "Eh2s", "ea7n", "Eh1n", "ea8s", "Eh2s"]:
        play.enter(turn)
        assert play.position.warning(END, play.history) is None
        play.enter("end")
    play.enter("ea7n")
    warning = play.position.warning(END, play.history)
    assert ("for the third time" in str(warning)) == loses
    assert play.history.times(play.start.key) == 2  # only asked
    play.enter("end")
    assert play.outcome == (Outcome(GOLD, Reason.REPETITION) if loses else None)


def test_a_handicap_leaves_pieces_out() -> None:
    play = new_play("arimaa", handicap="gold:camel,dog")
    play.enter("setup 99of9")
    play.enter("end")
    play.enter("setup 99of9")
    play.enter("end")
    assert sum(piece.isupper() for piece in play.position.board) == 14  # type: ignore[attr-defined]
    assert play.turn_tag == "2g"


def test_whole_turns_go_on_from_an_open_one() -> None:
    position = parse_position(OPENING).play(STEPS["D", 8, "n"])
    results = turn_results(position)
    assert () in results.values()
    assert all(len(turn) <= 3 for turn in results.values())


def test_the_eighth_rabbit_wins_where_the_players_have_agreed_on_it() -> None:
    for competition, outcome in (("no", None), ("yes", Outcome(0, Reason.ELIMINATION))):
        words = "2g 7h/8/8/2r5/2M5/8/8/R6R" + " competition" * (competition == "yes")
        play = new_play("arimaa/classic", words)
        play.enter("c5n c4n end")
        assert play.outcome == outcome
        assert new_play("arimaa/classic", competition=competition).start.rules is (play.start.rules)
        assert open_room("arimaa").rules.format_position(play.start) == words
    for asked, why in (("yes", "only classic has a rule"), ("perhaps", "answer yes or no")):
        with pytest.raises(TrineError, match=why):
            new_play("arimaa/official", competition=asked)
    with pytest.raises(TrineError, match="only classic has a rule"):
        new_play("arimaa/official", "2g 7h/8/8/2r5/2M5/8/8/R6R competition")


def test_a_repetition_still_loses_in_a_competition() -> None:
    play = new_play("arimaa/classic", "2g e7/r7/8/8/8/8/R7/7E competition")
    for turn in ["h1n end", "a8e end", "h2s end", "b8w end"] * 2:
        if not play.outcome:
            play.enter(turn)
    assert play.outcome == Outcome(0, Reason.REPETITION)


def test_the_diagram_of_two_documents_can_be_asked_for_by_name() -> None:
    for rules in ("classic", "diagonal"):
        play = new_play(f"arimaa/{rules}", "diagram")
        play.enter("a7n a6n b7n end")
        assert play.outcome == Outcome(0, Reason.GOAL)


def test_setups_are_counted_without_looking_at_each() -> None:
    for handicap, expected in (
        ("", 64_864_800),
        ("gold:elephant", 64_864_800),  # the empty square takes its place
        ("gold:rabbit", 64_864_800 * 8),
    ):
        options = {"handicap": handicap} if handicap else {}
        start = new_play("arimaa/official", **options).start
        assert isinstance(start, Position)
        assert count_setups(start) == expected
