"""The drawings of Corridor, and the layout of its picture.

An arrow points to the goal of its player. It is drawn on pawns, walls and goals, so that players
can be told apart without colour. The unit of the layout is the distance of neighbouring squares'
middles.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from trine.core.scene import scene
from trine.core.scene.composing import Geometry, Squares
from trine.core.text.sentence import text, verbatim
from trine.games.corridor.board import ROLES, SEATS, SIDES_OF, opposite, square_names
from trine.games.corridor.rules import RuleSet, Wall, footprints
from trine.games.corridor.view.pointing import PASS_BUTTON

DIRECTIONS: Final = ("up", "right", "down", "left")


def turned(path: str, quarters: int) -> str:
    """Return a path of straight lines, rotated clockwise about the middle by quarter turns.

    >>> turned("M0 -20L15 10", 1)
    'M20 0L-10 15'
    """
    for _ in range(quarters):
        corners = path.removeprefix("M").removesuffix("Z").split("L")
        pairs = [map(float, corner.split()) for corner in corners]
        closed = "Z" if path.endswith("Z") else ""
        path = "M" + "L".join(f"{-y + 0:g} {x:g}" for x, y in pairs) + closed
    return path


ARROW: Final = "M0 -30L27 8L14 8L14 28L-14 28L-14 8L-27 8Z"
"""The outline of an arrow that points up."""
CHEVRON: Final = "M-34 20L0 -20L34 20"

PAWN: Final[scene.Figure] = (
    scene.Shape(scene.ellipse(0, 2, 46), "ink"),
    scene.Shape(scene.ellipse(0, 0, 45), "shade", "ink", 2.4),
    scene.Shape(scene.ellipse(0, 0, 35), "body", "ink", 1.6),
    scene.Shape("M-25 -14A29 29 0 0 1 14 -25", "none", "light", 3.4),
)
"""A wooden pawn, seen from above."""

FIGURES: Final[Mapping[str, scene.Figure]] = {
    "pawn": PAWN,
    **{
        f"arrow-{name}": (scene.Shape(turned(ARROW, quarters), "light", "ink", 3),)
        for quarters, name in enumerate(DIRECTIONS)
    },
    **{
        f"chevron-{name}": (
            scene.Shape(turned(CHEVRON, quarters), "none", "ink", 30),
            scene.Shape(turned(CHEVRON, quarters), "none", "light", 17),
        )
        for quarters, name in enumerate(DIRECTIONS)
    },
    "fresh": (
        scene.Shape(scene.ellipse(0, 0, 45), "light", "ink", 10),
        scene.Shape(scene.ellipse(0, 0, 20), "ink"),
    ),
    "way": (scene.Shape(scene.ellipse(0, 0, 40), "body", "ink", 12),),
    "trapped": (
        scene.Shape(scene.ellipse(0, 0, 44), "light", "ink", 7),
        scene.Shape("M-18 -38V38M0 -42V42M18 -38V38", "none", "ink", 7),
    ),
}
"""All drawings of the game, by name."""


MARGIN: Final = 0.16  # the margin of the picture
GOAL_WIDTH: Final = 0.18  # the width of a goal
LABEL_WIDTH: Final = 0.42
RAIL_DEPTH: Final = 0.62  # the depth of the rail that holds a player's walls in hand
SPOT_WIDTH: Final = 0.36  # the width of the area to point at for a wall. Guess
TILE: Final = 0.86  # the side of a square. The gap between squares is for walls; no mark covers it
WALL_GAP: Final = 0.1
"""The gap at each end of a wall two squares long, so that walls in line can be told apart."""

UP, RIGHT, DOWN, LEFTWARD = PICTURE_SIDES = range(4)  # the sides of the picture


class Layout:
    """The layout of the picture, seen from a player's side.

    The sides of the picture count clockwise from the upper one; so, seen from the south, side 0 of
    the picture is the goal of the player from side 0 of the board.
    """

    def __init__(self, rules: RuleSet, size: int, players: int, seat: int) -> None:
        self.rules, self.span, self.players, self.seat = rules, size, players, seat
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
        geometry = Geometry((self.left, self.top), (size, size), turns=self.turns)
        self.squares = Squares(square_names(size), geometry)
        self.corner = geometry.place
        """Returns the south-west corner of a square, from its file and rank."""
        self.size = (
            round(self.left + self.span + around[RIGHT], 2),
            round(self.top + self.span + around[DOWN], 2),
        )

    def beside(self, side: int, along: float, out: float) -> scene.Point:
        """Return a place along a side, from left or top, at a distance outside the squares."""
        far = self.span + out
        x, y = ((along, -out), (far, along), (along, far), (-out, along))[side]
        return scene.place(self.left + x, self.top + y)

    def stretch(self, side: int, start: float, end: float) -> tuple[scene.Point, ...]:
        """Return a rectangle along a side, between two distances from the squares."""
        (x, y), (far_x, far_y) = self.beside(side, 0, start), self.beside(side, self.span, end)
        return scene.box(min(x, far_x), min(y, far_y), abs(far_x - x), abs(far_y - y))

    def rail(self, player: int) -> tuple[int, float]:
        """Return a player's rail: the side of the picture, and its distance from the squares."""
        side = self.homes[player]
        return side, self.strips[side] + self.numbers[side] + RAIL_DEPTH / 2

    def tray(self, player: int) -> tuple[scene.Point, ...]:
        side, out = self.rail(player)
        return self.stretch(side, out - RAIL_DEPTH / 2 + 0.06, out + RAIL_DEPTH / 2 - 0.06)

    def board(self, playing: tuple[int, ...]) -> scene.Board:
        """Return the part of the scene that changes only if a player leaves."""
        cells = tuple(self.squares.cell(square, size=TILE) for square in range(self.span**2))
        return scene.Board(
            size=self.size,
            seat=self.seat,
            cells=cells,
            players=tuple(
                scene.ScenePlayer(ROLES[side], SEATS[side].name) for side in SIDES_OF[self.players]
            ),
            areas=tuple(self.areas(playing)),
            ornaments=tuple(self.arrows(playing)),
            labels=tuple(
                self.squares.coordinates(
                    *(self.strips[side] + LABEL_WIDTH / 2 for side in (DOWN, LEFTWARD))
                )
            ),
            spots=tuple(self.spots(cells)),
            buttons=(scene.Button(PASS_BUTTON, text("Pass")),),
            figures=FIGURES,
        )

    def areas(self, playing: Collection[int]) -> Iterator[scene.Area]:
        """Yield the board, the rails, and the goals of players who have not left."""
        across, down = self.size
        yield scene.Area("board", scene.box(0.03, 0.03, across - 0.06, down - 0.06))
        for player, start in enumerate(SIDES_OF[self.players]):
            yield scene.Area("tray", self.tray(player))
            if player in playing:
                goal = self.goals[player]
                yield scene.Area(ROLES[start], self.stretch(goal, 0, self.strips[goal]))
        yield scene.Area("field", self.stretch(UP, 0.02, -self.span - 0.02))  # only its rim is seen
        yield scene.Area("square", self.stretch(UP, 0, -self.span))

    def ends(self, wall: Wall) -> tuple[scene.Point, scene.Point]:
        """Return the ends of a wall; long walls leave `WALL_GAP` at each end."""
        length = self.rules.wall_length
        short = WALL_GAP if length > 1 else 0
        if wall.axis == "h":
            start = self.corner(wall.file + short, wall.rank + 1)
            return start, self.corner(wall.file + length - short, wall.rank + 1)
        start = self.corner(wall.file + 1, wall.rank + short)
        return start, self.corner(wall.file + 1, wall.rank + length - short)

    def center(self, wall: Wall) -> scene.Point:
        (x, y), (far_x, far_y) = self.ends(wall)
        return scene.place((x + far_x) / 2, (y + far_y) / 2)

    def spots(self, squares: Iterable[scene.Cell]) -> Iterator[scene.Spot]:
        """Yield squares and places for walls as areas to point at, which do not overlap.

        The area of a wall two squares long is beside the square that names it, because a horizontal
        and a vertical wall share the middle.
        """
        for cell in squares:
            yield scene.spot_of(cell, verbatim(cell.id), (1 - SPOT_WIDTH, 1 - SPOT_WIDTH))
        for wall in footprints(self.span, self.rules.wall_length):
            east, north = (0.5, 1) if wall.axis == "h" else (1, 0.5)
            horizontal = (wall.axis == "h") is (self.turns % 2 == 0)
            size = (1 - SPOT_WIDTH, SPOT_WIDTH) if horizontal else (SPOT_WIDTH, 1 - SPOT_WIDTH)
            at = self.corner(wall.file + east, wall.rank + north)
            preview = scene.Line("wall", self.ends(wall), id=str(wall))
            yield scene.Spot(str(wall), at, size, text("wall {wall}", wall=str(wall)), preview)

    def arrows(self, playing: Collection[int]) -> Iterator[scene.Piece]:
        """Yield small arrows on each goal, one beside every square, in its player's colour."""
        for player in playing:
            side = self.goals[player]
            for index in range(self.span):
                at = self.beside(side, index + 0.5, GOAL_WIDTH / 2)
                figure = f"chevron-{DIRECTIONS[side]}"
                yield scene.Piece(at, figure, owner=player, role="arrow", scale=0.14)


@lru_cache(maxsize=64)
def layout_of(rules: RuleSet, size: int, players: int, seat: int) -> Layout:
    return Layout(rules, size, players, seat)


board_of: Final = lru_cache(maxsize=64)(Layout.board)
