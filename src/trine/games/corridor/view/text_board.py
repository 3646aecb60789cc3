"""The text board of Corridor.

A board is a lattice: squares, the gaps between them, and the points where gaps meet. A board of
size n has 2n + 1 columns and rows; the outer ones are the border. Both numbers of a square are odd,
both numbers of a point are even. A wall one square long fills a gap; a wall two squares long fills
two gaps, and the point in its middle.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import Final

from trine.core.scene.canvas import Look, Row, Sign, Span, TextBoard
from trine.core.text.sentence import Text, ctext, text
from trine.games.corridor.board import FILES, ROLES, SIDES_OF, opposite, square_at, square_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall, footprints

PIECE_SETS: Final[Mapping[str, Text]] = {"letters": ctext("piece set", "letters between lines")}


# The index of a joint's sign is the sum of the joint's arms: up 1, right 2, down 4, left 8.
BORDER: Final = "   └ │┌├ ┘─┴┐┤┬ "  # joints of the border, where walls two squares long may end
ENDS: Final = "···└··┌├·┘·┴┐┤┬┼"
"""Points where walls two squares long end: a joint only if two walls meet at an angle."""
JOINTS: Final = "···┗·┃┏┣·┛━┻┓┫┳╋"  # points where walls one square long meet
BORDER_TOUCHES: Final = "┰┥┸┝"
"""Points where a wall one square long meets the upper, right, lower or left border."""
WALLS: Final = ("━", "┃")  # a horizontal and a vertical wall
NEW_WALLS: Final = ("═", "║")  # a horizontal and a vertical wall that were just placed
MIDDLES: Final = {"━": "━┷┯┿", "┃": "┃┨┠╂", "═": "═╧╤╪", "║": "║╢╟╫"}
"""The middle of a wall two squares long: alone; with the end of another wall above or to the left;
with one below or to the right; with both."""
ARROWS: Final = "↑→↓←"
DOT: Final = "•"  # the sign of a square that the pawn can go to
UP, RIGHT, DOWN, LEFTWARD = ARMS = (1, 2, 4, 8)
STEPS: Final = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFTWARD: (-1, 0)}
"""The step of each arm on the lattice, whose rows run down."""

TRAPPED: Final = Sign("!", "trapped", text("trapped: no way to its goal"))
ON_PATH_SIGN: Final = Sign("*", "way", text("on a shortest way of the player to move"))
HORIZONTAL: Final = Sign("-", "target", text("a wall can lie here"))
VERTICAL: Final = Sign("|", "target", text("a wall can stand here"))
VERTICAL_IN_GAP: Final = Sign(":", "target", text("a wall can stand here"))
"""The sign for walls one square long, because ``|`` in a gap would look like a wall."""
EITHER: Final = Sign("+", "target", text("a wall can lie or stand here"))
MOVE_TARGET: Final = text("the pawn can go here")
START_TARGET: Final = text("the pawn can start here")
CHANGED: Final = Sign("()", "last", text("just changed"))
JUST_PLACED: Final = text("a wall just placed")


def text_board(position: Position, look: Look) -> TextBoard:
    """Draw a position as lines of text.

    Walls one square long are joined where they meet. Walls two squares long are unbroken in their
    middle; at their ends, light corners join them, or a dot separates two walls in line, so that
    each can be told from the next.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> walls = (Wall(0, 0, "v"), Wall(1, 1, "h"))
    >>> board = Position(RULE_SETS["quoridor"], 4, (1, 14), (9, 10), walls)
    >>> print(text_board(board, Look()))
        a   b   c   d
      ┌─↑───↑───↑───↑─┐
    4 │         N     │
      │   ·   ·   ·   │
    3 │               │
      │   ┌━━━━━━━·   │
    2 │   ┃           │
      │   ┃   ·   ·   │
    1 │   ┃ S         │
      └─↓─┴─↓───↓───↓─┘
        a   b   c   d
    """
    board = _Board(position, look)
    size = position.size
    margin = len(str(size)) + 1
    files = range(size - 1, -1, -1) if look.flipped else range(size)
    letters = Span(" " * (margin + 2) + "   ".join(FILES[file] for file in files), "coordinate")
    rows: list[Row] = [(letters,)]
    for row in range(2 * size + 1):
        rank = row // 2 if look.flipped else size - 1 - row // 2
        number = str(rank + 1) if row % 2 else ""
        rows.append((Span(f"{number:>{margin - 1}} ", "coordinate"), *_merge_spans(board.row(row))))
    rows.append((letters,))
    return TextBoard(tuple(rows), tuple(board.used))


def _merge_spans(spans: Iterator[Span]) -> Iterator[Span]:
    """Join neighbouring spans of the same roles."""
    for roles, stretch in groupby(spans, key=lambda span: span.roles):
        yield Span("".join(span.text for span in stretch), roles)


class _Board:
    def __init__(self, position: Position, look: Look) -> None:
        self.position, self.look = position, look
        self.long = position.rules.wall_length > 1
        self.edge = 2 * position.size  # the last column and row
        self.frame = {
            (column, row)
            for column in range(self.edge + 1)
            for row in range(self.edge + 1)
            if self.edge in (column, row) or 0 in (column, row)
        }
        self.walls = {cell: wall for wall in position.walls for cell in self.cells_of(wall)}
        """The wall in each gap, and on each point in the middle of a wall."""
        self.places = self.wall_targets()
        self.pawns = {pawn: player for player, pawn in enumerate(position.pawns) if pawn >= 0}
        self.goals = dict(self.goals_by_side())
        self.used: dict[Sign, None] = dict.fromkeys(self.goals.values())
        """The signs used on the board, for the legend."""

    # --- the layout ------------------------------------------------------------------------------

    def turned(self, column: int, row: int) -> tuple[int, int]:
        """Return a place as the viewer sees it: if flipped, the board is rotated by 180°."""
        if self.look.flipped:
            return self.edge - column, self.edge - row
        return column, row

    def cells_of(self, wall: Wall) -> list[tuple[int, int]]:
        """Return the places of the lattice that a wall fills, from end to end."""
        column, row = 2 * wall.file + 1, self.edge - 2 * wall.rank - 1
        steps = range(2 * self.position.rules.wall_length - 1)
        if wall.axis == "h":
            return [self.turned(column + step, row - 1) for step in steps]
        return [self.turned(column + 1, row - step) for step in steps]

    def wall_targets(self) -> dict[tuple[int, int], Sign]:
        """Return the signs for walls that can be placed, by the middle of each wall."""
        signs: dict[tuple[int, int], Sign] = {}
        for place in footprints(self.position.size, self.position.rules.wall_length):
            if str(place) in self.look.targets:
                cells = self.cells_of(place)
                sign = (
                    HORIZONTAL if place.axis == "h" else VERTICAL if self.long else VERTICAL_IN_GAP
                )
                middle = cells[len(cells) // 2]
                signs[middle] = EITHER if middle in signs else sign
        return signs

    def goals_by_side(self) -> Iterator[tuple[int, Sign]]:
        """Yield each player's goal side, clockwise from the top of the picture, and its arrow."""
        for player in self.position.playing:
            # Sides of the board count from the south clockwise, those of the picture from the
            # north: the goal of a player from side 0 of the board is side 0 of the picture.
            start = SIDES_OF[self.position.players][player]
            side = opposite(start) if self.look.flipped else start
            goal = text("goal of {player}", player=self.position.seats[player].name)
            yield side, Sign(ARROWS[side], self.role(player), goal)

    # --- row by row ------------------------------------------------------------------------------

    def row(self, row: int) -> Iterator[Span]:
        for column in range(self.edge + 1):
            if (column, row) in self.frame:
                yield from self.border(column, row)
            elif column % 2 and row % 2:
                yield from self.square(column, row)
            elif column % 2 or row % 2:
                yield self.gap(column, row)
            else:
                yield self.point(column, row)

    def square(self, column: int, row: int) -> Iterator[Span]:
        """Yield the three signs of a square: left, middle with the pawn or a mark, and right."""
        column, row = self.turned(column, row)
        size = self.position.size
        square = square_at(size, column // 2, size - 1 - row // 2)
        name = square_name(size, square)
        marks = self.look.marks.get(name, ())
        changed = self.use(CHANGED if name in self.look.last else None)
        left, right = (Span(sign, changed.roles) for sign in changed.text.center(2))
        path = self.use(ON_PATH_SIGN if "way" in marks else None)
        if square in self.pawns:
            player = self.pawns[square]
            middle = Span(self.position.seats[player].letter.upper(), self.role(player))
            if self.position.distance(player) is None:
                left = self.use(TRAPPED)
            right = path if "way" in marks else right
        elif target := self.pawn_target(name):
            middle, right = self.use(target), path if "way" in marks else right
        else:
            middle = path
        signs = (left, middle, right)
        ground = "square last" if name in self.look.last else "square"
        for sign in signs:
            yield Span(sign.text, f"{ground} {sign.roles}".rstrip())

    def pawn_target(self, name: str) -> Sign | None:
        """Return the sign of a square that the pawn can go to or start on, or None."""
        if name in self.look.targets:
            return Sign(DOT, "target", MOVE_TARGET)
        if f"@{name}" in self.look.targets:
            return Sign(DOT, "target", START_TARGET)
        return None

    def gap(self, column: int, row: int) -> Span:
        """Return a gap between two squares: a wall, the sign of a place for a wall, or blanks."""
        width = 3 if column % 2 else 1
        if wall := self.walls.get((column, row)):
            return Span(self.stroke(wall) * width, self.roles_of(wall))
        sign, roles = self.use(self.places.get((column, row)))
        return Span(sign.center(width), f"gap {roles}".rstrip())

    def point(self, column: int, row: int) -> Span:
        """Return a point between squares: the middle of a wall or a target, a joint, or a dot."""
        arms = self.arms(column, row, self.walls)
        if wall := self.walls.get((column, row)):
            before, after = (UP, DOWN) if wall.axis == "h" else (LEFTWARD, RIGHT)
            ends = bool(arms & before) + 2 * bool(arms & after)
            return Span(MIDDLES[self.stroke(wall)][ends], self.roles_of(wall))
        if (column, row) in self.places:
            sign, roles = self.use(self.places[column, row])
            return Span(sign, f"gap {roles}")
        table = ENDS if self.long else JOINTS
        is_joint = arms not in (0, *ARMS)
        return Span(table[arms], self.roles_at(column, row) if is_joint else "gap")

    def border(self, column: int, row: int) -> Iterator[Span]:
        """Yield a part of the border; beside a square of a goal, with the player's arrow."""
        side = 0 if row == 0 else 2 if row == self.edge else 3 if column == 0 else 1
        along = self.arms(column, row, self.frame)
        if column % 2:
            line = BORDER[RIGHT | LEFTWARD]
            arrow = self.goals.get(side)
            yield Span(line, "border")
            yield Span(arrow.sign, f"border {arrow.roles}") if arrow else Span(line, "border")
            yield Span(line, "border")
        elif row % 2:
            line = BORDER[UP | DOWN]
            arrow = self.goals.get(side)
            yield Span(arrow.sign, f"border {arrow.roles}") if arrow else Span(line, "border")
        elif (arms := self.arms(column, row, self.walls)) and not self.long:
            yield Span(BORDER_TOUCHES[side], self.roles_at(column, row))
        else:
            yield Span(BORDER[along | arms], "border")

    def arms(self, column: int, row: int, cells: Collection[tuple[int, int]]) -> int:
        """Return the sum of a joint's arms, one towards each neighbouring place in ``cells``."""
        return sum(
            arm for arm, (right, down) in STEPS.items() if (column + right, row + down) in cells
        )

    # --- roles -----------------------------------------------------------------------------------

    def stroke(self, wall: Wall) -> str:
        """Return the sign that draws a wall."""
        axis = "hv".index(wall.axis)
        if str(wall) not in self.look.last:
            return WALLS[axis]
        return self.use(Sign(NEW_WALLS[axis], "last", JUST_PLACED)).text

    def role(self, player: int) -> str:
        return ROLES[SIDES_OF[self.position.players][player]]

    def roles_of(self, wall: Wall) -> str:
        """Return the roles of a wall: its owner's, if known, and ``last`` if it was just placed."""
        owner = self.position.owners.get(wall)
        roles = "wall" if owner is None else f"wall {self.role(owner)}"
        return f"{roles} last" if str(wall) in self.look.last else roles

    def roles_at(self, column: int, row: int) -> str:
        """Return the roles of the walls that meet at a joint if all are equal, else ``wall``."""
        meeting = [self.walls.get((column + right, row + down)) for right, down in STEPS.values()]
        roles = {self.roles_of(wall) for wall in meeting if wall}
        return roles.pop() if len(roles) == 1 else "wall"

    def use(self, sign: Sign | None) -> Span:
        """Return the span of a sign, and add the sign to the legend; for None, a blank."""
        if sign is None:
            return Span(" ")
        self.used[sign] = None
        return Span(sign.sign, sign.roles)
