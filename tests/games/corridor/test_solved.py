"""The tables of small boards, held against a plain search through the referee."""

from typing import Any

import pytest

from trine.core.contract.position import Position
from trine.engine.players.solved import best_lines, solve
from trine.games import new_play, open_room

ROOM = open_room("corridor")
assert ROOM.rules.solved
SOLVED = ROOM.rules.solved


def by_the_referee(first: Position) -> dict[Any, tuple[Position, int]]:
    """All positions that play can lead to, with their values, found by the referee alone.

    A value is 0 for a draw, else one more than the number of actions to the end.
    """
    known: dict[Any, Position] = {first.key: first}
    after: dict[Any, list[Any]] = {}
    values: dict[Any, int] = {}
    todo = [first]
    while todo:
        position = todo.pop()
        key = position.key
        if outcome := position.outcome():
            values[key] = 0 if outcome.winner is None else 1 + (outcome.winner == position.mover)
            continue
        after[key] = []
        for action in position.legal_actions():
            its = position.play_unchecked(action)
            its_key = its.key
            after[key].append(its_key)
            if its_key not in known:
                known[its_key] = its
                todo.append(its)
    rest, length = set(after), 0
    while length < 100:
        length += 1
        found = {}
        for key in rest:
            its_values = [values.get(one, 0) for one in after[key]]
            if length % 2 and length in its_values:
                found[key] = length + 1
            if length % 2 == 0 and all(one and one % 2 == 0 for one in its_values):
                found[key] = length + 1
        values |= found
        rest -= set(found)
    return {key: (position, values.get(key, 0)) for key, position in known.items()}


BOARDS = [
    "quoridor 3 2 b1,b3 - 1,1 1",
    "quoridor 3 2 b1,b3 a1v 2,1 1",
    "corridor-8 3 2 a1,c3 a2v,b2h 1,1 1",
    "corridor 3 2 b1,b3 a2v,b1h,c2h,a1v 1,1 1",
    "great-wall 3 2 b1,b3 a2h,b1v *,* 2",
]
"""Positions from which play leads to thousands of others, not to all."""


@pytest.mark.parametrize("words", BOARDS)
def test_every_position_has_the_value_that_a_plain_search_finds(words: str) -> None:
    compared = 0
    for position, value in by_the_referee(ROOM.rules.parse_position(words, "")).values():
        assert SOLVED(position) == value, ROOM.rules.format_position(position)
        compared += 1
    assert compared > 200


def test_the_best_lines_are_those_of_the_actions_with_the_best_values() -> None:
    position = new_play("corridor/quoridor", size=3).position
    for _ in range(3):
        value = solve(SOLVED, position)
        assert value
        first, *others = best_lines(SOLVED, position, 100)
        assert len(others) + 1 == len(position.legal_actions())
        assert (first.wins, first.actions, first.line) == (value.wins, value.actions, value.line)
        for one in (first, *others):
            end = position
            for action in one.line:
                end = end.play(action)
            outcome = end.outcome()
            assert outcome and (outcome.winner == position.mover) == one.wins
            assert len(one.line) == one.actions
        position = position.play(others[0].line[0])


@pytest.mark.parametrize(
    "words",
    [
        "quoridor 9 2 e1,e9 - 10,10 1",
        "quoridor 4 2 c1,b4 - 10,10 1",
        "quoridor 3 4 b1,a2,b3,c2 - 5,5,5,5 1",
        "quoridor 3 2 b1,b3 - 2,1 1",
        "great-wall 4 2 a1,a4 - *,* 1",
    ],
)
def test_a_board_without_a_table_has_no_value(words: str) -> None:
    position = ROOM.rules.parse_position(words, "")
    assert SOLVED(position) is None and best_lines(SOLVED, position, 1) == []
