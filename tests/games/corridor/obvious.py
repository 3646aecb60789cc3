"""The laws of walls once more, as slowly and obviously as can be, to compare with.

Squares and grid points are pairs of numbers here, and a wall is a set of short pieces, each between
two neighbouring grid points.
"""

from collections.abc import Callable, Iterable
from itertools import combinations, pairwise

from trine.games.corridor.board import EAST, NORTH, SOUTH, WEST
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall

Point = tuple[int, int]
Piece = frozenset[Point]


def pieces_of(wall: Wall, length: int) -> list[Piece]:
    if wall.axis == "h":
        x, y, right, up = wall.file, wall.rank + 1, 1, 0
    else:
        x, y, right, up = wall.file + 1, wall.rank, 0, 1
    line = [(x + right * along, y + up * along) for along in range(length + 1)]
    return [frozenset(ends) for ends in pairwise(line)]


def all_pieces(walls: Iterable[Wall], length: int) -> set[Piece]:
    return {piece for wall in walls for piece in pieces_of(wall, length)}


def walk(start: Point, step: Callable[[Point], Iterable[Point]]) -> set[Point]:
    reached, todo = {start}, [start]
    while todo:
        for near in step(todo.pop()):
            if near not in reached:
                reached.add(near)
                todo.append(near)
    return reached


def around(point: Point) -> list[Point]:
    x, y = point
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def squares_from(start: Point, size: int, pieces: set[Piece]) -> set[Point]:
    def step(square: Point) -> list[Point]:
        inside = [near for near in around(square) if set(near) <= set(range(size))]
        return [near for near in inside if piece_between(square, near) not in pieces]

    return walk(start, step)


def piece_between(square: Point, other: Point) -> Piece:
    """The piece of wall that would part two neighbouring squares."""
    x, y = max(square, other)
    if square[1] == other[1]:
        return frozenset([(x, y), (x, y + 1)])
    return frozenset([(x, y), (x + 1, y)])


def trapped_players(position: Position, pieces: set[Piece]) -> list[int]:
    players = []
    for player, seat in enumerate(position.seats):
        pawn = (position.pawns[player] % position.size, position.pawns[player] // position.size)
        axis, goal = {
            "n": (1, 0),
            "s": (1, position.size - 1),
            "e": (0, 0),
            "w": (0, position.size - 1),
        }[seat.letter]
        reached = squares_from(pawn, position.size, pieces)
        if not any(square[axis] == goal for square in reached):
            players.append(player)
    return players


def sides_of_lines(size: int, pieces: set[Piece]) -> list[set[int]]:
    """For each connected line of walls the sides of the board that it touches."""

    def step(point: Point) -> list[Point]:
        return [near for near in around(point) if frozenset([point, near]) in pieces]

    lines = {frozenset(walk(point, step)) for piece in pieces for point in piece}
    return [{side for point in line for side in _sides_at(point, size)} for line in lines]


def _sides_at(point: Point, size: int) -> set[int]:
    x, y = point
    touched = {SOUTH: y == 0, WEST: x == 0, NORTH: y == size, EAST: x == size}
    return {side for side, here in touched.items() if here}


def has_great_wall_by_lines(size: int, pieces: set[Piece]) -> bool:
    """Some line of walls touches two sides of the board."""
    return any(len(sides) > 1 for sides in sides_of_lines(size, pieces))


def has_great_wall_by_corners(size: int, pieces: set[Piece]) -> bool:
    """Some two corner squares of the board cannot reach each other."""
    last = size - 1
    corners = [(0, 0), (0, last), (last, 0), (last, last)]
    return any(
        other not in squares_from(corner, size, pieces)
        for corner, other in combinations(corners, 2)
    )


def legal_walls(position: Position) -> list[Wall]:
    rules, size, length = position.rules, position.size, position.rules.wall_length
    if position.in_setup or position.hands[position.mover] == 0 or position.outcome():
        return []
    standing = all_pieces(position.walls, length)
    legal = []
    for file in range(size):
        for rank in range(size):
            for wall in (Wall(file, rank, "h"), Wall(file, rank, "v")):
                pieces = set(pieces_of(wall, length))
                if pieces & standing or not all(_between_squares(piece, size) for piece in pieces):
                    continue
                other = Wall(file, rank, "v" if wall.axis == "h" else "h")
                if length == 2 and other in position.walls:
                    continue
                if not rules.walls_may_trap and trapped_players(position, standing | pieces):
                    continue
                if rules.great_wall and has_great_wall_by_lines(size, standing | pieces):
                    continue
                legal.append(wall)
    return legal


def _between_squares(piece: Piece, size: int) -> bool:
    (x, y), (right, up) = sorted(piece)
    if y == up:
        return right <= size and 0 < y < size
    return up <= size and 0 < x < size
