"""TZAAR and Corridor agree with vectors that another program made from the rules alone.

`pytest tests/conformance --vectors DIR` takes any other folder of files in that format.
"""

from importlib import import_module
from typing import Any

import pytest

from conformance.vectors import Vector, count_sequences, vectors_of
from trine.core.contract.position import History, Outcome
from trine.core.errors import TrineError
from trine.core.text.sentence import Word, split_words
from trine.games import open_room
from trine.games.tzaar.board import SIDES
from trine.games.tzaar.rules import captures_of

WINNERS = {"tzaar": ("white", "black"), "corridor": ("1", "2", "3", "4")}
GAMES = pytest.mark.parametrize("game", WINNERS)
each_vector = vectors_of("tzaar*.jsonl", "corridor*.jsonl", "many_players.jsonl")


def parsed(vector: Vector) -> Any:
    game = vector["id"].partition("-")[0]
    return import_module(f"trine.games.{game}.diagrams").parse_position(vector["position"])


def formatted(game: str, position: Any) -> str:
    return str(open_room(game).rules.format_position(position))


def as_vector(game: str, outcome: Outcome | None) -> str | None:
    if outcome is None:
        return None
    winner = "" if outcome.winner is None else f" {WINNERS[game][outcome.winner]}"
    return f"{outcome.reason}{winner}"


def play_line(game: str, position: Any, line: list[str]) -> tuple[Any, History]:
    """Play words as a record has them; the first position counts as having stood once."""
    history = History([position.key])
    read_action = import_module(f"trine.games.{game}.notation").read_action
    for text in line:
        words = split_words(text) or [Word("")]
        while words:
            action, used = read_action(position, words, history)
            position = position.play(action, history)
            history.add(position.key)
            words = words[used:]
    return position, history


def refused(game: str, vector: Vector, line: list[str]) -> bool:
    with pytest.raises(TrineError) as caught:
        play_line(game, parsed(vector), line)
    return bool(str(caught.value).strip())


@GAMES
@each_vector("position")
def test_a_position_has_exactly_one_text(game: str, vector: Vector) -> None:
    if "reason" not in vector or "action" in vector:
        assert formatted(game, parsed(vector)) == vector["position"]


@GAMES
@each_vector("result")
def test_the_result_is_judged_alike(game: str, vector: Vector) -> None:
    assert as_vector(game, parsed(vector).outcome()) == vector["result"]


@each_vector("distances")
def test_the_distances_of_corridor_are_the_same(vector: Vector) -> None:
    assert list(parsed(vector).distances()) == vector["distances"]


@each_vector("shown")
def test_the_same_stacks_of_tzaar_are_shown(vector: Vector) -> None:
    position = parsed(vector)
    assert [list(position.shown(side)) for side in SIDES] == vector["shown"]


@each_vector("captures")
def test_both_sides_of_tzaar_could_capture_the_same(vector: Vector) -> None:
    position = parsed(vector)
    if position.in_setup:
        assert vector["captures"] is None
    else:
        counts = [len(captures_of(position.tops, position.heights, side)) for side in SIDES]
        assert counts == vector["captures"]


@GAMES
@each_vector("actions")
def test_the_legal_actions_are_the_same(game: str, vector: Vector) -> None:
    position = parsed(vector)
    tokens = sorted(map(str, position.legal_actions()))
    assert len(set(tokens)) == len(tokens) == vector["actions"]
    assert tokens == vector.get("tokens", tokens)
    parse_action = import_module(f"trine.games.{game}.notation").parse_action
    for token in vector.get("legal", ()):
        assert position.why_not(parse_action(token)) is None, token
        assert parse_action(token) in position.legal_actions()


@GAMES
@each_vector("illegal")
def test_single_actions_are_refused(game: str, vector: Vector) -> None:
    tokens = set(map(str, parsed(vector).legal_actions()))
    for token in vector["illegal"]:
        assert token not in tokens
        assert refused(game, vector, [token])


@each_vector("perft")
@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("tzaar", 1_000_000),
        ("corridor", 30_000),
        pytest.param("corridor", 3_000_000, marks=pytest.mark.nightly),
    ],
)
def test_the_counts_of_sequences_are_the_same(game: str, vector: Vector, most: int) -> None:
    """Greater counts are the kernel's; of TZAAR, they are in `benchmarks/tzaar_referee.py`."""
    position = parsed(vector)
    counts = [count for count in vector["perft"] if count <= most]
    assert [count_sequences(position, depth) for depth in range(1, len(counts) + 1)] == counts


@GAMES
@each_vector("after")
def test_lines_lead_to_the_same(game: str, vector: Vector) -> None:
    position, history = play_line(game, parsed(vector), vector["line"])
    assert formatted(game, position) == vector["after"]
    assert as_vector(game, position.outcome(history)) == vector["after_result"]


READ_ALL_THE_SAME = {
    "quoridor has 2 or 4 players",
    "more walls in hand than at the start",
    "more walls on the board and in hand than there are",
    "corridor-8 has 8 walls each on this board",
}
"""Set-ups that are played elsewhere: any number of walls, and three players."""


@GAMES
@each_vector("reason")
def test_what_is_invalid_is_refused(game: str, vector: Vector) -> None:
    if vector["reason"] in READ_ALL_THE_SAME:
        assert formatted(game, parsed(vector)) == vector["position"]
    elif vector["reason"] == "walls not in order":  # read all the same; we write them in order
        written = formatted(game, parsed(vector))
        assert parsed({**vector, "position": written}) == parsed(vector)
        assert written != vector["position"]
    elif "action" in vector:
        play_line(game, parsed(vector), vector.get("line", []))
        assert refused(game, vector, [*vector.get("line", []), vector["action"]])
    else:
        assert refused(game, vector, [])
