"""The referee beyond the vectors: counts, numbers of turns, results, warnings, properties."""

import random
from collections.abc import Iterator

import pytest

from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError
from trine.games.tzaar.board import ARMY_SIZE, BLACK, POINTS, SIDES, WHITE
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.notation import parse_action
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import PASS, RULE_SETS, Action, Capture, Placement, Stacking
from trine.games.tzaar.starts import start

EVERY_ACTION: tuple[Action, ...] = (
    PASS,
    *(Placement(kind, point) for kind in "TYZ" for point in POINTS),
    *(action(one, other) for action in (Capture, Stacking) for one in POINTS for other in POINTS),
)
"""All that can be said, sense or nonsense."""
BEGINNINGS = [
    (rules, options)
    for rules in RULE_SETS
    for options in ({}, {"Setup": "placement"}, {"Setup": "random", "Seed": "11"})
]


def random_play(rules: str, options: dict[str, str], seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    position = start(rules, options)
    yield position
    while actions := position.legal_actions():
        position = position.play_unchecked(rng.choice(actions))
        yield position


def line(position: Position, words: str) -> Position:
    for word in words.split():
        position = position.play(parse_action(word))
    return position


def test_the_first_turn_is_one_capture_in_official_only() -> None:
    official, two = start("official", {}), start("open", {})
    assert line(official, "a5xa4").mover == BLACK
    assert line(two, "a5xa4").mover == WHITE
    assert line(two, "a5xa4 -").mover == BLACK
    assert line(official, "a5xa4 a3xa4 - b1xa1").mover == WHITE


def test_a_round_has_one_number() -> None:
    position = start("official", {})
    assert (position.number, position.turn_open) == (1, False)
    position = line(position, "a5xa4")
    assert (position.number, position.turn_open) == (1, False)
    position = line(position, "a3xa4")
    assert (position.number, position.turn_open) == (1, True)
    position = line(position, "-")
    assert (position.number, position.mover) == (2, WHITE)


def test_sixty_placements_are_thirty_rounds() -> None:
    for rules, stage in (("official", Stage.FIRST), ("open", Stage.ONE)):
        positions = list(random_play(rules, {"Setup": "placement"}, 5))
        for index, position in enumerate(positions[:60]):
            assert position.in_setup
            assert (position.number, position.mover) == (1 + index // 2, index % 2)
            assert sum(position.hand(position.mover)) == ARMY_SIZE - index // 2
        filled = positions[60]
        assert (filled.number, filled.mover, filled.stage) == (31, WHITE, stage)
        assert [filled.shown(side) for side in SIDES] == [(15, 9, 6), (15, 9, 6)]
        assert filled.hand(WHITE) == filled.hand(BLACK) == (0, 0, 0)
        assert not filled.in_setup


@pytest.mark.parametrize(("rules", "options"), BEGINNINGS)
def test_what_is_legal_is_never_refused_and_the_rest_always(
    rules: str, options: dict[str, str]
) -> None:
    positions = list(random_play(rules, options, 3))
    for position in [*positions[:3], *positions[40::12], positions[-1]]:
        legal = position.legal_actions()
        allowed = [action for action in EVERY_ACTION if position.why_not(action) is None]
        assert set(allowed) == set(legal)
        assert len(allowed) == len(legal)


@pytest.mark.parametrize(("rules", "options"), BEGINNINGS)
def test_a_play_ends_when_no_action_is_left_and_never_in_a_draw(
    rules: str, options: dict[str, str]
) -> None:
    for seed in range(10):
        *before, last = random_play(rules, options, seed)
        assert all(position.outcome() is None for position in before)
        outcome = last.outcome()
        assert outcome is not None
        assert outcome.winner in SIDES
        if outcome.reason is Reason.NO_CAPTURE:
            assert outcome.winner == 1 - last.mover
            assert not last.turn_open


@pytest.mark.parametrize(("rules", "options"), BEGINNINGS)
def test_pieces_leave_by_captures_only(rules: str, options: dict[str, str]) -> None:
    position = start(rules, options)
    rng = random.Random(9)
    while actions := position.legal_actions():
        action = rng.choice(actions)
        after = position.play_unchecked(action)
        change = sum(after.heights) - sum(position.heights)
        if isinstance(action, Capture):
            assert change == -position.heights[action.target]
        else:
            assert change == isinstance(action, Placement)
        position = after


def test_colours_changed_over_nothing_else_changes() -> None:
    for position in random_play("open", {"Setup": "random", "Seed": "4"}, 8):
        tops, mover = position.tops.swapcase(), 1 - position.mover
        changed = Position(position.rules, tops, position.heights, mover, position.stage)
        assert changed.legal_actions() == position.legal_actions()
        outcome = position.outcome()
        expected = outcome and Outcome(1 - (outcome.winner or 0), outcome.reason)
        assert changed.outcome() == expected


def test_positions_are_values_and_the_number_does_not_tell_them_apart() -> None:
    text = "open Ty.../.Z..../......./......../....*..../......../......./.t..../.z..Y white 2"
    one, other = parse_position(text), parse_position(text)
    assert one == other
    assert hash(one) == hash(other)
    later = Position(one.rules, one.tops, one.heights, one.mover, one.stage, 7)
    assert later == one
    assert later != line(one, "-")


def test_extinction_ends_the_play_in_the_middle_of_a_turn() -> None:
    text = "open Tz.../.Z..../......./......../....*..../......../......./.t..../.y..Y white 1"
    position = line(parse_position(text), "a1xa2")
    assert position.turn_open
    assert position.outcome() == Outcome(WHITE, Reason.EXTINCTION)
    assert position.legal_actions() == ()


def test_who_hides_the_last_of_a_kind_is_warned_and_loses() -> None:
    text = "open TZ.../.Y..../......./......../....*..../......../......./.t..../zyy.T white 2"
    position = parse_position(text)
    warning = position.warning(parse_action("a1+a2"))
    assert str(warning) == "a1+a2 covers your last Tzaar in sight: you would lose at once"
    assert line(position, "a1+a2").outcome() == Outcome(BLACK, Reason.EXTINCTION)
    assert position.warning(parse_action("a2+a1")) is None  # another Tott is in sight
    assert position.warning(PASS) is None


def test_a_warning_is_given_exactly_where_a_legal_action_loses_at_once() -> None:
    warned = 0
    for seed in range(30):
        for position in random_play("open", {}, seed):
            for action in position.legal_actions():
                outcome = position.play_unchecked(action).outcome()
                loses = outcome == Outcome(1 - position.mover, Reason.EXTINCTION)
                assert (position.warning(action) is not None) == loses
                warned += loses
    assert warned


def test_play_refuses_and_names_the_rule() -> None:
    with pytest.raises(IllegalError, match="very first turn is one capture"):
        start("official", {}).play(PASS)
