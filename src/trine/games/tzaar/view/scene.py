"""The scene of a position of TZAAR: the hexagon, its lines, the stacks, a tray for each side."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from msgspec import structs

from trine.core.scene.keys import FIRST_KEYS, Keys
from trine.core.scene.scene import (
    Area,
    Board,
    Button,
    Cell,
    Label,
    Line,
    Mark,
    Meaning,
    Piece,
    Point,
    Scene,
    ScenePlayer,
    Spot,
    box,
    place,
    spot_of,
)
from trine.core.text.sentence import Text, ctext, join, text, verbatim
from trine.games.tzaar.board import (
    CENTRE,
    COORDINATES,
    EMPTY,
    LINES_FROM,
    PIECES,
    POINT_NAMES,
    POINT_OF,
    POINTS,
    SEATS,
    SIDE,
    SIDE_NAMES,
    SIDES,
    WHITE,
    coordinates,
    piece_name,
)
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.view.figures import DISCS, FIGURES
from trine.games.tzaar.view.insight import NEXT_ACTION, counted
from trine.games.tzaar.view.picks import PASS_BUTTON

DESCRIPTION_CACHE_SIZE: Final = 64
"""The number of cached descriptions of positions, shared by the scenes of all seats."""
STACK_CACHE_SIZE: Final = 4096
"""The number of cached drawings of stacks, shared by scenes."""

SIZE: Final = (9.0, 10.5)
"""The size of the picture: the hexagon with the names of its ends, and a tray in two corners."""
MIDDLE: Final = (SIZE[0] / 2, SIZE[1] / 2)
COLUMN_WIDTH: Final = math.sqrt(3) / 2
"""The distance of columns: neighbours in all three directions are one unit apart."""
FIELD_RADIUS: Final = 4.58
"""The distance from the middle to a corner of the field; its outermost points are 4 away."""
HOLE_RADIUS: Final = 0.42
"""The distance from the middle to a corner of the hole."""
NAME_DISTANCE: Final = 0.96
"""The distance from the end of a column to its name."""
PIECE_SCALE: Final = 0.88
"""The size of a piece on the board."""
TRAY: Final = (3.15, 0.74)
TRAY_GAP: Final = 0.16
"""The distance from a tray to the edges of the picture."""
TURN_WIDTH: Final = 0.44
"""The width of the end of a tray that holds the actions of the turn."""

ROLES: Final = ("white", "black")
MEANINGS: Final[Mapping[str, Text]] = {
    "last-from": text("left in the last turn"),
    "last-to": text("reached in the last turn"),
    "capturable": text("its kind could be wiped out in one turn"),
    "sole": text("the last of its kind in sight"),
    "towering": text("no enemy is tall enough to take it"),
    "safe": text("nothing can take it now"),
}
"""The meaning of marks; other marks have no line in the legend."""


def scene(
    position: Position,
    *,
    seat: int = WHITE,
    last: Collection[str] = (),
    marks: Mapping[str, Collection[str]] | None = None,
    targets: Collection[str] = (),
    pieces: str = "",
    keys: Keys = FIRST_KEYS,
) -> Scene:
    """Return the scene of a position; the arguments are documented at `RoomView.scene`.

    Each side has a tray in its corner with a disc of every kind: the number beside it is the number
    in hand during the placement and, after it, the number of stacks that show that kind. The small
    discs at the end of a tray are the actions of the turn.
    """
    view, tops, hand = _View(seat), position.tops, position.in_setup
    stacks = [
        _standing(
            pieces, tops[point], position.heights[point], point, keys.get(POINT_NAMES[point], "")
        )
        for point in POINTS
        if tops[point] != EMPTY
    ]
    heaps = [
        _heap(view, pieces, letter, count, hand)
        for side in SIDES
        for letter, count in zip(
            PIECES[side], position.hand(side) if hand else position.shown(side), strict=True
        )
    ]
    shown = tuple(_marks(tops, last, marks or {}))
    roles = {mark.role for mark in shown}
    turn = f"{position.number}{SEATS[position.mover].letter}"
    return Scene(
        board=_board(seat),
        title=text("TZAAR, turn {turn}", turn=turn),
        alt=describe(position),
        areas=(Area("tray-to-move", view.tray(position.mover)),),
        marks=shown,
        pieces=(
            *stacks,
            *(piece for piece, _ in heaps),
            *_steps(view, position.mover, position.stage),
        ),
        labels=tuple(number for _, number in heaps),
        legend=tuple(Meaning(role, words) for role, words in MEANINGS.items() if role in roles),
        targets=tuple(sorted(targets)),
    )


@cache
def _board(seat: int) -> Board:
    """Return the part of the scene that is the same in all positions."""
    view = _View(seat)
    points = [view.point(point) for point in POINTS]
    slots = [view.slot(letter) for side in SIDES for letter in PIECES[side]]
    return Board(
        size=SIZE,
        seat=seat,
        players=tuple(ScenePlayer(ROLES[side], SIDE_NAMES[side]) for side in SIDES),
        areas=tuple(view.areas()),
        cells=(*points, *slots),
        lines=tuple(view.lines()),
        labels=tuple(view.coordinates()),
        spots=(
            *(spot_of(point, verbatim(point.id)) for point in points),
            *(view.slot_spot(slot) for slot in slots),
        ),
        buttons=(Button(PASS_BUTTON, ctext("second action", "Pass"), declines=True),),
        figures=FIGURES,
    )


def _marks(
    tops: str, last: Collection[str], marks: Mapping[str, Collection[str]]
) -> Iterator[Mark]:
    for name in sorted(last):
        yield Mark("last-from" if tops[POINT_OF[name]] == EMPTY else "last-to", name)
    for name in sorted(marks):
        # Towering implies safe.
        said = {"safe"} if "towering" in marks[name] else set()
        for role in sorted(set(marks[name]) - said):
            yield Mark(role, name)


def _hexagon(reach: float) -> tuple[Point, ...]:
    """Return a regular hexagon around the middle of the picture, with a corner at the bottom."""
    angles = [math.radians(60 * index - 90) for index in range(6)]
    x, y = MIDDLE
    return tuple(
        place(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles
    )


class _View(NamedTuple):
    seat: int

    def project(self, column: float, height: float) -> Point:
        """Convert coordinates of the board to a place in the picture."""
        right, up = (column - 4) * COLUMN_WIDTH, (height - 8) / 2
        if self.seat:
            right, up = -right, -up
        return place(MIDDLE[0] + right, MIDDLE[1] - up)

    def place(self, point: int) -> Point:
        return self.project(*COORDINATES[point])

    def point(self, point: int) -> Cell:
        return Cell(POINT_NAMES[point], "point", self.place(point))

    def lines(self) -> Iterator[Line]:
        """Yield the lines of the board, each once, end to end; the hole breaks three of them."""
        for point in POINTS:
            for onward, back in ((0, 3), (1, 4), (2, 5)):
                line = LINES_FROM[point][onward]
                if line and not LINES_FROM[point][back]:
                    yield Line("line", (self.place(point), self.place(line[-1])))

    def coordinates(self) -> Iterator[Label]:
        """Yield the names of the points at both ends of each column."""
        for point, (column, height) in enumerate(COORDINATES):
            name = POINT_NAMES[point]
            if (column, height + 2) not in (*COORDINATES, coordinates(CENTRE)):
                yield Label(verbatim(name), self.project(column, height + 2 * NAME_DISTANCE))
            if (column, height - 2) not in (*COORDINATES, coordinates(CENTRE)):
                yield Label(verbatim(name), self.project(column, height - 2 * NAME_DISTANCE))

    def areas(self) -> Iterator[Area]:
        """Yield the board, its field with the hole in the middle, and the two trays."""
        yield Area("board", box(0.03, 0.03, SIZE[0] - 0.06, SIZE[1] - 0.06))
        yield Area("field", _hexagon(FIELD_RADIUS + 0.06))
        yield Area("square", _hexagon(FIELD_RADIUS))
        yield Area("field", _hexagon(HOLE_RADIUS))
        for side in SIDES:
            yield Area("tray", self.tray(side))

    def tray(self, side: int) -> tuple[Point, ...]:
        return box(*self.corner(side), *TRAY)

    def sits_below(self, side: int) -> bool:
        return side == self.seat

    def corner(self, side: int) -> Point:
        """Return the upper left corner of a tray: on the right below, on the left above."""
        if self.sits_below(side):
            return (SIZE[0] - TRAY[0] - TRAY_GAP, SIZE[1] - TRAY[1] - TRAY_GAP)
        return (TRAY_GAP, TRAY_GAP)

    def slot(self, letter: str) -> Cell:
        side = SIDE[letter]
        left, top = self.corner(side)
        width = (TRAY[0] - TURN_WIDTH) / len(PIECES[side])
        x = left + (TURN_WIDTH if self.sits_below(side) else 0) + width * PIECES[side].index(letter)
        return Cell(
            letter, "slot", place(x + width / 2, top + TRAY[1] / 2), box(x, top, width, TRAY[1])
        )

    def slot_spot(self, slot: Cell) -> Spot:
        named = {"piece": piece_name(slot.id), "side": SIDE_NAMES[SIDE[slot.id]]}
        (left, _), (right, _), *_ = slot.outline
        return spot_of(slot, text("{piece}, {side}, in hand", **named), (right - left, TRAY[1]))


@lru_cache(maxsize=STACK_CACHE_SIZE)
def _heap(view: _View, piece_set: str, letter: str, count: int, hand: bool) -> tuple[Piece, Label]:
    """Return the pieces of a kind in hand, or the stacks that show it, and their number."""
    values = {"piece": piece_name(letter), "side": SIDE_NAMES[SIDE[letter]], "count": count}
    if hand:
        role, words = "hand", text("{piece}, {side}: {count} in hand", **values)
    else:
        role, words = "shown", text("{piece}, {side}: {count} in sight", **values)
    slot = view.slot(letter)
    x, y = slot.outline[0][0], slot.at[1]
    piece = structs.replace(
        _drawn(letter, 1, piece_set),
        at=place(x + 0.28, y),
        cell=letter,
        role=role,
        scale=0.46,
        tooltip=words,
    )
    return piece, Label(verbatim(str(count)), place(x + 0.71, y), "count")


@cache
def _steps(view: _View, mover: int, stage: Stage) -> tuple[Piece, ...]:
    """Return the actions of the turn as small discs, in the tray of the player to move."""
    count = 1 if stage in (Stage.PLACE, Stage.FIRST) else 2
    left, top = view.corner(mover)
    x = left + (TURN_WIDTH / 2 if view.sits_below(mover) else TRAY[0] - TURN_WIDTH / 2)
    return tuple(
        Piece(
            at=place(x, top + TRAY[1] / 2 + 0.26 * (index - (count - 1) / 2)),
            figure="",
            base=DISCS[mover],
            owner=mover,
            key=f"step-{ROLES[mover]}-{index + 1}",
            role="step-used" if stage is Stage.TWO and index == 0 else "step",
            scale=0.2,
        )
        for index in range(count)
    )


@lru_cache(maxsize=STACK_CACHE_SIZE)
def _standing(piece_set: str, letter: str, height: int, point: int, key: str) -> Piece:
    """Return a stack on a point; cached, since most stacks stay where they are."""
    cell = POINT_NAMES[point]
    named = {"piece": piece_name(letter), "cell": cell, "side": SIDE_NAMES[SIDE[letter]]}
    words = text("{piece} {cell}, {side}", **named)
    if height > 1:
        words = text("{piece}, height {height}", piece=words, height=height)
    return structs.replace(
        _drawn(letter, height, piece_set), cell=cell, key=key, scale=PIECE_SCALE, tooltip=words
    )


def _drawn(letter: str, height: int, piece_set: str) -> Piece:
    """Return a stack as the piece set draws it; its height is shown beside the letter."""
    drawings = piece_set != "letters"
    return Piece(
        figure=letter if drawings else "",
        base=DISCS[SIDE[letter]],
        owner=SIDE[letter],
        height=height,
        label=verbatim(f"{letter}{height}" if height > 1 and drawings else letter),
    )


# --- in words ------------------------------------------------------------------------------------


@lru_cache(maxsize=DESCRIPTION_CACHE_SIZE)
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
    mover = SIDE_NAMES[position.mover]
    said = [text("{side} to move, {due}.", side=mover, due=NEXT_ACTION[position.stage])]
    for side in SIDES:
        kinds = [
            text("{piece} {cells}", piece=piece_name(letter), cells=" ".join(points))
            for letter in PIECES[side]
            if (points := list(_points_of(position, letter)))
        ]
        said.append(
            text(
                "{side}: {pieces}.",
                side=SIDE_NAMES[side],
                pieces=join(kinds) if kinds else text("no piece on the board"),
            )
        )
        if position.in_setup:
            said.append(text("In hand: {pieces}.", pieces=counted(position.hand(side))))
    if any(height > 1 for height in position.heights):
        said.append(text("The heights of stacks are in brackets."))
    return join(said, " ")


def _points_of(position: Position, letter: str) -> Iterator[str]:
    """Yield the points of the stacks with a piece on top, with their heights from 2 on."""
    for point, height in enumerate(position.heights):
        if position.tops[point] == letter:
            yield f"{POINT_NAMES[point]} ({height})" if height > 1 else POINT_NAMES[point]
