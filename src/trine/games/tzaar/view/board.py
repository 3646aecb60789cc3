"""The board of TZAAR as a scene, as text, and for the position editor."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from trine.core.contract.editor import Setting, mover_setting
from trine.core.contract.lettering import HeapPlace, Lettering, Stone
from trine.core.scene import scene
from trine.core.scene.canvas import Canvas, Look, Sign, Signs, TextBoard
from trine.core.scene.composing import LAST_MEANINGS, Geometry, SceneLook
from trine.core.text.sentence import Text, ctext, join, text, verbatim
from trine.games.tzaar import board
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.view.figures import DISCS, FIGURES
from trine.games.tzaar.view.insight import NEXT_ACTION, counted
from trine.games.tzaar.view.pointing import PASS_BUTTON

POSITION_CACHE_SIZE: Final = 64
"""The number of positions whose pieces and description are cached for the scenes of all seats."""

SIZE: Final = (9.0, 10.5)
"""The size of the picture: the hexagon with the names of its ends, and a tray in two corners."""
MIDDLE: Final = (SIZE[0] / 2, SIZE[1] / 2)
COLUMN_WIDTH: Final = math.sqrt(3) / 2
"""The distance of columns: neighbours in all three directions are one unit apart."""
EXTENT: Final = (8, 16)
"""The coordinates of the upper right corner; the missing centre has half of both."""
FIELD_RADIUS: Final = 4.58
"""The distance from the middle to a corner of the field; its outermost points are 4 away."""
HOLE_RADIUS: Final = 0.42  # the distance from the middle to a corner of the hole
NAME_DISTANCE: Final = 0.96  # the distance from the end of a column to its name
TRAY: Final = (3.15, 0.74)
TRAY_GAP: Final = 0.16  # the distance from a tray to the edges of the picture
TURN_WIDTH: Final = 0.44  # the width of the end of a tray that holds the actions of the turn
SLOT: Final = ((TRAY[0] - TURN_WIDTH) / len(board.KINDS), TRAY[1])
STEPS: Final[Mapping[Stage, Sequence[str]]] = {
    Stage.PLACE: ("step",),
    Stage.FIRST: ("step",),
    Stage.ONE: ("step", "step"),
    Stage.TWO: ("step-used", "step"),
}

PIECE_SETS: Final[Mapping[str, Text]] = {
    "letters": ctext("piece set", "letters: T Y Z for Tott, Tzarra, Tzaar, small for Black"),
    "discs": ctext("piece set", "discs: plain, with a dot, with a star, and the letter beside"),
}
_DISCS: Final = dict(zip("TYZtyz", "○◎☆●◉★", strict=True))

TARGETS: Final[Mapping[str, Sign]] = {
    "x": Sign("x", "target", text("can be captured")),
    "+": Sign("+", "target", text("can be stacked onto")),
}
"""The signs on targets of actions, by the character between origin and target in notation."""
CHANGED: Final = Sign("()", "last", text("just changed"))
MARKS: Final = (
    Sign("!", "capturable", text("its kind could be wiped out in one turn")),
    Sign("*", "sole", text("the last of its kind in sight")),
    Sign("^", "towering", text("no enemy is tall enough to take it")),
    Sign(":", "safe", text("nothing can take it now")),
)
SIGNS: Final = Signs((*MARKS, CHANGED), (CHANGED,))
MEANINGS: Final = {**LAST_MEANINGS, **{sign.roles: sign.meaning for sign in MARKS}}
"""The meaning of marks; other marks have no line in the legend."""
LEGEND: Final[Mapping[str, tuple[Sign, ...]]] = {
    name: (
        Sign(" ".join(white), "white", text("White: Tott, Tzarra, Tzaar")),
        Sign(" ".join(black), "black", text("Black: Tott, Tzarra, Tzaar")),
    )
    for name, white, black in (
        ("letters", board.KINDS, board.KINDS.lower()),
        ("discs", "○◎☆", "●◉★"),
    )
}
"""The names of the pieces, by piece set. A terminal shows each sign in the colour of its pieces, so
the legend also shows the colour used for Black."""


def _drawn(letter: str, height: int, piece_set: str) -> scene.Piece:
    """Return a stack as the piece set draws it; its height is shown beside the letter."""
    drawings = piece_set != "letters"
    return scene.Piece(
        figure=letter if drawings else "",
        base=DISCS[board.SIDE[letter]],
        owner=board.SIDE[letter],
        height=height,
        label=verbatim(f"{letter}{height}" if height > 1 and drawings else letter),
    )


@lru_cache(maxsize=POSITION_CACHE_SIZE)
def _stones(position: Position) -> tuple[Stone, ...]:
    stacks = zip(board.POINT_NAMES, position.tops, position.heights, strict=True)
    return tuple(Stone(name, top, height) for name, top, height in stacks if height)


LETTERING: Final = Lettering(
    letters=board.PIECES,
    names=board.KIND_NAMES,
    players=(
        scene.ScenePlayer("white", board.SIDE_NAMES[0]),
        scene.ScenePlayer("black", board.SIDE_NAMES[1]),
    ),
    draw=_drawn,
    scale=0.88,
    stones=_stones,
    heap=HeapPlace(piece=0.28, number=0.71, scale=0.46),
)


# --- the scene -----------------------------------------------------------------------------------


def draw(position: Position, look: SceneLook) -> scene.Scene:
    """Return the scene of a position.

    Each side has a tray in its corner with a disc of every kind: the number beside it is the number
    in hand during the placement and, after it, the number of stacks that show that kind. The small
    discs at the end of a tray are the actions of the turn.
    """
    mover, number = position.mover, position.hand if position.in_setup else position.shown
    left, top = _corner(mover, look.seat)
    end = left + (TURN_WIDTH / 2 if mover == look.seat else TRAY[0] - TURN_WIDTH / 2)
    middle = (end, top + TRAY[1] / 2)
    return LETTERING.compose(
        look,
        _board(look.seat),
        position,
        text("TZAAR, turn {turn}", turn=f"{position.number}{board.SEATS[mover].letter}"),
        describe(position),
        role="hand" if position.in_setup else "shown",
        beside=zip("".join(board.PIECES), (*number(0), *number(1)), strict=True),
        steps=LETTERING.steps(mover, DISCS[mover], middle, (0, 0.26), STEPS[position.stage]),
        meanings=MEANINGS,
        implied={"towering": {"safe"}},
    )


@cache
def _board(seat: int) -> scene.Board:
    """Return the part of the scene that is the same in all positions."""
    geometry = Geometry(
        (MIDDLE[0] - 4 * COLUMN_WIDTH, MIDDLE[1] - 4), EXTENT, (COLUMN_WIDTH, 0.5), 2 * seat
    )
    points = [
        scene.Cell(name, "point", geometry.place(*board.coordinates(name)))
        for name in board.POINT_NAMES
    ]
    corners = [_corner(side, seat) for side in board.SIDES]
    slots = [
        slot
        for side, (left, top) in enumerate(corners)
        for slot in LETTERING.slots(
            board.PIECES[side], left + (TURN_WIDTH if side == seat else 0), top, SLOT, (SLOT[0], 0)
        )
    ]
    return scene.Board(
        size=SIZE,
        seat=seat,
        players=LETTERING.players,
        areas=(
            scene.Area("board", scene.box(0.03, 0.03, SIZE[0] - 0.06, SIZE[1] - 0.06)),
            scene.Area("field", _hexagon(FIELD_RADIUS + 0.06)),
            scene.Area("square", _hexagon(FIELD_RADIUS)),
            scene.Area("field", _hexagon(HOLE_RADIUS)),
            *(scene.Area("tray", scene.box(*corner, *TRAY)) for corner in corners),
        ),
        cells=(*points, *slots),
        lines=tuple(
            scene.Line("line", (points[point].at, points[line[-1]].at)) for point, line in _lines()
        ),
        labels=tuple(_names(geometry)),
        spots=(
            *(scene.spot_of(point, verbatim(point.id)) for point in points),
            *LETTERING.slot_spots(slots),
        ),
        buttons=(scene.Button(PASS_BUTTON, ctext("second action", "Pass"), declines=True),),
        figures=FIGURES,
    )


def _corner(side: int, seat: int) -> scene.Point:
    """Return the upper left corner of a tray: on the right below, on the left above."""
    if side == seat:
        return (SIZE[0] - TRAY[0] - TRAY_GAP, SIZE[1] - TRAY[1] - TRAY_GAP)
    return (TRAY_GAP, TRAY_GAP)


def _hexagon(reach: float) -> tuple[scene.Point, ...]:
    """Return a regular hexagon around the middle of the picture, with a corner at the bottom."""
    angles = [math.radians(60 * index - 90) for index in range(6)]
    x, y = MIDDLE
    return tuple(
        scene.place(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles
    )


def _lines() -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the lines of the board, each once, end to end; the hole breaks three of them."""
    for point in board.POINTS:
        for onward, back in ((0, 3), (1, 4), (2, 5)):
            if (line := board.LINES_FROM[point][onward]) and not board.LINES_FROM[point][back]:
                yield point, line


def _names(geometry: Geometry) -> Iterator[scene.Label]:
    """Yield the names of the points at both ends of each column."""
    for name, end, (column, height) in _ends():
        yield scene.Label(verbatim(name), geometry.place(column, height + 2 * NAME_DISTANCE * end))


def _ends() -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Yield the points at the ends of columns: the name, 1 for an upper end or -1, the place."""
    inside = {*board.COORDINATES, board.coordinates(board.CENTRE)}
    for name, (column, height) in zip(board.POINT_NAMES, board.COORDINATES, strict=True):
        for end in (1, -1):
            if (column, height + 2 * end) not in inside:
                yield name, end, (column, height)


@lru_cache(maxsize=POSITION_CACHE_SIZE)
def describe(position: Position) -> Text:
    r"""Return the whole position in words, for people who cannot see it.

    >>> from trine.games.tzaar.diagrams import parse_position
    >>> board = "...../.Y..../...Z2T../......../....*..../.....z../......./.y..../t3...."
    >>> print(str(describe(parse_position(f"open {board} black 2"))).replace(". ", ".\n"))
    Black to move, second action: capture, stack or pass.
    White: Tott c5, Tzarra b2, Tzaar c4 (2).
    Black: Tott i1 (3), Tzarra h2, Tzaar f6.
    The heights of stacks are in brackets.
    """
    mover = board.SIDE_NAMES[position.mover]
    opening = text("{side} to move, {due}.", side=mover, due=NEXT_ACTION[position.stage])

    def hand(side: int) -> Iterator[Text]:
        if position.in_setup:
            yield text("In hand: {pieces}.", pieces=counted(position.hand(side)))

    said = LETTERING.describe(position, opening, hand)
    if any(height > 1 for height in position.heights):
        said.append(text("The heights of stacks are in brackets."))
    return join(said, " ")


# --- the text board ------------------------------------------------------------------------------


def text_board(position: Position, look: Look) -> TextBoard:
    r"""Draw a position as lines of text, turned like the picture: with upright columns.

    The columns a to i go from left to right, each counted upward; so the three directions of the
    lines look like the strokes ``/``, ``|`` and ``\``. The ends of the columns have their names.
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
    canvas, discs = Canvas(), look.pieces == "discs"
    geometry = Geometry((3, 1), EXTENT, (6 if discs else 4, 1), 2 * look.flipped)
    cells = {name: geometry.spot(*board.coordinates(name)) for name in board.POINT_NAMES}
    across, line = geometry.spot(*board.coordinates(board.CENTRE))
    canvas.write(across - 1, line, "   ", "hole")
    _write_strokes(canvas, list(cells.values()))

    def glyph(stone: Stone | None, name: str) -> str:
        if not stone:
            return board.EMPTY
        words = _DISCS[stone.letter] + stone.letter if discs else stone.letter
        return words + (str(stone.height) if stone.height > 1 else "")

    urgent = _targets(look)
    signs = LETTERING.write(
        canvas,
        look,
        position,
        cells,
        SIGNS,
        ground=lambda name: "point",
        glyph=glyph,
        urgent=urgent,
        filled=False,
    )
    for name, end, (column, _) in _ends():
        across, line = cells[name]
        above, left = (end > 0) is not look.flipped, (column < 4) is not look.flipped
        canvas.write(
            across - (left and column != 4), line + (-1 if above else 1), name, "coordinate"
        )
    return TextBoard(canvas.rows(), (*LEGEND[look.pieces], *signs))


def _write_strokes(canvas: Canvas, places: list[tuple[int, int]]) -> None:
    """Write the strokes from each point to the next ones below it.

    An upright stroke is below the point. A slanting one is beside it, on its own line: the next
    point in that direction is on the line below.
    """
    for point in board.POINTS:
        across, line = places[point]
        for way in board.LINES_FROM[point]:
            for there, below in (places[target] for target in way[:1]):
                if below > line and there == across:
                    canvas.write(across, line + 1, "|", "line")
                elif below > line:
                    stroke = "/" if there < across else "\\"
                    canvas.write((across + there) // 2, line, stroke, "line")


def _targets(look: Look) -> Mapping[str, Sign]:
    """Return the signs of the targeted actions by point, if all of them belong to one stack.

    The actions of all stacks together would mark nearly every point.
    """
    if len({action[:2] for action in look.targets}) != 1:
        return {}
    return {
        action[3:]: sign
        for does, sign in TARGETS.items()
        for action in look.targets
        if action[2:3] == does
    }


# --- the position editor -------------------------------------------------------------------------


def _empty(position: Position) -> Position:
    return replace(Position.before_placement(position.rules), stage=Stage.ONE)


def _replace(position: Position, cell: str, letter: str, height: int) -> Position:
    point = board.POINT_OF[cell]
    tops = position.tops[:point] + (letter or board.EMPTY) + position.tops[point + 1 :]
    heights = (*position.heights[:point], height, *position.heights[point + 1 :])
    kept = position.stage in (Stage.FIRST, Stage.ONE)
    return Position(
        position.rules, tops, heights, position.mover, position.stage if kept else Stage.ONE
    )


def _settings(position: Position) -> tuple[Setting, ...]:
    mover = mover_setting(position)
    if not position.rules.first_turn_single:
        return (mover,)
    stages = (
        (Stage.ONE.value, text("a turn of two actions")),
        (Stage.FIRST.value, text("White's very first turn")),
    )
    return mover, Setting("turn", text("Turn"), stages, _stage(position).value)


def _stage(position: Position) -> Stage:
    return Stage.FIRST if position.stage is Stage.FIRST else Stage.ONE


def _change(position: Position, setting: str, value: str) -> Position:
    if setting == "mover":
        mover = int(value)
        stage = _stage(position) if mover == board.WHITE else Stage.ONE
    else:
        stage = Stage(value)
        mover = board.WHITE if stage is Stage.FIRST else position.mover
    return Position(position.rules, position.tops, position.heights, mover, stage)


EDITOR: Final = LETTERING.position_editor(
    board.POINT_OF, _empty, _replace, _change, _settings, board.ARMY_SIZE
)
