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

from trine.core.compiled.arrays import Cells, Row
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.kernel import layout, sets


def observation_shape(row: Row) -> tuple[int, int, int]:
    size = int(layout.size_of(row))
    return 4 * int(layout.players_of(row)) + 5, size, size


@kernel(forceinline=True)
def fill(cells: Cells, plane: int, area: int, value: int) -> None:
    if value:
        for cell in range(area):
            cells[plane + cell] = value


@kernel_only(forceinline=True)
def mark(cells: Cells, plane: int, squares: sets.Squares, size: int) -> None:
    while squares:
        cells[plane + layout.NUMBER[size, sets.first_of(squares)]] = 1
        squares = sets.without_first(squares)


@kernel_only()
def mark_walls(cells: Cells, plane: int, row: Row) -> None:
    size = layout.size_of(row)
    area = size * size
    for axis in range(2):
        mark(cells, plane + axis * area, sets.along(sets.closed_sides(row), axis), size)
        mark(cells, plane + (2 + axis) * area, sets.along(sets.walls_on_board(row), axis), size)


@kernel(forceinline=True)
def observe(row: Row, viewer: int, cells: Cells) -> None:
    size, players = layout.size_of(row), layout.players_of(row)
    area = size * size
    for place in range(players):
        player = (viewer + place) % players
        pawn, hand = layout.pawn_of(row, player), layout.hand_of(row, player)
        if pawn != layout.NOT_CHOSEN and pawn != layout.GONE:
            cells[place * area + layout.NUMBER[size, pawn]] = 1
        mark(cells, (players + place) * area, sets.goal_of(row, player), size)
        fill(cells, (2 * players + place) * area, area, -1 if hand == layout.NO_LIMIT else hand)
        fill(cells, (3 * players + place) * area, area, player == layout.mover(row))
    mark_walls(cells, 4 * players * area, row)
    fill(cells, (4 * players + 4) * area, area, layout.is_in_setup(row))
