"""The values of positions of a solved board, as people and engines ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from trine.core.contract.maze import Maze
from trine.core.contract.position import Action, Position
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.games import open_mazes, open_room
from trine.solve.kernel import FORBIDDEN
from trine.solve.layers import states_at_most
from trine.solve.table import Table, plan, solve

SMALL: Final = 2_000_000
"""Units: positions; a board of no more is solved when it is asked about, in a second."""
LISTED: Final = 20_000_000
"""Units: positions; a board that can have more is not counted for that."""


@dataclass(frozen=True)
class Worth:
    """The value of a position at best play of both, for the player to move."""

    wins: bool | None
    """None for a draw."""
    actions: int
    """The actions, of both players, until the end; 0 for a draw."""
    line: tuple[Action, ...] = ()
    """The best play: the shortest way to win, the longest to lose; for a draw one turn that keeps
    it."""


def board_of(game: str, position: Position) -> Maze:
    """Return the board of a position.

    Raises:
        IllegalError: boards of this kind cannot be solved.
    """
    mazes = open_mazes(game)
    if maze := mazes.maze(position) if mazes else None:
        return maze
    raise IllegalError(
        text(
            "{game} cannot be solved so: only boards of two players with equal walls, up to 6 "
            "squares a side",
            game=open_room(game).title,
        )
    )


def worth(game: str, table: Table, position: Position, most: int = 0) -> Worth | None:
    """Return the value of a position, and its best play; None where the table does not have it.

    Args: ``most`` limits the actions of the line; 0 is no limit.
    """
    value = _value(game, table, position)
    if value is None:
        return None
    line: list[Action] = []
    while not position.outcome() and (not most or len(line) < most):
        action, position, known = _best(game, table, position)
        line.append(action)
        if not known:
            break
    return Worth(value % 2 == 0 if value else None, max(0, value - 1), tuple(line))


def small_table(game: str, position: Position) -> Table | None:
    """Return the table of a position's board if it is solved in no time; else None."""
    mazes = open_mazes(game)
    maze = mazes.maze(position) if mazes else None
    return _small_table(maze) if maze else None


@lru_cache(maxsize=8)
def _small_table(maze: Maze) -> Table | None:
    if sum(states_at_most(maze)) > LISTED:
        return None
    planned = plan(maze)
    return solve(planned) if sum(planned.bytes) <= SMALL else None


def best_lines(game: str, table: Table, position: Position, most: int) -> list[Worth]:
    """Return the values of the best actions of a position, each with the best play behind it."""
    found = []
    for action, after, value in _judged(game, table, position)[:most]:
        behind = worth(game, table, after)
        line = behind.line if behind else ()
        found.append(Worth(value % 2 == 1 if value else None, value, (action, *line)))
    return found


def start_value(game: str, table: Table, first: Position) -> Worth:
    """Return the value of a start, start squares still to be chosen."""
    found = worth(game, table, first)
    assert found is not None, "a table has all that play can lead to"
    return found


def _value(game: str, table: Table, position: Position) -> int | None:
    mazes = open_mazes(game)
    assert mazes
    if (state := mazes.state(position)) is not None:
        found = table.value(state)
        return None if found in (-1, FORBIDDEN) else found
    return 0 if (chosen := _best(game, table, position)[2]) == 0 else chosen + 1


def _best(game: str, table: Table, position: Position) -> tuple[Action, Position, int]:
    """Return the best action, the position after it, and its value."""
    return _judged(game, table, position)[0]


def _judged(game: str, table: Table, position: Position) -> list[tuple[Action, Position, int]]:
    """Return all actions with the positions after them and their values, the best first."""
    found = []
    for action in position.legal_actions():
        after = position.play_unchecked(action)
        if (value := _value(game, table, after)) is not None:
            found.append((action, after, value))
    return sorted(found, key=lambda one: _goodness(one[2]), reverse=True)


def _goodness(value: int) -> int:
    """Return how good a value is for the player who has just moved: a win soon, a loss late."""
    if value == 0:
        return 0
    return 1000 - value if value % 2 else value - 1000
