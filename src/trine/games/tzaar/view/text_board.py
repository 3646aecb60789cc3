"""The text board of TZAAR, and the sentences beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import Text, ctext, join, text
from trine.core.text.textboard import Look, Row, Sign, Span, TextBoard
from trine.games.tzaar.board import (
    CENTRE,
    COORDINATES,
    EMPTY,
    KINDS,
    LINES_FROM,
    PIECE_NAMES,
    PIECES,
    POINT_NAMES,
    POINTS,
    SIDE,
    SIDE_NAMES,
    SIDES,
    coordinates,
    piece_name,
)
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import (
    Action,
    Capture,
    Pass,
    Placement,
    Stacking,
    captures_of,
    missing_kind,
)
from trine.games.tzaar.view.insight import NEXT_ACTION, counted

PIECE_SETS: Final[Mapping[str, Text]] = {
    "letters": ctext("piece set", "letters: T Y Z for Tott, Tzarra, Tzaar, small for Black"),
    "discs": ctext("piece set", "discs: plain, with a dot, with a star, and the letter beside"),
}
_DISCS: Final = dict(zip("TYZtyz", "○◎☆●◉★", strict=True))

SIGNS: Final = (
    Sign("!", "capturable", text("its kind could be wiped out in one turn")),
    Sign("*", "sole", text("the last of its kind in sight")),
    Sign("^", "towering", text("no enemy is tall enough to take it")),
    Sign(":", "safe", text("nothing can take it now")),
)
"""Signs to the left of a point, the most urgent first."""
CHANGED: Final = Sign("()", "last", text("just changed"))
"""The signs on both sides of a point."""
TARGET_SIGNS: Final[Mapping[str, Sign]] = {
    "x": Sign("x", "target", text("can be captured")),
    "+": Sign("+", "target", text("can be stacked onto")),
}
"""The marks of the targets of actions, by the sign between origin and target in notation."""

LEGEND: Final[Mapping[str, tuple[Sign, ...]]] = {
    name: (
        Sign(" ".join(white), "white", text("White: Tott, Tzarra, Tzaar")),
        Sign(" ".join(black), "black", text("Black: Tott, Tzarra, Tzaar")),
    )
    for name, white, black in (("letters", KINDS, KINDS.lower()), ("discs", "○◎☆", "●◉★"))
}
"""The names of the pieces, by piece set. A terminal shows each sign in the colour of its pieces, so
the legend also shows the colour used for Black."""

# --- the layout ----------------------------------------------------------------------------------

POINT_LINES: Final = 17
"""Lines of points, from the top down; one more above and one below have names of points."""
MARGIN: Final = 3
"""Columns of the screen on the left of column a, and on the right of column i: space for a sign, or
for a height of two digits and a sign."""
COLUMN_WIDTHS: Final[Mapping[str, int]] = {"letters": 4, "discs": 6}
"""The distance of neighbouring columns of the board, in columns of the screen."""


class _Frame(NamedTuple):
    """The size of a drawn board, and whether it is flipped."""

    wide: int
    flipped: bool

    def place(self, point: int) -> tuple[int, int]:
        return self.project(*COORDINATES[point])

    def project(self, column: int, height: int) -> tuple[int, int]:
        """Convert the board's coordinates to a column and a line of the screen."""
        if self.flipped:
            column, height = 8 - column, POINT_LINES - 1 - height
        return MARGIN + column * self.wide, POINT_LINES - height

    def name_place(self, point: int) -> tuple[int, int] | None:
        """Return the place of the name of a point at the end of a column; None for other points."""
        column, height = COORDINATES[point]
        low = abs(column - 4)
        if height not in (low, POINT_LINES - 1 - low):
            return None
        across, line = self.place(point)
        above = (height > low) is not self.flipped
        left = column != 4 and (column < 4) is not self.flipped
        return across - left, line + (-1 if above else 1)


def text_board(position: Position, look: Look) -> TextBoard:
    r"""Draw a position as lines of text, turned like the picture: with upright columns.

    The columns a to i go from left to right, each counted upward; so the three directions of the
    lines are those of the strokes ``/``, ``|`` and ``\``. The ends of the columns have their names.
    A height from 2 on follows the letter.

    >>> from trine.games.tzaar.diagrams import parse_position
    >>> board = "...../.Y..../...Z2T../......../....*..../.....z../......./.y..../t3...."
    >>> print(text_board(parse_position(f"open {board} black 2"), Look()))
                       e9
                  d8 / . \ f8
              c7 / . \ | / . \ g7
          b6 / . \ | / . \ | / . \ h6
      a5 / . \ | / . \ | / . \ | / . \ i5
       . \ | / . \ | / . \ | / . \ | / .
       | / . \ | / . \ | / z \ | / . \ |
       . \ | / T \ | / . \ | / . \ | / .
       | / . \ | / .       . \ | / . \ |
       . \ | / Z2\ |       | / . \ | / .
       | / . \ | / . \   / . \ | / . \ |
       . \ | / . \ | / . \ | / . \ | / .
       | / Y \ | / . \ | / . \ | / y \ |
       . \ | / . \ | / . \ | / . \ | / t3
      a1   . \ | / . \ | / . \ | / .   i1
          b1   . \ | / . \ | / .   h1
              c1   . \ | / .   g1
                  d1   .   f1
                       e1
    """
    frame = _Frame(COLUMN_WIDTHS[look.pieces], look.flipped)
    drawing = _Drawing()
    used: set[Sign] = set()
    across, line = frame.project(*coordinates(CENTRE))
    drawing.write(across - 1, line, "   ", "hole")
    for point in POINTS:
        _draw_strokes(drawing, frame, point)
    for point in POINTS:
        used |= _draw_point(drawing, frame, position, point, look)
    signs = tuple(sign for sign in (*TARGET_SIGNS.values(), *SIGNS, CHANGED) if sign in used)
    return TextBoard(drawing.rows(), (*LEGEND[look.pieces], *signs))


class _Drawing:
    """A grid of characters: a letter and its role, by line and column."""

    def __init__(self) -> None:
        self._letters: dict[tuple[int, int], Span] = {}

    def write(self, column: int, line: int, words: str, roles: str) -> None:
        """Write text, replacing what is there."""
        for offset, letter in enumerate(words):
            self._letters[line, column + offset] = Span(letter, roles)

    def rows(self) -> tuple[Row, ...]:
        """Return everything that was written, in spans of equal roles."""
        return tuple(self._row(line) for line in range(max(self._letters)[0] + 1))

    def _row(self, line: int) -> Row:
        spans: list[Span] = []
        last = max(column for at, column in self._letters if at == line)
        for column in range(last + 1):
            letter, roles = self._letters.get((line, column), Span(" "))
            if spans and spans[-1].roles == roles:
                letter = spans.pop().text + letter
            spans.append(Span(letter, roles))
        return tuple(spans)


def _draw_strokes(drawing: _Drawing, frame: _Frame, point: int) -> None:
    """Draw the strokes from a point to the next ones below it.

    An upright stroke is below the point. A slanting one is beside it, on its own line: the next
    point in that direction is on the line below.
    """
    across, line = frame.place(point)
    for way in LINES_FROM[point]:
        for there, below in map(frame.place, way[:1]):
            if below > line and there == across:
                drawing.write(across, line + 1, "|", "line")
            elif below > line:
                drawing.write((across + there) // 2, line, "/" if there < across else "\\", "line")


def _draw_point(
    drawing: _Drawing, frame: _Frame, position: Position, point: int, look: Look
) -> set[Sign]:
    """Draw a sign, the stack with its height or an empty point, and a name on the edge.

    Returns: the signs that were drawn.
    """
    column, line = frame.place(point)
    name, top = POINT_NAMES[point], position.tops[point]
    marks = look.marks.get(name, frozenset())
    signs = [*_target(look, name), *(sign for sign in SIGNS if sign.roles in marks)][:1]
    ground, stack, roles = "point", EMPTY, "point"
    if name in look.last:
        ground, roles = "point last", "point last"
    if top != EMPTY:
        height = position.heights[point]
        stack = _DISCS[top] + top if look.pieces == "discs" else top
        stack += str(height) if height > 1 else ""
        roles += " black" if SIDE[top] else " white"
    if name in look.last:
        drawing.write(column - 1, line, CHANGED.sign[0], f"{ground} {CHANGED.roles}")
        drawing.write(column + len(stack), line, CHANGED.sign[1], f"{ground} {CHANGED.roles}")
    for sign in signs:
        drawing.write(column - 1, line, sign.sign, f"{ground} {sign.roles}")
    drawing.write(column, line, stack, roles)
    if place := frame.name_place(point):
        drawing.write(*place, name, "coordinate")
    return {*signs, CHANGED} if name in look.last else set(signs)


def _target(look: Look, name: str) -> list[Sign]:
    """Return the signs of the targeted actions at a point, if all of them belong to one stack.

    The actions of all stacks together would mark nearly every point.
    """
    if len({action[:2] for action in look.targets}) != 1:
        return []
    does = [action[2] for action in look.targets if action[3:] == name]
    return [TARGET_SIGNS[sign] for sign in does if sign in TARGET_SIGNS]


# --- beside the board ----------------------------------------------------------------------------


def status(position: Position) -> list[Text]:
    r"""Return the lines beside the board: pieces in hand; or the next action, kinds and captures.

    >>> from trine.games.tzaar.rules import RULE_SETS
    >>> print(*status(Position.before_placement(RULE_SETS["open"])), sep="\n")
    White in hand: 15 T, 9 Y, 6 Z
    Black in hand: 15 T, 9 Y, 6 Z
    """
    if position.in_setup:
        return [
            text(
                "{side} in hand: {pieces}",
                side=SIDE_NAMES[side],
                pieces=counted(position.hand(side)),
            )
            for side in SIDES
        ]
    lines = [] if position.outcome() else [NEXT_ACTION[position.stage]]
    for side in SIDES:
        pieces = counted(position.shown(side))
        lines.append(text("{side} in sight: {pieces}", side=SIDE_NAMES[side], pieces=pieces))
    captures = [
        text(
            "{side} {count}",
            side=SIDE_NAMES[side],
            count=len(captures_of(position.tops, position.heights, side)),
        )
        for side in SIDES
    ]
    return [*lines, text("captures now: {counts}", counts=join(captures))]


def changed_cells(position: Position, actions: Sequence[Action]) -> frozenset[str]:
    touched: set[int] = set()
    for action in actions:
        if isinstance(action, Placement):
            touched.add(action.point)
        elif not isinstance(action, Pass):
            touched |= {action.origin, action.target}
    return frozenset(POINT_NAMES[point] for point in touched)


def group_actions(position: Position, actions: Sequence[Action]) -> list[tuple[Text, list[Action]]]:
    """Return legal actions in groups: captures by kind, stackings, pass, placements."""
    groups: dict[tuple[int, int], tuple[Text, list[Action]]] = {}
    for action in actions:
        if isinstance(action, Capture):
            kind = position.tops[action.origin].upper()
            order = (0, KINDS.index(kind))
            heading = text("capture with: {piece}", piece=piece_name(kind))
        elif isinstance(action, Stacking):
            order, heading = (1, 0), text("stack")
        elif isinstance(action, Placement):
            order = (0, KINDS.index(action.kind))
            heading = text("place: {piece}", piece=piece_name(action.kind))
        else:
            order, heading = (2, 0), text("pass")
        groups.setdefault(order, (heading, []))[1].append(action)
    return [groups[order] for order in sorted(groups)]


# --- what has ended a play, and what to do next ---------------------------------------------------


def cause(position: Position, outcome: Outcome) -> Cause | None:
    if outcome.winner is None:
        return None
    loser = 1 - outcome.winner
    if outcome.reason is Reason.EXTINCTION:
        kind = missing_kind(position.tops, loser)
        return Cause(
            text("no {piece} is left", piece=PIECE_NAMES[PIECES[loser][KINDS.index(kind)]])
        )
    if outcome.reason is Reason.NO_CAPTURE:
        return Cause(text("{side} can capture nothing", side=SIDE_NAMES[loser]))
    return None


NEXT: Final[Mapping[Stage, Text]] = {
    Stage.PLACE: text("Place a piece on any free point: choose its kind, then the point."),
    Stage.FIRST: text("The first turn is one capture: choose a piece, then what it takes."),
    Stage.ONE: text("You must capture: choose a stack, then what it takes."),
    Stage.TWO: text("You may still capture, stack or pass."),
}


def coach(position: Position) -> Text:
    """Return a sentence about what the player to move does next."""
    return NEXT[position.stage]
