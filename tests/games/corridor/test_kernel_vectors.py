"""The kernel does what others say of positions and lines."""

from conformance.vectors import Vector, vectors_of
from games.corridor.searched import is_searched
from games.corridor.twins import assert_twins, distances_in, row_of
from kernels import actions_in, assert_counts, new_rows
from trine.core.contract.score import DRAW, ONGOING
from trine.games.corridor.compiled import action_of, number_of, to_row
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.kernel import layout, rules
from trine.games.corridor.kernel import rules as kernel
from trine.games.corridor.notation import parse_action

each_vector = vectors_of("corridor*.jsonl", "many_players.jsonl", takes=is_searched)


@each_vector("distances")
def test_a_vector_is_the_same_in_the_kernel(vector: Vector) -> None:
    position = parse_position(vector["position"])
    row = row_of(position)
    assert_twins(row, position)
    assert distances_in(row, position) == vector["distances"]
    assert len(actions_in(rules, row)) == vector["actions"]
    if "tokens" in vector:
        tokens = sorted(str(action_of(position, number)) for number in actions_in(rules, row))
        assert tokens == vector["tokens"]
    said = {ONGOING: None, DRAW: "trapped"}
    result = layout.result(row)
    assert said.get(result, f"goal {result + 1}") == vector["result"]


@each_vector("perft")
def test_sequences_are_as_many_as_a_vector_says(vector: Vector) -> None:
    assert_counts("corridor", row_of(parse_position(vector["position"])), [1, *vector["perft"]])


@each_vector("after")
def test_the_line_of_a_vector_does_the_same(vector: Vector) -> None:
    position = parse_position(vector["position"])
    rows = new_rows(layout, len(vector["line"]))
    to_row(position, rows[0])
    for ply, token in enumerate(vector["line"]):
        action = parse_action(token)
        kernel.play(rows, ply, number_of(position, action))
        position = position.play(action)
        assert_twins(rows[ply + 1], position)
