"""Beginnings: players and size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.contract.position import Outcome, Reason
from trine.core.errors import TrineError
from trine.games import new_play
from trine.games.corridor.diagrams import format_position, parse_position
from trine.games.corridor.rules import RULE_SETS
from trine.games.corridor.starts import OPTIONS, settle, start, start_tags

PLAYERS, SIZE, WALLS, DRAWN, REPETITION = OPTIONS


@pytest.mark.parametrize(
    ("rules", "options", "position"),
    [
        ("quoridor", {}, "quoridor 9 2 e1,e9 - 10,10 1"),
        ("quoridor", {"Players": "4"}, "quoridor 9 4 e1,a5,e9,i5 - 5,5,5,5 1"),
        ("quoridor", {"Size": "8"}, "quoridor 8 2 d1,e8 - 10,10 1"),
        ("quoridor", {"Size": "8", "Players": "4"}, "quoridor 8 4 d1,a5,e8,h4 - 5,5,5,5 1"),
        ("corridor", {"Drawn": "caught"}, "corridor 9 2 ?,? - 10,10 1 caught"),
        ("corridor", {"Size": "19"}, "corridor 19 2 ?,? - 10,10 1"),
        ("corridor-8", {}, "corridor-8 9 2 ?,? - 8,8 1"),
        ("corridor-8", {"Size": "13"}, "corridor-8 13 2 ?,? - 12,12 1"),
        ("corridor", {"Players": "4"}, "corridor 9 4 ?,?,?,? - 10,10,10,10 1"),
        ("great-wall", {"Players": "3"}, "great-wall 9 3 ?,?,? - *,*,* 1"),
        ("quoridor", {"Walls": "7"}, "quoridor 9 2 e1,e9 - 7,7 1"),
        ("quoridor", {"Players": "4", "Walls": "5,5,0,4"}, "quoridor 9 4 e1,a5,e9,i5 - 5,5,0,4 1"),
        ("corridor", {"Walls": "7,10"}, "corridor 9 2 ?,? - 7,10 1"),
        ("quoridor", {"Players": "3"}, "quoridor 9 3 e1,a5,e9 - 6,6,6 1"),
        ("quoridor", {"Players": "4", "Walls": "10"}, "quoridor 9 4 e1,a5,e9,i5 - 10,10,10,10 1"),
        ("quoridor", {"Size": "11", "Walls": "15"}, "quoridor 11 2 f1,f11 - 15,15 1"),
        ("quoridor", {"Repetition": "free"}, "quoridor 9 2 e1,e9 - 10,10 1 free"),
    ],
)
def test_where_a_play_begins(rules: str, options: dict[str, str], position: str) -> None:
    assert format_position(start(rules, options)) == position
    assert start_tags(start(rules, options)) == options
    assert settle(rules, options) == options
    assert start_tags(parse_position(position)) == options


def test_what_is_usual_is_not_written_down() -> None:
    assert settle("great-wall", {"Players": "2", "Size": "9"}) == {}
    assert settle("quoridor", {"Walls": "10,10"}) == {}


def test_any_other_beginning_is_a_position() -> None:
    text = "corridor 9 2 e1,e9 - 10,10 1"
    assert start_tags(parse_position(text)) == {"Start": text}


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("quoridor", {"Players": "5"}),
        ("corridor", {"Players": "5"}),
        ("great-wall", {"Players": "5"}),
        ("great-wall", {"Players": "two"}),
        ("great-wall", {"Players": ""}),
        ("quoridor", {"Size": "2"}),
        ("quoridor", {"Size": "20"}),
        ("quoridor", {"Size": "9x9"}),
        ("quoridor", {"Size": "-9"}),
        ("quoridor", {"Size": "09"}),
        ("quoridor", {"Size": "９"}),
        ("quoridor", {"Walls": "32"}),
        ("quoridor", {"Walls": "10,32"}),
        ("quoridor", {"Walls": "5,5,5"}),
        ("quoridor", {"Walls": "-1"}),
        ("quoridor", {"Walls": "many"}),
        ("great-wall", {"Walls": "7"}),
    ],
)
def test_a_beginning_that_cannot_be_is_refused(rules: str, options: dict[str, str]) -> None:
    with pytest.raises(TrineError):
        settle(rules, options)


@given(st.sampled_from(sorted(RULE_SETS)), st.integers(3, 19), st.data())
def test_settled_options_lead_to_the_same_position(
    rules: str, size: int, data: st.DataObject
) -> None:
    players = data.draw(st.sampled_from(RULE_SETS[rules].players))
    options = {"Players": str(players), "Size": str(size)}
    settled = settle(rules, options)
    assert start(rules, settled) == start(rules, options)
    assert settle(rules, settled) == settled


def test_players_are_asked_for() -> None:
    for rules in RULE_SETS:
        question, _ = PLAYERS.ask(rules, {}) or ("", "")
        assert "2, 3, 4" in str(question)


def test_walls_are_offered_where_they_are_counted() -> None:
    assert [rules for rules in RULE_SETS if WALLS.choices(rules) == ()] == ["great-wall"]


def test_the_size_is_always_asked_for() -> None:
    for rules in RULE_SETS:
        question, usual = SIZE.ask(rules, {}) or ("", "")
        assert ("3 to 19" in str(question), usual) == (True, "9")


def test_how_a_game_is_drawn_is_offered_where_pawns_can_be_caught() -> None:
    assert [rules for rules in RULE_SETS if DRAWN.choices(rules) == ()] == ["quoridor"]
    for drawn, why in (("often", "not one of usual, caught"), ("caught", "no pawn can be caught")):
        with pytest.raises(TrineError, match=why):
            start("quoridor", {"Drawn": drawn})


def test_repetition_ends_nothing_where_that_is_agreed() -> None:
    assert [rules for rules in RULE_SETS if REPETITION.choices(rules)] == ["quoridor"]
    for repetition, reason in (("draws", Reason.REPETITION), ("free", None)):
        play = new_play("corridor", repetition=repetition)
        for word in ["e2", "e8", "e1", "e9"] * 3:
            if not play.outcome:
                play.enter(word)
        assert (play.outcome.reason if play.outcome else None) is reason
    with pytest.raises(TrineError, match="in corridor"):
        start("corridor", {"Repetition": "free"})


def test_only_that_all_are_caught_draws_where_that_is_agreed() -> None:
    going_round = ["e2", "e8", "e1", "e9"] * 5
    for drawn, reason in (("usual", Reason.REPETITION), ("caught", None)):
        play = new_play("corridor/corridor", drawn=drawn)
        play.enter("@e1 @e9")
        for word in going_round:
            if not play.outcome:
                play.enter(word)
        assert (play.outcome.reason if play.outcome else None) is reason
    caught = "corridor 9 2 c3,e6 b3v,c2h,c3h,c3v,d6v,e5h,e6v 4,4 1 caught"
    last = new_play("corridor", caught)
    last.enter("e6h")
    assert last.outcome == Outcome(None, Reason.TRAPPED)
