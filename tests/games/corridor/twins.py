"""The parts that tests of the kernel share: its rows, and comparing it with the referee."""

import numba

from kernels import Row, actions_in, as_result, new_rows
from trine.games.corridor.compiled import number_of, to_position, to_row
from trine.games.corridor.kernel import layout, rules
from trine.games.corridor.kernel import rules as kernel
from trine.games.corridor.kernel.shortest_paths import steps_of
from trine.games.corridor.position import Position


def row_of(position: Position) -> Row:
    rows = new_rows(layout)
    row: Row = rows[0]
    to_row(position, row)
    return row


@numba.njit  # type: ignore[untyped-decorator]
def steps_in(row: Row, player: int) -> int:
    return steps_of(row, player)


def distances_in(row: Row, position: Position) -> list[int | None]:
    """The steps of each player whose pawn is on the board, where there is a way."""
    steps = [
        steps_in(row, player) if pawn >= 0 else -1 for player, pawn in enumerate(position.pawns)
    ]
    return [None if found < 0 else int(found) for found in steps]


def said_by(row: Row) -> list[int]:
    """The words of a row, without the ways that it happens to know and what it is scribbled on."""
    said = row.copy()
    said[layout.TURN] &= ~layout.WITNESS
    if layout.rules_of(row) == layout.QUORIDOR:
        said[layout.PATHS :] = 0
    else:
        said[layout.PATH : layout.JOINED] = 0
        said[layout.STATE :] = 0
    return [int(word) for word in said]


def assert_same_place(row: Row, position: Position) -> None:
    """The row holds the position, to the last bit, and its key is right."""
    assert said_by(row) == said_by(row_of(position))
    assert layout.key(row) == kernel.fresh_key(row)
    assert to_position(row) == position
    assert layout.mover(row) == position.mover
    assert layout.result(row) == as_result(position.outcome())


def assert_twins(row: Row, position: Position) -> None:
    assert_same_place(row, position)
    assert sorted(actions_in(rules, row)) == sorted(
        number_of(position, action) for action in position.legal_actions()
    )
    assert distances_in(row, position) == list(position.distances())
    assert_same_place(row, position)  # asking has changed nothing
