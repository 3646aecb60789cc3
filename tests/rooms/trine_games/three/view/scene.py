"""The scene: the picture as plain data. A square is picked by its name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from trine.core.scene.scene import Board, Mark, Piece, Scene, ScenePlayer, Shape, ellipse, spot_of
from trine.core.scene.squares import Squares
from trine.core.text.sentence import text, verbatim
from trine_games.three.board import EMPTY, LETTERS, NAMES, SEATS, SIZE, WIDTH
from trine_games.three.position import Position

FIGURES: Final = {
    "cross": (Shape("M-30-30L30 30M30-30L-30 30", stroke="body", width=12),),
    "nought": (Shape(ellipse(0, 0, 30), stroke="body", width=12),),
}
BESIDE: Final = 0.5
"""The width of the margin with the coordinates."""


def _board(seat: int) -> Board:
    squares = Squares(NAMES, BESIDE, 0, turned=bool(seat))
    cells = tuple(map(squares.cell, range(SIZE)))
    return Board(
        size=(WIDTH + 2 * BESIDE, WIDTH + BESIDE),
        cells=cells,
        seat=seat,
        players=(ScenePlayer("black", SEATS[0].name), ScenePlayer("red", SEATS[1].name)),
        labels=tuple(squares.coordinates()),
        spots=tuple(spot_of(cell, verbatim(cell.id)) for cell in cells),
        figures=FIGURES,
    )


def scene(
    position: Position,
    seat: int = 0,
    last: Collection[str] = (),
    marks: Mapping[str, Collection[str]] | None = None,
    targets: Collection[str] = (),
    pieces: str = "",
    keys: Any = None,
) -> Scene:
    """Return the scene of a position, as seen from a seat."""
    stones = [
        Piece(
            None,
            "" if pieces else ("cross", "nought")[LETTERS.index(letter)],
            owner=LETTERS.index(letter),
            cell=NAMES[square],
            label=verbatim(letter),
        )
        for square, letter in enumerate(position.board)
        if letter != EMPTY
    ]
    said = [Mark("last-to", cell) for cell in sorted(last)]
    for cell in sorted(marks or {}):
        said += [Mark(role, cell) for role in sorted((marks or {})[cell])]
    return Scene(
        _board(seat),
        text("three in a row"),
        text("the board, from a1: {board}", board=position.board),
        pieces=tuple(stones),
        marks=tuple(said),
        targets=tuple(sorted(targets)),
    )
