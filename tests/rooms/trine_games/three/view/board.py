"""The board as a scene and as text. A square is picked by its name."""

from functools import cache
from typing import Final

from trine.core.contract.lettering import Lettering, Stone
from trine.core.scene.canvas import Canvas, Look, Sign, Signs, TextBoard, write_coordinates
from trine.core.scene.composing import Geometry, SceneLook, Squares
from trine.core.scene.scene import Board, Piece, Scene, ScenePlayer, Shape, ellipse, spot_of
from trine.core.text.sentence import join, text, verbatim
from trine_games.three.board import EMPTY, LETTERS, NAMES, SEATS, SIZE, WIDTH
from trine_games.three.position import Position

PIECE_SETS: Final = {"letters": text("letters")}
FIGURES: Final = {
    "x": (Shape("M-30-30L30 30M30-30L-30 30", stroke="body", width=12),),
    "o": (Shape(ellipse(0, 0, 30), stroke="body", width=12),),
}
SIGNS: Final = Signs((Sign("!", "goal", text("would complete a row")),))
BESIDE: Final = 0.5
"""The width of the margin with the coordinates."""


def _drawn(letter: str, height: int, piece_set: str) -> Piece:
    figure = "" if piece_set else letter
    return Piece(None, figure, owner=LETTERS.index(letter), label=verbatim(letter))


LETTERING: Final = Lettering(
    letters=tuple(LETTERS),
    names={"X": text("cross"), "O": text("nought")},
    players=(ScenePlayer("black", SEATS[0].name), ScenePlayer("red", SEATS[1].name)),
    draw=_drawn,
    stones=lambda position: [
        Stone(name, letter)
        for name, letter in zip(NAMES, position.board, strict=True)
        if letter != EMPTY
    ],
)


@cache
def _board(seat: int) -> Board:
    squares = Squares(NAMES, Geometry((BESIDE, 0), (WIDTH, WIDTH), turns=2 * seat))
    cells = tuple(map(squares.cell, range(SIZE)))
    return Board(
        size=(WIDTH + 2 * BESIDE, WIDTH + BESIDE),
        cells=cells,
        seat=seat,
        players=LETTERING.players,
        labels=tuple(squares.coordinates()),
        spots=tuple(spot_of(cell, verbatim(cell.id)) for cell in cells),
        figures=FIGURES,
    )


def draw(position: Position, look: SceneLook) -> Scene:
    alt = join(LETTERING.describe(position), " ")
    return LETTERING.compose(look, _board(look.seat), position, text("three in a row"), alt)


def text_board(position: Position, look: Look) -> TextBoard:
    """Draw the board.

    >>> print(text_board(Position("....x...o"), Look()))
         a  b  c
      3  .  .  o  3
      2  .  x  .  2
      1  .  .  .  1
         a  b  c
    """
    canvas = Canvas()
    cells = write_coordinates(canvas, NAMES, 3, look.flipped)
    signs = LETTERING.write(canvas, look, position, cells, SIGNS)
    return TextBoard(canvas.rows(), signs)
