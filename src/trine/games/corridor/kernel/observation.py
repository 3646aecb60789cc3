"""Observations of Corridor for reinforcement learning.

An observation has 4 p + 5 planes of size × size cells, p being the number of players. Row 0 is rank
1 and column 0 is file a for every viewer: neither the board nor action numbers are turned. The
planes of players are in turn order, the viewer first.

- 0 to p - 1: the pawn of each player; p to 2 p - 1: the goal side of each player;
- 2 p to 3 p - 1: in all cells the number of walls in a player's hand, -1 for no limit;
- 3 p to 4 p - 1: all 1 for the player to move;
- 4 p: the squares whose north side a wall closes; 4 p + 1: the squares whose east side it closes;
- 4 p + 2: the squares that name horizontal walls, as ``e3h``; 4 p + 3: vertical walls, as ``e3v``;
- 4 p + 4: all 1 while start squares are chosen.
"""

from __future__ import annotations

from trine.core.compiled.arrays import Cells, Row
from trine.core.compiled.bits import ONE, lowest
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.kernel.row import (
    GONE,
    HORIZONTAL,
    NO_LIMIT,
    NORTH_OPEN,
    NOT_CHOSEN,
    NUMBER,
    QUORIDOR,
    hand_of,
    is_in_setup,
    mover,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.shortest_paths import goal_of
from trine.games.corridor.kernel.squares import OPEN_SETS, Squares, read, word_of


def observation_shape(row: Row) -> tuple[int, int, int]:
    size = int(size_of(row))
    return 4 * int(players_of(row)) + 5, size, size


@kernel(forceinline=True)
def fill(cells: Cells, plane: int, area: int, value: int) -> None:
    if value:
        for cell in range(area):
            cells[plane + cell] = value


@kernel_only(forceinline=True)
def mark(cells: Cells, plane: int, squares: Squares, size: int) -> None:
    for word in range(2):
        bits = word_of(squares, word)
        while bits:
            cells[plane + NUMBER[size, 64 * word + lowest(bits)]] = 1
            bits &= bits - ONE


@kernel_only()
def mark_walls(cells: Cells, plane: int, row: Row) -> None:
    size = size_of(row)
    area = size * size
    for axis in range(2):
        closed = plane + axis * area
        can_be_open = read(OPEN_SETS, 2 * (2 * size + axis))
        squares = can_be_open & ~read(row, NORTH_OPEN + 2 * axis)
        mark(cells, closed, squares, size)
        if rules_of(row) == QUORIDOR:
            squares = read(row, HORIZONTAL + 2 * axis)
        mark(cells, closed + 2 * area, squares, size)


@kernel(forceinline=True)
def observe(row: Row, viewer: int, cells: Cells) -> None:
    """Write a player's observation into zeroed cells; the module's docstring lists the planes."""
    size, players = size_of(row), players_of(row)
    area = size * size
    for place in range(players):
        player = (viewer + place) % players
        pawn, hand = pawn_of(row, player), hand_of(row, player)
        if pawn != NOT_CHOSEN and pawn != GONE:
            cells[place * area + NUMBER[size, pawn]] = 1
        mark(cells, (players + place) * area, goal_of(row, player), size)
        fill(cells, (2 * players + place) * area, area, -1 if hand == NO_LIMIT else hand)
        fill(cells, (3 * players + place) * area, area, player == mover(row))
    mark_walls(cells, 4 * players * area, row)
    fill(cells, (4 * players + 4) * area, area, is_in_setup(row))
