"""Tablebase lookups of the referee's positions."""

from collections.abc import Iterator
from struct import pack

from solving.kernel import FORBIDDEN
from solving.maze import Maze, maze_of, state_of
from solving.tablebase import Tablebase
from trine.core.contract.position import ItsPosition
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.engine.players.solved import SolvedValue, solve
from trine.games.corridor import ROOM
from trine.games.corridor.knowledge import solved as shipped
from trine.games.corridor.starts import start

MAX_SHIPPED = 2_000_000
"""Units: positions; larger tablebases are not shipped."""
MAX_COUNTED = 10 * MAX_SHIPPED
"""Units: positions; boards that may have more are skipped without counting."""


def board_of(position: ItsPosition) -> Maze:
    """Return the board of a position.

    Raises:
        IllegalError: boards of this kind cannot be solved.
    """
    if maze := maze_of(position):
        return maze
    raise IllegalError(
        text("only boards of two players with equal walls, up to 6 squares a side, can be solved")
    )


def value_in(table: Tablebase, position: ItsPosition) -> int | None:
    """Return the value of a position with chosen start squares."""
    state = state_of(position)
    found = -1 if state is None else table.value(state)
    return None if found in (-1, FORBIDDEN) else found


def start_value(table: Tablebase, first: ItsPosition) -> SolvedValue:
    """Return the value of a start position, before start squares are chosen."""
    found = solve(lambda position: value_in(table, position), first)
    assert found is not None, "a table has all that play can lead to"
    return found


def shipped_starts() -> Iterator[ItsPosition]:
    """Yield a start of each board whose tablebase may be shipped."""
    for rules in ROOM.rule_sets:
        if rules in shipped.SHARED_TABLES:
            continue
        for size in range(3, shipped.MAX_SIZE + 1):
            for walls in (None,) if rules == "great-wall" else range(11):
                given = {} if walls is None else {"Walls": str(walls)}
                yield start(rules, {"Size": str(size), **given})


def packed(table: Tablebase) -> bytes:
    """Return a tablebase in the format of `trine.games.corridor.knowledge.solved`."""
    parts = []
    for layer in table.layers:
        positions = len(layer.values) // len(layer.sets)
        parts += [pack("<II", len(layer.sets), positions)]
        parts += [layer.sets.astype("<u8").tobytes(), layer.values.tobytes()]
    return b"".join(parts)
