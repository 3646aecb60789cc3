"""The inputs of nets, compared with what the referee says of a position, and with its mirror images."""

from random import Random

import numpy as np
import pytest

from games.corridor.randomly import random_turn
from kernels import active_inputs
from trine.core.contract.score import ONGOING
from trine.games import open_kernel
from trine.games.corridor.heuristics import HEURISTICS
from trine.games.corridor.kernel import inputs as seen
from trine.games.corridor.kernel.layout import COUNTED_KEY, KEY
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS
from trine.games.corridor.symmetries import symmetries

KERNEL = open_kernel("corridor")
NET = HEURISTICS.net
RULES = sorted(RULE_SETS)


def somewhere(rules: str, seed: int, size: int = 9) -> Position:
    rng = Random(seed)
    position = Position.first(RULE_SETS[rules], size, 2)
    for _ in range(rng.randrange(50) + 2):
        after = random_turn(position, rng)
        if after is None or after.outcome():
            break
        position = after
    return position


def inputs_of(position: Position) -> set[int]:
    return active_inputs(HEURISTICS, KERNEL.row_of(position))


@pytest.mark.parametrize("rules", RULES)
def test_a_mirrored_board_sets_the_mirrored_inputs(rules: str) -> None:
    for seed in range(12):
        position = somewhere(rules, seed)
        images = {one.name: one for one in symmetries(position)}
        found = inputs_of(position)
        assert inputs_of(images["mirror"].position(position)) == {
            int(seen.SYMMETRIES[1, number]) for number in found
        }
        assert inputs_of(images["mirror turn 180"].position(position)) == {
            int(seen.MIRRORED[number]) for number in found
        }


@pytest.mark.parametrize("rules", RULES)
def test_inputs_are_the_same_with_the_walks_that_the_evaluation_has_left(rules: str) -> None:
    dice = Random(rules)
    rows = np.zeros((2, KERNEL.words), np.uint64)
    counts = np.zeros(len(HEURISTICS.terms), np.float32)
    actions = np.zeros(KERNEL.max_actions, np.int32)
    for seed in range(12):
        KERNEL.to_row(somewhere(rules, seed), rows[0])
        for _ in range(20):  # the walks of the position before are still in the second row
            KERNEL.play(rows, 0, int(dice.choice(actions[: KERNEL.generate(rows[0], actions)])))
            if KERNEL.result(rows[1]) != ONGOING:
                break
            rows[0] = rows[1]
            fresh = inputs_of(KERNEL.to_position(rows[0]))
            assert active_inputs(HEURISTICS, rows[0]) == fresh
            HEURISTICS.evaluate(rows[0], 0, HEURISTICS.weights, counts)
            assert rows[0][COUNTED_KEY] == rows[0][KEY]
            assert active_inputs(HEURISTICS, rows[0]) == fresh


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [5, 9])
def test_sides_steps_hands_and_the_turn_are_those_of_the_referee(rules: str, size: int) -> None:
    for seed in range(12):
        position = somewhere(rules, seed, size)
        found = inputs_of(position)
        for player in range(2):
            block = player * seen.BLOCK_WORDS * 64
            sides = {number - block for number in found if 0 <= number - block < seen.PAWN * 64}
            assert sides == closed_sides(position, player)
            rest = block + 64 * seen.COUNTS_WORD
            steps = position.distance(player)
            far = seen.MAX_STEPS + 1 if steps is None else min(steps, seen.MAX_STEPS)
            assert rest + seen.STEPS_AT + far in found
            hand = position.hands[player]
            held = seen.MAX_HAND if hand is None else min(hand, seen.MAX_HAND)
            assert rest + seen.HAND_AT + held in found
            assert (rest + seen.TURN_AT in found) == (position.mover == player)


def closed_sides(position: Position, player: int) -> set[int]:
    """The closed sides near a pawn, square by square, as places among the inputs of its player."""
    size, found = position.size, set()
    rank, file = divmod(position.pawns[player], size)

    def place(up: int, right: int) -> tuple[int, int]:
        return rank + (-up if player else up), file + right

    def closed(one: tuple[int, int], other: tuple[int, int]) -> bool:
        on = [0 <= a < size and 0 <= b < size for a, b in (one, other)]
        if not all(on):
            beyond = one if on[1] else other
            return any(on) and beyond[0] != (-1 if player else size)  # the goal is open
        return position.is_blocked(one[0] * size + one[1], other[0] * size + other[1])

    long = position.rules.wall_length == 2
    near = range(-seen.LONG_REACH, seen.LONG_REACH + 1)
    ranks = near if long else range(-seen.BEHIND, seen.AHEAD + 1)
    files = near if long else range(-seen.ASIDE, seen.ASIDE + 1)
    for right in files:
        for up in (ranks[0] - 1, *ranks):
            if closed(place(up, right), place(up + 1, right)):
                along = (up + seen.BEHIND + 1) * seen.HORIZONTAL_FILES + right + seen.ASIDE
                found.add(seen.HORIZONTAL * 64 + along)
    for up in ranks:
        for right in (files[0] - 1, *files):
            if closed(place(up, right), place(up, right + 1)):
                along = (up + seen.BEHIND) * seen.VERTICAL_FILES + right + seen.ASIDE + 1
                found.add(seen.VERTICAL * 64 + along)
    return found


def test_the_room_s_own_nets_are_for_the_usual_board() -> None:
    assert NET is not None and NET.applies_to is not None
    found = [NET.applies_to(somewhere("quoridor", 0, size)) for size in (5, 9, 10)]
    assert found == [False, True, False]
