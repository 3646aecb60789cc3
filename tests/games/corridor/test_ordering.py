"""The order of actions: scores are counted right, and a search is handed legal actions."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from games.corridor.randomly import positions, random_turn
from trine.games.corridor.compiled import KERNEL, action_of, to_position, to_row
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.kernel import layout
from trine.games.corridor.kernel import ordering as kernel_ordering
from trine.games.corridor.kernel import rules as kernel
from trine.games.corridor.kernel.ordering import null_move, score_moves, tactical
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Action, Move, Wall

UNTOUCHED = -77_777


def preferred(position: Position) -> dict[Action, int]:
    """The score of each legal action; asserts that nothing else is written."""
    row, actions = KERNEL.row_of(position), np.zeros(kernel.MAX_ACTIONS, np.int32)
    total = kernel.generate(row, actions)
    before = actions.copy()
    scores = np.full(kernel.MAX_ACTIONS, UNTOUCHED, np.int32)
    score_moves(row, actions, total, scores)
    assert (actions == before).all() and (scores[total:] == UNTOUCHED).all()
    assert (np.abs(scores[:total]) <= kernel_ordering.MAX_SCORE).all()
    pairs = zip(actions[:total], scores[:total], strict=True)
    return {action_of(position, int(action)): int(score) for action, score in pairs}


def tactics(position: Position) -> list[Action]:
    actions = np.zeros(kernel.MAX_ACTIONS, np.int32)
    total = tactical(KERNEL.row_of(position), actions)
    return [action_of(position, int(action)) for action in actions[:total]]


def longer(position: Position, action: Action, player: int) -> int:
    before, after = position.distance(player), position.play_unchecked(action).distance(player)
    if before is None:
        return 0
    return kernel_ordering.TRAP_STEPS if after is None else after - before


def rival_of(position: Position) -> int:
    order = [(position.mover + turn) % position.players for turn in range(1, position.players)]
    order = [player for player in order if player in position.playing]
    steps = {player: position.distance(player) for player in order}
    return min(order, key=lambda player: 10**6 if steps[player] is None else steps[player] or 0)


def positions_of_size(size: int, count: int) -> list[Position]:
    found = []
    for seed in range(count):
        dice = random.Random(seed)
        rules = RULE_SETS[sorted(RULE_SETS)[seed % 4]]
        position = Position.first(rules, size, rules.players[seed % len(rules.players)])
        for _ in range(dice.randrange(4, 4 * size)):
            position = random_turn(position, dice) or position
        if position.outcome() is None and not position.in_setup:
            found.append(position)
    return found


def assert_walls_are_weighed(position: Position) -> int:
    """Walls that make the rival's way longer are scored by what they cost both; returns how many."""
    rival, weighed = rival_of(position), 0
    for action, score in preferred(position).items():
        if not isinstance(action, Wall):
            continue
        gained = longer(position, action, rival)
        if gained:
            lost = longer(position, action, position.mover)
            assert score == kernel_ordering.delay_score(gained, lost), (position, action)
            weighed += 1
        else:
            assert score <= kernel_ordering.CROSSING_SCORE
    return weighed


@given(positions())
def test_preferences_are_written_for_legal_actions_only(position: Position) -> None:
    assert set(preferred(position)) == set(position.legal_actions())


@pytest.mark.parametrize("size", [4, 7, 9, 10, 11])
def test_walls_that_cost_the_rival_steps_are_weighed_exactly(size: int) -> None:
    found = positions_of_size(size, 16)
    assert sum(map(assert_walls_are_weighed, found)) > 15


@pytest.mark.parametrize("size", [6, 9, 11])
def test_steps_on_a_shortest_way_come_before_other_steps(size: int) -> None:
    compared = 0
    for position in positions_of_size(size, 16):
        moves = {one: score for one, score in preferred(position).items() if isinstance(one, Move)}
        nearer = [
            score for one, score in moves.items() if longer(position, one, position.mover) < 0
        ]
        others = [
            score for one, score in moves.items() if longer(position, one, position.mover) > 0
        ]
        if nearer and others:
            compared += 1
            assert min(nearer) > max(others)
    assert compared > 3


@pytest.mark.parametrize("size", [5, 10])
def test_start_squares_in_the_middle_look_best(size: int) -> None:
    position = Position.first(RULE_SETS["great-wall"], size, 4)
    for best in (("c1", "a3", "c5", "e3"), ("e1", "a5", "e10", "j5"))[size == 10]:
        scores = preferred(position)
        choice = parse_action("@" + best)
        assert scores[choice] == max(scores.values())
        position = position.play(choice)


def test_the_wall_that_costs_the_most_looks_best_to_who_is_behind() -> None:
    position = parse_position("quoridor 9 2 d1,e9 a1h,b4h,c1v,c5h,d3h,d7h,h3h,h4h,h8h 7,4 1")
    scores = preferred(position)
    best = max(scores, key=lambda action: scores[action])
    gains = {wall: longer(position, wall, 1) for wall in scores if isinstance(wall, Wall)}
    assert str(best) == "e8v" and gains[best] == max(gains.values()) == 4  # type: ignore[index]


@pytest.mark.parametrize("size", [5, 9, 10])
def test_tactical_actions_are_the_jumps_that_gain_a_step(size: int) -> None:
    jumps = 0
    for seed in range(40):
        dice = random.Random(seed)
        rules = RULE_SETS[sorted(RULE_SETS)[seed % 4]]
        position = Position.first(rules, size, rules.players[seed % len(rules.players)])
        while actions := position.legal_actions():
            moves = [action for action in actions if isinstance(action, Move)]
            gaining = {move for move in moves if longer(position, move, position.mover) == -2}
            assert set(tactics(position)) == gaining
            jumps += len(gaining)
            nearer = [move for move in moves if longer(position, move, position.mover) < 0]
            position = position.play_unchecked(dice.choice(nearer or actions))
    assert jumps > 10


@given(positions())
def test_who_waits_changes_nothing_but_whose_turn_it_is(position: Position) -> None:
    rows = np.zeros((2, layout.WORDS), np.uint64)
    to_row(position, rows[0])
    if position.outcome() is None and null_move(rows, 0):
        order = [(position.mover + turn) % position.players for turn in range(1, 5)]
        after = next(player for player in order if player in position.playing)
        assert to_position(rows[1]) == replace(position, mover=after)
        assert layout.key(rows[1]) == kernel.fresh_key(rows[1])
        assert position.hands[position.mover] != 0 and not position.in_setup


@pytest.mark.parametrize(
    ("words", "tells"),
    [
        ("quoridor 9 2 e1,e9 - 10,10 1", True),
        ("quoridor 9 2 e4,e5 - 10,10 1", False),
        ("quoridor 9 2 e3,e7 - 0,10 1", False),
        ("great-wall 9 2 ?,? - *,* 1", False),
        ("quoridor 11 2 e3,e7 - 10,10 1", True),
        ("quoridor 11 2 e3,f3 - 10,10 1", False),
    ],
)
def test_waiting_tells_nothing_beside_a_pawn_or_without_walls(words: str, tells: bool) -> None:
    position = parse_position(words)
    rows = np.zeros((2, layout.WORDS), np.uint64)
    to_row(position, rows[0])
    assert null_move(rows, 0) == tells
    assert tells or not rows[1].any()
