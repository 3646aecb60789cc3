"""TZAAR agrees with vectors that another program made from the rules alone.

`pytest tests/conformance --vectors DIR` takes any other folder of files in that format.
"""

import pytest

from conformance.vectors import Vector, count_sequences, vectors_of
from trine.core.contract.position import Outcome
from trine.core.errors import TrineError
from trine.core.text.sentence import Word, split_words
from trine.games.tzaar.board import SIDES
from trine.games.tzaar.diagrams import format_position, parse_position
from trine.games.tzaar.notation import parse_action, read_action
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import captures_of

MOST_SEQUENCES = 1_000_000
"""Some seconds on one core. Higher counts, of which today's vectors have none, are passed over; those
of the fixed start and of the empty board stand in `benchmarks/tzaar_referee.py`."""


each_vector = vectors_of("tzaar*.jsonl")


def as_vector(outcome: Outcome | None) -> str | None:
    if outcome is None:
        return None
    assert outcome.winner is not None, "there are no draws"
    return f"{outcome.reason} {('white', 'black')[outcome.winner]}"


def play_word(position: Position, text: str) -> Position:
    words = split_words(text) or [Word("")]
    action, used = read_action(position, words)
    if used < len(words):
        position = position.play(action)
        return play_word(position, " ".join(word.text for word in words[used:]))
    return position.play(action)


@each_vector("result")
def test_the_result_is_judged_alike(vector: Vector) -> None:
    assert as_vector(parse_position(vector["position"]).outcome()) == vector["result"]


@each_vector("position")
def test_a_position_has_exactly_one_text(vector: Vector) -> None:
    if "reason" not in vector or "action" in vector:
        assert format_position(parse_position(vector["position"])) == vector["position"]


@each_vector("shown")
def test_the_same_stacks_are_shown(vector: Vector) -> None:
    position = parse_position(vector["position"])
    assert [list(position.shown(side)) for side in SIDES] == vector["shown"]


@each_vector("captures")
def test_both_sides_could_capture_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    if position.in_setup:
        assert vector["captures"] is None
    else:
        counts = [len(captures_of(position.tops, position.heights, side)) for side in SIDES]
        assert counts == vector["captures"]


@each_vector("actions")
def test_the_legal_actions_are_the_same(vector: Vector) -> None:
    tokens = sorted(map(str, parse_position(vector["position"]).legal_actions()))
    assert len(set(tokens)) == len(tokens) == vector["actions"]
    assert tokens == vector.get("tokens", tokens)


@each_vector("perft")
def test_the_counts_of_action_sequences_are_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    for depth, count in enumerate(vector["perft"], start=1):
        if count > MOST_SEQUENCES:
            break
        assert count_sequences(position, depth) == count, f"depth {depth}"


@each_vector("legal")
def test_single_actions_are_legal(vector: Vector) -> None:
    position = parse_position(vector["position"])
    for token in vector["legal"]:
        assert position.why_not(parse_action(token)) is None, token
        assert parse_action(token) in position.legal_actions()


@each_vector("illegal")
def test_single_actions_are_refused(vector: Vector) -> None:
    position = parse_position(vector["position"])
    for token in vector["illegal"]:
        with pytest.raises(TrineError) as refused:
            play_word(position, token)
        assert str(refused.value).strip()


@each_vector("line")
def test_lines_of_actions_do_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    for token in vector["line"]:
        position = play_word(position, token)
    if "after" in vector:
        assert format_position(position) == vector["after"]
        assert as_vector(position.outcome()) == vector["after_result"]


@each_vector("reason")
def test_invalid_texts_are_refused(vector: Vector) -> None:
    if "action" not in vector:
        with pytest.raises(TrineError) as refused:
            parse_position(vector["position"])
    else:
        position = parse_position(vector["position"])
        for token in vector.get("line", ()):
            position = play_word(position, token)
        with pytest.raises(TrineError) as refused:
            play_word(position, vector["action"])
    assert str(refused.value).strip()
