"""Insight says exactly what can be done: compared with trying every turn."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trine.games.arimaa.board import (
    EMPTY,
    GOAL_RANKS,
    OFF_BOARD,
    RABBITS,
    SIDE,
    SIDES,
    SQUARE_NAMES,
    TRAPS,
)
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.position import Position, legal_turns
from trine.games.arimaa.rules import RULE_SETS, is_supported
from trine.games.arimaa.view.insight import insight, threats_of


def few_pieces(seed: int) -> Position:
    rng = random.Random(seed)
    board = [EMPTY] * 64
    corner = [square for square in range(64) if square % 8 < 5 and square // 8 > 2]
    for letter in "ErR" + rng.choice(["md", "Hr", "Cd", "er"]):
        board[rng.choice(corner)] = letter
    letters = "".join(board)
    for trap in TRAPS:
        if letters[trap] != EMPTY and not is_supported(letters, trap):
            letters = letters[:trap] + EMPTY + letters[trap + 1 :]
    rules = RULE_SETS[rng.choice(sorted(RULE_SETS))]
    return Position.of(rules, letters, rng.choice(SIDES))


def threats_by_trying(position: Position, side: int) -> tuple[set[int], set[int], set[int]]:
    """The captures, dislodged pieces and goals of a side, from every single turn, following each piece by hand."""
    start = Position.of(position.rules, position.board, side)
    capture, dislodge, goal = set(), set(), set()
    for turn in legal_turns(start):
        origin_by_square = {square: square for square in range(64) if start.board[square] != EMPTY}
        at = start
        for step in turn:
            removed_on = at.removal(step)
            origin = origin_by_square.pop(step.origin)
            if step.target != OFF_BOARD:
                origin_by_square[step.target] = origin
            if removed_on != OFF_BOARD:
                del origin_by_square[removed_on]
            at = at.play_unchecked(step)
        there = {origin: square for square, origin in origin_by_square.items()}
        for square, piece in enumerate(start.board):
            if piece == EMPTY:
                continue
            if SIDE[piece] != side and square not in there:
                capture.add(square)
            elif SIDE[piece] != side and there[square] != square:
                dislodge.add(square)
            elif piece == RABBITS[side] and there.get(square) in GOAL_RANKS[side]:
                goal.add(square)
    return capture, dislodge, goal


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_threats_are_those_that_trying_every_turn_finds(seed: int) -> None:
    position = few_pieces(seed)
    for side in SIDES:
        threats = threats_of(position, side)
        found = set(threats.capture), set(threats.dislodge), set(threats.goal)
        assert found == threats_by_trying(position, side)


@given(st.integers(0, 2**32))
def test_every_threat_comes_with_a_legal_turn(seed: int) -> None:
    position = few_pieces(seed)
    for side in SIDES:
        threats = threats_of(position, side)
        for turns in (threats.capture, threats.dislodge, threats.goal):
            for turn in turns.values():
                at = Position.of(position.rules, position.board, side)
                for step in turn:
                    at = at.play(step)
                assert at.may_end()


def test_the_documents_examples_are_seen() -> None:
    board = "2s 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"
    seen = insight(parse_position(board))
    frozen = {
        SQUARE_NAMES[one]: list(map(SQUARE_NAMES.__getitem__, by))
        for one, by in seen.frozen.items()
    }
    assert frozen["a7"] == ["a6"]
    assert "b7" in frozen
    assert "d2" not in frozen
    threats = {(one.player, one.kind, one.what): str(one.text) for one in seen.list_threats()}
    assert threats[1, "capture", "d6"].endswith(": Hd6w Hc6x ed5n")
    assert threats[0, "goal", "b7"].endswith(": ra7n Da6n Rb7n")


def test_an_open_turn_threatens_only_what_it_has_steps_for() -> None:
    position = parse_position("2s 8/8/3H4/8/8/3e4/8/R6r")
    for step in ("ed3n", "ed4n"):
        position = position.play(next(a for a in position.legal_actions() if str(a) == step))
    assert set(threats_of(position, 1).capture) == {43}
    position = position.play(next(a for a in position.legal_actions() if str(a) == "rh1w"))
    assert not threats_of(position, 1).capture


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_the_setup_has_no_threats(rules: str) -> None:
    seen = insight(Position.before_setup(RULE_SETS[rules]))
    assert seen.marks() == {}
    assert len(seen.sentences()) == 4
