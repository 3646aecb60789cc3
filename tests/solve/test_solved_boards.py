"""Solved boards, held against a plain search through the referee, and against published values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from trine.commands.solve import command
from trine.core.contract.position import Position
from trine.core.errors import IllegalError
from trine.games import open_mazes, open_room
from trine.house.lessons.solved_routes import BOARDS as SHOWN
from trine.house.lessons.solved_routes import STARTS
from trine.solve.boards import best_lines, board_of, small_table, start_value, worth
from trine.solve.table import Table, plan, solve

ROOM = open_room("corridor")


def start(rules: str, size: int, walls: int | None = None) -> Position:
    options = {"Size": str(size)} | ({} if walls is None else {"Walls": str(walls)})
    first: Position = ROOM.start(rules, options)
    return first


def solved(first: Position, folder: Path | None = None) -> Table:
    return solve(plan(board_of("corridor", first)), folder)


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
    first = ROOM.parse_position(words, "")
    table, mazes = solved(first), open_mazes("corridor")
    assert mazes
    compared = 0
    for position, value in by_the_referee(first).values():
        state = mazes.state(position)
        assert state is not None
        assert table.value(state) == value, ROOM.format_position(position)
        compared += 1
    assert compared > 200


@pytest.mark.parametrize(("walls", "wins"), [(0, False), (1, False)])
def test_quoridor_on_five_squares_is_as_published(walls: int, wins: bool) -> None:
    # Published: the second player wins with up to four walls each.
    first = start("quoridor", 5, walls)
    assert start_value("corridor", solved(first), first).wins is wins


@pytest.mark.parametrize("walls", range(len(STARTS)))
def test_the_house_shows_the_starts_as_they_are_solved(walls: int) -> None:
    # The boards that take no more than a moment.
    for (rules, size), shown in zip(SHOWN, STARTS[walls], strict=True):
        if size == 3 or ((rules, size) == ("quoridor", 4) and walls < 2):
            first = start(rules, size, walls)
            found = start_value("corridor", solved(first), first)
            assert {True: "S", False: "N", None: "="}[found.wins] == shown, (rules, size)


def test_a_layer_is_on_disk_whole_or_not_at_all_and_solving_goes_on(tmp_path: Path) -> None:
    first = start("corridor-8", 3)

    def killed(walls: int, done: int, total: int) -> None:
        if walls == 2:
            raise KeyboardInterrupt

    planned = plan(board_of("corridor", first))
    with pytest.raises(KeyboardInterrupt):
        solve(planned, tmp_path, killed)
    kept = sorted(tmp_path.glob("*.layer"))
    assert [file.stat().st_size for file in kept] == planned.bytes[3:]
    began = [file.stat().st_mtime_ns for file in kept]
    again = solve(planned, tmp_path)
    assert [file.stat().st_mtime_ns for file in kept] == began
    at_once = solve(planned)
    for one, other in zip(again.layers, at_once.layers, strict=True):
        assert (one.values == other.values).all()
    assert again.longest == at_once.longest


@pytest.mark.parametrize(("rules", "size"), [("quoridor", 5), ("great-wall", 6), ("corridor", 9)])
def test_a_board_that_does_not_fit_is_refused_before_anything_is_made(
    rules: str, size: int
) -> None:
    with pytest.raises(IllegalError):
        solved(start(rules, size))


def test_the_command_tells_who_wins_from_the_start(tmp_path: Path) -> None:
    # In this process, whose compiled code is kept: one of its own would compile for 20 seconds.
    arguments = ["corridor/quoridor", "--size", "3", "--out", str(tmp_path)]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 0
    assert "North wins from the start, in 12 actions" in done.output


def test_the_best_lines_are_those_of_the_actions_with_the_best_values() -> None:
    position = start("quoridor", 3)
    table = small_table("corridor", position)
    assert table and small_table("corridor", position) is table
    assert small_table("corridor", start("quoridor", 4)) is None, "that takes a while"
    for _ in range(3):
        value = worth("corridor", table, position)
        assert value
        first, *others = best_lines("corridor", table, position, 100)
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
