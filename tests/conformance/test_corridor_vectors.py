"""Corridor agrees with vectors that another program made from the rules alone.

`pytest tests/conformance --vectors DIR` takes any other folder of files in that format.
"""

import pytest

from conformance.vectors import Vector, count_sequences, vectors_of
from trine.core.contract.position import History, Outcome
from trine.core.errors import TrineError
from trine.core.text.sentence import Word
from trine.games.corridor.diagrams import format_position, parse_position
from trine.games.corridor.notation import parse_action, read_action
from trine.games.corridor.position import Position

MOST_LEAVES = 30_000
"""Counts larger than this are the kernel's, and by night, up to 3,000,000, the referee's too."""


each_vector = vectors_of("corridor*.jsonl", "many_players.jsonl")


def as_vector(outcome: Outcome | None) -> str | None:
    if outcome is None:
        return None
    winner = "" if outcome.winner is None else f" {outcome.winner + 1}"
    return f"{outcome.reason}{winner}"


def play_line(position: Position, line: list[str]) -> tuple[Position, History]:
    """Play words as a record has them; the first position counts as having stood once."""
    history = History([position.key])
    for word in line:
        action, _ = read_action(position, [Word(word)], history)
        position = position.play(action, history)
        history.add(position.key)
    return position, history


@each_vector("note")
def test_the_text_of_a_position_is_the_same(vector: Vector) -> None:
    assert format_position(parse_position(vector["position"])) == vector["position"]


@each_vector("distances")
def test_result_and_distances_are_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    assert as_vector(position.outcome()) == vector["result"]
    assert list(position.distances()) == vector["distances"]


@each_vector("actions")
def test_the_actions_are_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    tokens = sorted(str(action) for action in position.legal_actions())
    assert len(tokens) == vector["actions"]
    assert vector.get("tokens", tokens) == tokens
    assert set(vector.get("legal", [])) <= set(tokens)
    for word in vector.get("illegal", []):
        assert word not in tokens
        assert position.why_not(parse_action(word))


@each_vector("perft")
@pytest.mark.parametrize(
    "most", [MOST_LEAVES, pytest.param(100 * MOST_LEAVES, marks=pytest.mark.nightly)]
)
def test_the_counts_of_sequences_are_the_same(vector: Vector, most: int) -> None:
    position = parse_position(vector["position"])
    counts = [count for count in vector["perft"] if count <= most]
    assert [count_sequences(position, depth) for depth in range(1, len(counts) + 1)] == counts


@each_vector("after")
def test_lines_lead_to_the_same(vector: Vector) -> None:
    position, history = play_line(parse_position(vector["position"]), vector["line"])
    assert format_position(position) == vector["after"]
    assert as_vector(position.outcome(history)) == vector["after_result"]


READ_ALL_THE_SAME = {
    "quoridor has 2 or 4 players",
    "more walls in hand than at the start",
    "more walls on the board and in hand than there are",
    "corridor-8 has 8 walls each on this board",
}
"""Set-ups that are played elsewhere: any number of walls, and three players."""


@each_vector("reason")
def test_what_is_invalid_is_refused(vector: Vector) -> None:
    if vector["reason"] in READ_ALL_THE_SAME:
        position = parse_position(vector["position"])
        assert format_position(position) == vector["position"]
        return
    if vector["reason"] == "walls not in order":  # read all the same; what we write is in order
        position = parse_position(vector["position"])
        assert parse_position(format_position(position)) == position
        assert format_position(position) != vector["position"]
        return
    if "action" not in vector:
        with pytest.raises(TrineError) as refused:
            parse_position(vector["position"])
    else:
        position, history = play_line(parse_position(vector["position"]), vector.get("line", []))
        with pytest.raises(TrineError) as refused:
            read_action(position, [Word(vector["action"])], history)
    assert str(refused.value).strip()
