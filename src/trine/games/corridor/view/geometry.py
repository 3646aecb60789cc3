"""The layout of Corridor's picture; the unit is the distance of neighbouring squares' middles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final

from trine.core.scene.scene import Area, Cell, Label, Line, Piece, Point, Spot, box, place, spot_of
from trine.core.text.sentence import text, verbatim
from trine.games.corridor.board import FILES, ROLES, SIDES_OF, opposite, square_names
from trine.games.corridor.rules import RuleSet, Wall, footprints
from trine.games.corridor.view.figures import DIRECTIONS

MARGIN: Final = 0.16
"""The margin of the picture."""
GOAL_WIDTH: Final = 0.18
"""The width of a goal."""
LABEL_WIDTH: Final = 0.42
RAIL_DEPTH: Final = 0.62
"""The depth of the rail that holds a player's walls in hand."""
SPOT_WIDTH: Final = 0.36
"""The width of the area to point at for a wall. Guess."""
TILE: Final = 0.86
"""The side of a square. The gap between squares is for walls; no mark covers it."""
WALL_GAP: Final = 0.1
"""The gap at each end of a wall two squares long, so that walls in line can be told apart."""

UP, RIGHT, DOWN, LEFTWARD = PICTURE_SIDES = range(4)
"""The sides of the picture."""


class Geometry:
    """The layout of the picture, seen from a player's side.

    The sides of the picture count clockwise from the upper one; so, seen from the south, side 0 of
    the picture is the goal of the player from side 0 of the board.
    """

    def __init__(self, rules: RuleSet, size: int, players: int, seat: int) -> None:
        self.rules, self.span, self.players = rules, size, players
        starts = SIDES_OF[players]
        self.turns = starts[seat]
        """The number of quarter turns that bring the seat's side to the bottom."""
        self.goals = [(start - self.turns) % 4 for start in starts]
        """For each player the side of the picture with the goal."""
        self.homes = [opposite(goal) for goal in self.goals]
        self.strips = [GOAL_WIDTH if side in self.goals else 0 for side in PICTURE_SIDES]
        self.numbers = [LABEL_WIDTH if side in (DOWN, LEFTWARD) else 0.0 for side in PICTURE_SIDES]
        rails = [RAIL_DEPTH if side in self.homes else 0 for side in PICTURE_SIDES]
        parts = zip(self.strips, self.numbers, rails, strict=True)
        around = [MARGIN + sum(part) for part in parts]
        self.left, self.top = around[LEFTWARD], around[UP]
        self.size = (
            round(self.left + self.span + around[RIGHT], 2),
            round(self.top + self.span + around[DOWN], 2),
        )

    # --- places ----------------------------------------------------------------------------------

    def corner(self, file: float, rank: float) -> Point:
        """Return the south-west corner of a square; for 0 and 0 it is the corner of the board."""
        right, up = file, rank
        for _ in range(self.turns):
            right, up = self.span - up, right
        return place(self.left + right, self.top + self.span - up)

    def middle(self, square: int) -> Point:
        return self.corner(square % self.span + 0.5, square // self.span + 0.5)

    def beside(self, side: int, along: float, out: float) -> Point:
        """Return a place along a side, from left or top, at a distance outside the squares."""
        far = self.span + out
        x, y = ((along, -out), (far, along), (along, far), (-out, along))[side]
        return place(self.left + x, self.top + y)

    def stretch(self, side: int, start: float, end: float) -> tuple[Point, ...]:
        """Return a rectangle along a side, between two distances from the squares."""
        (x, y), (far_x, far_y) = self.beside(side, 0, start), self.beside(side, self.span, end)
        return box(min(x, far_x), min(y, far_y), abs(far_x - x), abs(far_y - y))

    def rail(self, player: int) -> tuple[int, float]:
        """Return a player's rail: the side of the picture, and its distance from the squares."""
        side = self.homes[player]
        return side, self.strips[side] + self.numbers[side] + RAIL_DEPTH / 2

    def tray(self, player: int) -> tuple[Point, ...]:
        side, out = self.rail(player)
        return self.stretch(side, out - RAIL_DEPTH / 2 + 0.06, out + RAIL_DEPTH / 2 - 0.06)

    # --- the board -------------------------------------------------------------------------------

    def areas(self, playing: Collection[int]) -> Iterator[Area]:
        """Yield the board, the rails, and the goals of players who have not left."""
        across, down = self.size
        yield Area("board", box(0.03, 0.03, across - 0.06, down - 0.06))
        for player, start in enumerate(SIDES_OF[self.players]):
            yield Area("tray", self.tray(player))
            if player in playing:
                goal = self.goals[player]
                yield Area(ROLES[start], self.stretch(goal, 0, self.strips[goal]))
        yield Area("field", self.stretch(UP, 0.02, -self.span - 0.02))  # only its rim is seen
        yield Area("square", self.stretch(UP, 0, -self.span))

    def squares(self) -> Iterator[Cell]:
        for square, name in enumerate(square_names(self.span)):
            x, y = at = self.middle(square)
            yield Cell(name, "square", at, box(x - TILE / 2, y - TILE / 2, TILE, TILE))

    def ends(self, wall: Wall) -> tuple[Point, Point]:
        """Return the ends of a wall; long walls leave `WALL_GAP` at each end."""
        length = self.rules.wall_length
        short = WALL_GAP if length > 1 else 0
        if wall.axis == "h":
            start = self.corner(wall.file + short, wall.rank + 1)
            return start, self.corner(wall.file + length - short, wall.rank + 1)
        start = self.corner(wall.file + 1, wall.rank + short)
        return start, self.corner(wall.file + 1, wall.rank + length - short)

    def center(self, wall: Wall) -> Point:
        (x, y), (far_x, far_y) = self.ends(wall)
        return place((x + far_x) / 2, (y + far_y) / 2)

    def spots(self, squares: Iterable[Cell]) -> Iterator[Spot]:
        """Yield squares and places for walls as areas to point at, which do not overlap.

        The area of a wall two squares long is beside the square that names it, because a horizontal
        and a vertical wall share the middle.
        """
        for cell in squares:
            yield spot_of(cell, verbatim(cell.id), (1 - SPOT_WIDTH, 1 - SPOT_WIDTH))
        for wall in footprints(self.span, self.rules.wall_length):
            east, north = (0.5, 1) if wall.axis == "h" else (1, 0.5)
            horizontal = (wall.axis == "h") is (self.turns % 2 == 0)
            size = (1 - SPOT_WIDTH, SPOT_WIDTH) if horizontal else (SPOT_WIDTH, 1 - SPOT_WIDTH)
            at = self.corner(wall.file + east, wall.rank + north)
            preview = Line("wall", self.ends(wall), id=str(wall))
            yield Spot(str(wall), at, size, text("wall {wall}", wall=str(wall)), preview)

    def coordinates(self) -> Iterator[Label]:
        """Yield the letters of files and the numbers of ranks, below the board and left of it."""
        out = self.strips[DOWN] + LABEL_WIDTH / 2
        out_left = self.strips[LEFTWARD] + LABEL_WIDTH / 2
        for index in range(self.span):
            x, y = self.middle(index * (self.span + 1))  # a1, b2 … name each file and rank once
            for name in (FILES[index], str(index + 1)):
                if name.isalpha() is (self.turns % 2 == 0):
                    yield Label(verbatim(name), (x, self.top + self.span + out))
                else:
                    yield Label(verbatim(name), (self.left - out_left, y))

    def arrows(self, playing: Collection[int]) -> Iterator[Piece]:
        """Yield small arrows on each goal, one beside every square, in its player's colour."""
        for player in playing:
            side = self.goals[player]
            for index in range(self.span):
                at = self.beside(side, index + 0.5, GOAL_WIDTH / 2)
                figure = f"chevron-{DIRECTIONS[side]}"
                yield Piece(at, figure, owner=player, role="arrow", scale=0.14)


@lru_cache(maxsize=64)
def geometry_of(rules: RuleSet, size: int, players: int, seat: int) -> Geometry:
    return Geometry(rules, size, players, seat)
