"""What nets see of positions, against a plain account of it."""

import random

from games.arimaa.enumeration import Array, crowded, row_of
from games.arimaa.mind import HEURISTICS, PLAYS, mirrored, rows_of_plays, swapped
from kernels import active_inputs
from trine.games.arimaa.board import BESIDE, EMPTY, SIDE, SIDES, STRENGTH, TRAPS
from trine.games.arimaa.compiled import to_position
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS
from trine.games.arimaa.starts import start_position


def seen_by_nets(row: Array) -> set[int]:
    return active_inputs(HEURISTICS, row)


def expected_inputs(position: Position) -> set[int]:
    """What a net is to see, as plainly as can be: 64 squares for each side and standing, 48 inputs
    for each trap."""
    board, found = position.board, set[int]()
    for square, piece in enumerate(board):
        if piece != EMPTY:
            side = SIDE[piece]
            stronger = sum(
                SIDE[other] == 1 - side and STRENGTH[other] > STRENGTH[piece] for other in board
            )
            standing = 5 if piece in "Rr" else (0, 1, 2, 2, 3, 3, 4, 4, 4)[stronger]
            found.add((side * 6 + standing) * 64 + square)
    for number, trap in enumerate(TRAPS):
        rings = [
            [STRENGTH[board[near]] for near in BESIDE[trap] if SIDE[board[near]] == side]
            for side in SIDES
        ]
        gold, silver = (max(ring, default=0) for ring in rings)
        strongest = 1 if gold > silver else 2 if silver > gold else 0
        holders = 4 * min(len(rings[0]), 3) + min(len(rings[1]), 3)
        found.add(768 + number * 48 + holders * 3 + strongest)
    return found


def test_a_net_sees_standings_squares_and_traps() -> None:
    for row in rows_of_plays(5, PLAYS):
        assert seen_by_nets(row) == expected_inputs(to_position(row))


def test_a_net_sees_colours_and_wings_alike() -> None:
    rng, seen = random.Random(6), HEURISTICS.net
    assert seen is not None and seen.symmetries is not None and seen.bucket is not None
    for _ in range(PLAYS):
        position = crowded(rng)
        row, here = row_of(position), seen_by_nets(row_of(position))
        assert seen_by_nets(row_of(swapped(position))) == {int(seen.mirrored[at]) for at in here}
        assert seen_by_nets(row_of(mirrored(position))) == {
            int(seen.symmetries[1][at]) for at in here
        }
        pieces = 64 - position.board.count(EMPTY)
        assert seen.bucket(row) == (pieces - 1) // 8


def test_a_net_sees_nothing_in_the_setup() -> None:
    assert seen_by_nets(row_of(start_position(RULE_SETS["official"]))) == set()
