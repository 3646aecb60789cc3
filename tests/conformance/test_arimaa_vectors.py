"""Arimaa agrees with vectors that another program made from the rules alone.

`pytest tests/conformance --vectors DIR` takes any other folder of files in that format.
"""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from conformance.vectors import Vector, vectors_of
from games.arimaa.whole_turns import parse_turn
from trine.core.contract.position import History, Outcome
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.games import open_room
from trine.games.arimaa.board import SIDE_LETTERS
from trine.games.arimaa.diagrams import format_position, parse_position
from trine.games.arimaa.formats.movelists import read_movelists
from trine.games.arimaa.position import Position, legal_turns, turn_results
from trine.games.arimaa.rules import END, RULE_SETS
from trine.play.record.replay import replay

ARIMAA = open_room("arimaa")
MOST = 4_000
"""Units: positions. What leads to more in a turn, the referee tries by night, the kernel always."""


each_vector = vectors_of("arimaa*.jsonl")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "full_turns" in metafunc.fixturenames:
        read_full_turns(metafunc)


def read_full_turns(metafunc: pytest.Metafunc) -> None:
    folder: Path = metafunc.config.getoption("--vectors")
    rows = [
        line.split("\t")
        for file in sorted(folder.glob("arimaa_full_turns*.tsv"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    if rows:
        cases = [
            pytest.param(
                row, id=f"line {number}", marks=[pytest.mark.nightly] * (int(row[2]) > MOST)
            )
            for number, row in enumerate(rows, start=1)
        ]
        metafunc.parametrize("full_turns", cases)
    else:
        missing = pytest.mark.skip(reason=f"no arimaa_full_turns*.tsv in {folder}")
        metafunc.parametrize("full_turns", [pytest.param([], marks=missing)], ids=["absent"])


def position_of(vector: Vector) -> Position:
    return parse_position(vector["position"], RULE_SETS[vector["rules"]])


def short(position: Any) -> str:
    text = format_position(position)
    return text[:3] + text[3:].replace(" ", ".")


def history_of(vector: Vector, position: Position) -> History:
    """The history that a vector gives, or else the position having stood once."""
    history = History()
    for text, times in vector.get("history", {short(position): 1}).items():
        stood = parse_position(text, position.rules)
        for _ in range(times):
            history.add(stood.key)
    return history


def as_vector(outcome: Outcome | None) -> Vector | None:
    if outcome is None:
        return None
    winner = "draw" if outcome.winner is None else SIDE_LETTERS[outcome.winner]
    return {"winner": winner, "reason": str(outcome.reason)}


def from_top(board: str) -> str:
    return "".join(board[start : start + 8] for start in range(56, -1, -8))


def play_turn(position: Position, turn: str, history: History) -> Position:
    for action in parse_turn(position, turn, history):
        position = position.play(action, history)
    history.add(position.key)
    return position


@each_vector("judged")
def test_the_result_is_judged_alike(vector: Vector) -> None:
    position = position_of(vector)
    assert as_vector(position.outcome(history_of(vector, position))) == vector["judged"]


@each_vector("first_actions")
def test_the_first_actions_are_the_same(vector: Vector) -> None:
    tokens = sorted(str(action) for action in position_of(vector).legal_actions())
    assert len(tokens) == vector["first_actions"]
    if "first_tokens" in vector:
        assert tokens == vector["first_tokens"]


@each_vector("turn_boards")
@pytest.mark.parametrize("most", [MOST, pytest.param(10**6, marks=pytest.mark.nightly)])
def test_a_whole_turn_makes_the_same_boards(vector: Vector, most: int) -> None:
    if vector["turn_boards"] > most:
        return  # by night; the kernel, quicker, makes them at every commit
    position = position_of(vector)
    boards = sorted(from_top(result.board) for result in turn_results(position))
    assert len(boards) == vector["turn_boards"]
    digest = hashlib.sha256("\n".join(boards).encode()).hexdigest()
    assert digest[:16] == vector["turn_boards_sha256"]
    if "legal_boards" in vector:
        legal = turn_results(position, history_of(vector, position))
        assert len(legal) == vector["legal_boards"]


@each_vector("turns")
def test_single_turns_do_the_same(vector: Vector) -> None:
    for entry in vector["turns"]:
        position = position_of(vector)
        history = history_of(vector, position)
        if "illegal" in entry:
            with pytest.raises(TrineError):
                play_turn(position, entry["turn"], history)
        else:
            after = play_turn(position, entry["turn"], history)
            assert short(after) == entry["position"], entry["turn"]
            assert as_vector(after.outcome(history)) == entry["result"], entry["turn"]


@each_vector("line")
def test_lines_of_turns_do_the_same(vector: Vector) -> None:
    play = Play(ARIMAA, position_of(vector))
    play.outcome = None  # the vector plays on from a position that is already decided, if any
    for entry in vector["line"]:
        position: Any = play.position
        if "illegal" in entry:
            with pytest.raises(TrineError):
                parse_turn(position, entry["turn"], play.history)
            return
        play.follow(play.check(parse_turn(position, entry["turn"], play.history)))
        assert short(play.position) == entry["position"], entry["turn"]
        assert as_vector(play.outcome) == entry["result"], entry["turn"]


@each_vector("error")
def test_invalid_texts_are_refused(vector: Vector) -> None:
    rules = RULE_SETS[vector["rules"]]
    with pytest.raises(TrineError) as refused:
        if vector["kind"] == "position":
            parse_position(vector["text"], rules)
        elif vector["kind"] == "turn":
            position = position_of(vector)
            parse_turn(position, vector["text"], history_of(vector, position))
        elif vector["kind"] == "setup":
            position = Position.before_setup(rules)
            if vector["side"] == "s":
                setup = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2"
                position = play_turn(position, setup, History())
            parse_turn(position, vector["text"])
        else:
            assert vector["kind"] == "movelist"
            for record in read_movelists(vector["text"].splitlines(keepends=True)):
                replay(record, vector["rules"])
    assert str(refused.value).strip()


def test_the_distinct_positions_of_full_turns_agree(full_turns: list[str]) -> None:
    side, board, positions, first_actions = full_turns
    position = parse_position(f"{side} {board}")
    assert len(position.legal_actions()) == int(first_actions)
    assert len(turn_results(position)) == int(positions)


def test_every_turn_of_a_small_position_makes_a_listed_result() -> None:
    """The turns one by one and the distinct positions are two ways to the same set."""
    for rules in RULE_SETS.values():
        position = parse_position("2g 8/8/8/3rE3/8/8/1r6/R7", rules)
        made = set()
        for steps in legal_turns(position):
            after = position
            for step in steps:
                after = after.play_unchecked(step)
            made.add(after.play_unchecked(END))
        assert made == set(turn_results(position))
