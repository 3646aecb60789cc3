"""Insight says exactly what can be done: compared with trying every turn."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.contract.position import Outcome, Reason
from trine.core.contract.room import short_turns
from trine.games.tzaar.board import EMPTY, PIECES, POINT_NAMES, POINTS, SIDE, SIDES
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import RULE_SETS, Capture, missing_kind
from trine.games.tzaar.starts import start
from trine.games.tzaar.view.insight import MAX_NAMED_CAPTURES, insight, status, threats_of

DUEL = "...../.Y..../...Z2T../......../....*..../.....z../......./.y..../t3...."


def few_stacks(seed: int) -> Position:
    rng = random.Random(seed)
    letters = "TYZtyz" + "".join(rng.choices("TYZtyz", k=rng.randrange(9)))
    points = rng.sample(POINTS, len(letters))
    tops, heights = [EMPTY] * len(POINTS), [0] * len(POINTS)
    for point, letter in zip(points, letters, strict=True):
        tops[point], heights[point] = letter, rng.choice((1, 1, 1, 2, 2, 3))
    rules = RULE_SETS[rng.choice(sorted(RULE_SETS))]
    stage = rng.choice((Stage.ONE, Stage.ONE, Stage.TWO, Stage.FIRST))
    mover = rng.choice(SIDES)
    if stage is Stage.FIRST:
        rules, mover = RULE_SETS["official"], 0
    return Position(rules, "".join(tops), tuple(heights), mover, stage)


def as_if_to_move(position: Position, side: int) -> Position:
    """The position itself, or with the other side at the beginning of a turn."""
    if position.mover == side:
        return position
    return Position(position.rules, position.tops, position.heights, side, Stage.ONE)


def wins_by_trying(position: Position, side: int) -> tuple[dict[str, int], int | None]:
    """From every single turn: the kinds that it wipes out, the turns that leave no capture.

    Returns: the length of a shortest turn for each.
    """
    extinction: dict[str, int] = {}
    silent: int | None = None
    start = as_if_to_move(position, side)
    for turn in short_turns(start):
        after = played(start, turn)
        if after.outcome() == Outcome(side, Reason.EXTINCTION):
            kind = missing_kind(after.tops, 1 - side)
            extinction[kind] = min(len(turn), extinction.get(kind, 9))
        elif after.outcome() == Outcome(side, Reason.NO_CAPTURE):
            silent = min(len(turn), silent or 9)
    return extinction, silent


def played(position: Position, turn: Iterable[Any]) -> Position:
    for action in turn:
        position = position.play(action)
    return position


def check_threats(position: Position) -> Iterator[str]:
    """Compare what both sides threaten with trying; yields the ways to win."""
    for side in SIDES:
        threats = threats_of(position, side)
        extinction, silent = wins_by_trying(position, side)
        assert {kind: len(turn) for kind, turn in threats.extinction.items()} == extinction
        assert (threats.no_capture and len(threats.no_capture)) == silent
        begun = as_if_to_move(position, side)
        for kind, turn in threats.extinction.items():
            after = played(begun, turn)
            assert after.outcome() == Outcome(side, Reason.EXTINCTION)
            assert missing_kind(after.tops, 1 - side) == kind
            yield f"{len(turn)} for a kind"
        if threats.no_capture:
            after = played(begun, threats.no_capture)
            assert after.outcome() == Outcome(side, Reason.NO_CAPTURE)
            yield f"no capture after {type(threats.no_capture[-1]).__name__}"


@given(st.integers(0, 2**32))
def test_threats_are_those_that_trying_every_turn_finds(seed: int) -> None:
    list(check_threats(few_stacks(seed)))


def test_every_way_to_win_is_found_somewhere() -> None:
    ways = {way for seed in range(300) for way in check_threats(few_stacks(seed))}
    silent = {f"no capture after {action}" for action in ("Capture", "Stacking", "Pass")}
    assert ways == {"1 for a kind", "2 for a kind"} | silent


@pytest.mark.parametrize("seed", range(2))
def test_threats_are_exact_all_through_a_play(seed: int) -> None:
    rng = random.Random(seed)
    position = start(rng.choice(sorted(RULE_SETS)), {"Setup": "random", "Seed": str(seed)})
    for _ in range(20):  # so that there are fewer turns to try
        position = position.play(rng.choice(position.legal_actions()))
        if position.outcome():
            return
    while not position.outcome():
        list(check_threats(position))
        for _ in range(3):
            if actions := position.legal_actions():
                position = position.play(rng.choice(actions))
    assert threats_of(position, 0) == threats_of(position, 1) == type(threats_of(position, 0))()


@given(st.integers(0, 2**32))
def test_stacks_are_safe_exactly_if_no_capture_takes_them(seed: int) -> None:
    position = few_stacks(seed)
    seen = insight(position)
    taken: set[int] = set()
    for side in SIDES:
        actions = as_if_to_move(position, side).legal_actions()
        captures = {action for action in actions if isinstance(action, Capture)}
        assert set(seen.captures[side]) == captures
        taken |= {capture.target for capture in captures}
    stacks = {point for point in POINTS if position.tops[point] != EMPTY}
    assert set(seen.safe) == stacks - taken
    assert set(seen.towering) <= set(seen.safe)
    for point in stacks:
        enemies = [
            position.heights[other]
            for other in stacks
            if SIDE[position.tops[other]] != SIDE[position.tops[point]]
        ]
        assert (point in seen.towering) == all(
            height < position.heights[point] for height in enemies
        )


@given(st.integers(0, 2**32))
def test_sole_stacks_are_those_whose_loss_ends_the_play(seed: int) -> None:
    position = few_stacks(seed)
    sole = insight(position).sole
    for point, top in enumerate(position.tops):
        if top != EMPTY:
            without = position.tops[:point] + EMPTY + position.tops[point + 1 :]
            assert (point in sole) == bool(missing_kind(without, SIDE[top]))


@given(st.integers(0, 2**32))
def test_marks_name_what_is_seen(seed: int) -> None:
    position = few_stacks(seed)
    seen = insight(position)
    marks = seen.marks()
    for mark, points in (("sole", seen.sole), ("safe", seen.safe), ("towering", seen.towering)):
        assert {name for name, roles in marks.items() if mark in roles} == {
            POINT_NAMES[point] for point in points
        }
    endangered = {
        PIECES[1 - side]["TYZ".index(kind)]
        for side in SIDES
        for kind in seen.threats[side].extinction
    }
    assert {name for name, roles in marks.items() if "capturable" in roles} == {
        POINT_NAMES[point] for point, top in enumerate(position.tops) if top in endangered
    }


def test_a_capture_that_opens_a_line_is_seen() -> None:
    """Only the stack on a1 is tall enough for the last Tzarra; the one on a2 must go first."""
    board = "T2Ty2../..t.../......./.......z/....*...t/......../......./....../YZ..."
    threats, _ = insight(parse_position(f"open {board} white 1")).threats
    (turn,) = threats.extinction.values()
    assert (*threats.extinction, *map(str, turn)) == ("Y", "a2xb3", "a1xa3")
    assert threats.no_capture is None


def test_a_stacking_that_loses_is_no_threat() -> None:
    position = parse_position(f"open {DUEL} black 2")
    assert "h2+i1" in map(str, position.legal_actions())
    (threat,) = insight(position).list_threats()
    assert (threat.player, threat.kind, threat.what) == (0, "extinction", "Z")
    assert "c4xf6 takes" in str(threat.text)


def test_few_captures_are_named_and_many_counted() -> None:
    few = [str(line) for line in insight(parse_position(f"open {DUEL} white 1")).sentences()]
    assert "White has only 1 capture now: c4xf6" in few
    assert "Black has no capture now; a player who begins a turn without one has lost" in few
    seen = insight(start("official", {}))
    many = [str(line) for line in seen.sentences()]
    assert len(seen.captures[0]) == 42 > MAX_NAMED_CAPTURES
    assert "White has 42 captures now" in many
    assert not {*many} & {str(line) for line in status(start("official", {}))}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_during_the_placement_there_are_only_counts(rules: str) -> None:
    position = start(rules, {"Setup": "placement"})
    for _ in range(59):
        seen = insight(position)
        assert seen.marks() == {}
        assert len(seen.sentences()) == 2
        assert threats_of(position, 1 - position.mover) == threats_of(position, position.mover)
        position = position.play(position.legal_actions()[0])
    assert [str(line) for line in insight(position).sentences()] == [
        "White in sight: 15 T, 9 Y, 6 Z",
        "Black in sight: 15 T, 9 Y, 5 Z",
    ]
