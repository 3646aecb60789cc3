"""The kernel does what others say of positions, turns and whole games."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from conformance.vectors import Vector, vectors_of
from games.arimaa.twins import after, boards_after_turn, compare, generated, row_of
from games.arimaa.whole_turns import parse_turn
from trine.core.contract.position import History
from trine.core.contract.score import DRAW, ONGOING
from trine.games.arimaa.compiled import number_of, to_position
from trine.games.arimaa.diagrams import format_position, parse_position
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS

FULL_TURNS = "arimaa_full_turns*.tsv"


each_vector = vectors_of("arimaa*.jsonl")


def position_of(vector: Vector) -> Position:
    return parse_position(vector["position"], RULE_SETS[vector["rules"]])


@each_vector("first_actions")
def test_vectors_have_the_same_first_actions(vector: Vector) -> None:
    position = position_of(vector)
    compare(position, row_of(position))
    if vector["judged"] is None:
        assert len(generated(row_of(position))) == vector["first_actions"]


@each_vector("judged")
def test_vectors_are_judged_alike(vector: Vector) -> None:
    judged = vector["judged"]
    result = {"g": 0, "s": 1, "draw": DRAW}[judged["winner"]] if judged else ONGOING
    if judged and judged["reason"] == "repetition":
        result = ONGOING
    assert kernel.result(row_of(position_of(vector))) == result


@each_vector("turn_boards")
def test_vectors_have_the_same_boards_after_a_turn(vector: Vector) -> None:
    found = boards_after_turn(position_of(vector))
    assert len(found) == vector["turn_boards"]
    boards = sorted(
        "".join(board[rank : rank + 8] for rank in range(56, -1, -8)) for board in found
    )
    digest = hashlib.sha256("\n".join(boards).encode()).hexdigest()
    assert digest[:16] == vector["turn_boards_sha256"]


@each_vector("turns")
def test_vectors_of_single_turns_do_the_same(vector: Vector) -> None:
    for entry in vector["turns"]:
        if "illegal" not in entry:
            check_turn(position_of(vector), History(), entry)


@each_vector("line")
def test_vectors_of_lines_do_the_same(vector: Vector) -> None:
    position = position_of(vector)
    history = History()
    history.add(position.key)
    for entry in vector["line"]:
        if "illegal" in entry:
            return
        position = check_turn(position, history, entry)
        history.add(position.key)


def check_turn(position: Position, history: History, entry: Vector) -> Position:
    """Play a turn of a vector in the kernel; what the notation means, the referee tells."""
    row = row_of(position)
    over = position.outcome() is not None  # the vector goes on all the same
    for action in parse_turn(position, entry["turn"], history):
        number = number_of(position, action)
        assert number in generated(row) or over
        over = False
        row = after(row, number)
        position = position.play_unchecked(action)
        compare(position, row)
    text = format_position(to_position(row))
    assert text[:3] + text[3:].replace(" ", ".") == entry["position"]
    judged = entry["result"]
    if judged is None or judged["reason"] != "repetition":
        winner = {"g": 0, "s": 1, "draw": DRAW}
        assert kernel.result(row) == (winner[judged["winner"]] if judged else ONGOING)
    return position


def test_the_distinct_positions_of_full_turns_agree(request: pytest.FixtureRequest) -> None:
    folder: Path = request.config.getoption("--vectors")
    lines = [line for file in folder.glob(FULL_TURNS) for line in file.read_text().splitlines()]
    if not lines:
        pytest.skip(f"no {FULL_TURNS} in {folder}; it is data of others")
    boards = np.zeros((1 << 17, kernel.BOARD_WORDS), np.uint64)
    table = np.zeros(1 << 18, np.uint64)
    for line in lines:
        side, board, positions, first_actions = line.split("\t")
        row = row_of(parse_position(f"{side} {board}"))
        assert kernel.turn_results(row, boards, table) == int(positions)
        assert len(generated(row)) == int(first_actions)
