"""The board of Arimaa as a scene, as text, and for the position editor."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from trine.core.contract.lettering import HeapPlace, Lettering, Stone
from trine.core.scene import scene
from trine.core.scene.canvas import Canvas, Look, Sign, Signs, TextBoard, write_coordinates
from trine.core.scene.composing import LAST_MEANINGS, Geometry, SceneLook, Squares
from trine.core.text.sentence import Text, ctext, join, text, verbatim
from trine.games.arimaa import board
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import STEPS_IN_TURN, RuleSet, is_frozen
from trine.games.arimaa.view.figures import COINS, FIGURES
from trine.games.arimaa.view.pointing import BEYOND, END_BUTTON

POSITION_CACHE_SIZE: Final = 64
"""The number of positions whose pieces and description are cached for the scenes of all seats."""

LEFT: Final = 0.5
TOP: Final = 0.3
SIZE: Final = (LEFT + 9.65, TOP + 8.5)
"""The size of the picture in squares: board, coordinates left and below, trays on the right."""
TRAY_LEFT: Final = LEFT + 8.3
SLOT: Final = (1.05, 0.575)  # size of the slot of each kind of piece in a tray
TRAY_HEIGHT: Final = SLOT[1] * len(board.KINDS)

PIECE_SETS: Final[Mapping[str, Text]] = {
    "letters": ctext("piece set", "letters: E M H D C R, small for Silver"),
    "animals": ctext("piece set", "animals, with the letter beside each"),
    "chess": ctext("piece set", "chess men: king for elephant, queen for camel, rooks, bishops …"),
    "knights": ctext("piece set", "the same, but a knight is the horse"),
}
"""Chess men by strength, or with knights for horses: the French document names both ways."""
_ANIMALS: Final = dict(zip(board.KINDS, "🐘🐪🐎🐕🐈🐇", strict=True))
CHESS_MEN: Final = {
    name: dict(zip(board.KINDS + board.KINDS.lower(), men, strict=True))
    for name, men in (("chess", "♔♕♖♗♘♙♚♛♜♝♞♟"), ("knights", "♔♕♘♖♗♙♚♛♞♜♝♟"))
}

CAPTURABLE: Final = text("could be captured this turn")
DISLODGEABLE: Final = text("could be pushed or pulled this turn")
GOAL: Final = text("could reach its goal this turn")
SIGNS: Final = Signs(
    left=(
        Sign("!", "capturable", CAPTURABLE),
        Sign("~", "dislodgeable", DISLODGEABLE),
        Sign("^", "goal", GOAL),
        Sign(">", "last", text("just changed")),
    ),
    right=(Sign("*", "frozen", text("frozen")),),
)
MEANINGS: Final[Mapping[str, Text]] = {
    "trap": text("trap: a piece with no friend beside it is lost there"),
    **LAST_MEANINGS,
    "frozen": text("frozen: a stronger enemy beside it, and no friend"),
    "capturable": CAPTURABLE,
    "dislodgeable": DISLODGEABLE,
    "goal": GOAL,
}
"""The meaning of the roles of cells and marks; other marks have no line in the legend."""
IMPLIED: Final = {"": {"frozen"}, "capturable": {"dislodgeable"}}


def _drawn(letter: str, height: int, piece_set: str) -> scene.Piece:
    kind, side, men = letter.upper(), board.SIDE[letter], CHESS_MEN.get(piece_set)
    return scene.Piece(
        figure="" if men or piece_set == "letters" else kind,
        base=COINS[side] if men else f"{COINS[side]}-{kind}",
        owner=side,
        label=verbatim(men[letter] if men else letter),
    )


@lru_cache(maxsize=POSITION_CACHE_SIZE)
def _stones(position: Position) -> tuple[Stone, ...]:
    rules, letters = position.rules, position.board
    return tuple(
        Stone(name, letter, 1, "frozen" if is_frozen(rules, letters, square) else "")
        for square, (name, letter) in enumerate(zip(board.SQUARE_NAMES, letters, strict=True))
        if letter != board.EMPTY
    )


LETTERING: Final = Lettering(
    letters=board.PIECES,
    names=board.KIND_NAMES,
    players=(
        scene.ScenePlayer("gold", board.SIDE_NAMES[0]),
        scene.ScenePlayer("silver", board.SIDE_NAMES[1]),
    ),
    draw=_drawn,
    scale=0.94,
    stones=_stones,
    heap=HeapPlace(piece=0.36, number=SLOT[0] - 0.25, scale=0.52),
)


# --- the scene -----------------------------------------------------------------------------------


def draw(position: Position, look: SceneLook) -> scene.Scene:
    """Return the scene of a position.

    Beside the board are the pieces that a side has in hand during the setup and, after it, those
    that it has lost.
    """
    mover = position.mover
    left, count = (1, 1) if position.in_setup else (position.steps_left, STEPS_IN_TURN)
    steps = ["step"] * left + ["step-used"] * (count - left)
    middle = (TRAY_LEFT + SLOT[0] / 2, TOP + 4 + (0.25 if mover == look.seat else -0.25))
    return LETTERING.compose(
        look,
        _board(position.rules, look.seat),
        position,
        text("Arimaa, turn {turn}", turn=f"{position.number}{board.SIDE_LETTERS[mover]}"),
        describe(position),
        role="hand" if position.hands else "captured",
        beside=[(one, some) for one in "".join(board.PIECES) if (some := _beside(position, one))],
        steps=LETTERING.steps(mover, COINS[mover], middle, (0.25, 0), steps),
        meanings=MEANINGS,
        implied=IMPLIED,
    )


@cache
def _board(rules: RuleSet, seat: int) -> scene.Board:
    """Return the part of the scene that is the same in all positions of a rule set."""
    squares = Squares(board.SQUARE_NAMES, Geometry((LEFT, TOP), (8, 8), turns=2 * seat))
    cells = [
        squares.cell(square, "trap" if square in board.TRAPS else "square")
        for square in board.SQUARES
    ]
    tops = [TOP + 8 - TRAY_HEIGHT if side == seat else TOP for side in board.SIDES]
    slots = [
        slot
        for side, top in enumerate(tops)
        # Strong pieces are outermost.
        for slot in LETTERING.slots(
            board.PIECES[side][:: -1 if side == seat else 1], TRAY_LEFT, top, SLOT, (0, SLOT[1])
        )[:: -1 if side == seat else 1]
    ]
    return scene.Board(
        size=SIZE,
        seat=seat,
        players=LETTERING.players,
        areas=(
            scene.Area("board", scene.box(0.03, 0.03, SIZE[0] - 0.06, SIZE[1] - 0.06)),
            scene.Area("field", scene.box(LEFT - 0.03, TOP - 0.03, 8.06, 8.06)),
            *(scene.Area("tray", scene.box(TRAY_LEFT, top, SLOT[0], TRAY_HEIGHT)) for top in tops),
        ),
        cells=(*cells, *slots),
        labels=tuple(squares.coordinates()),
        spots=(
            *(
                scene.spot_of(cell, text("{cell}, trap", cell=cell.id))
                if cell.role == "trap"
                else scene.spot_of(cell, verbatim(cell.id))
                for cell in cells
            ),
            *LETTERING.slot_spots(slots),
            *(_beyond(seat) if rules.ejection else ()),
        ),
        buttons=(scene.Button(END_BUTTON, text("End the turn")),),
        figures=FIGURES,
    )


def _beyond(seat: int) -> Iterator[scene.Spot]:
    """Yield the spots of the strips beyond the board, in the rule set `ejection`."""
    for name, rank in ((BEYOND["n"], 8), (BEYOND["s"], 1)):
        above = (rank == 8) is not bool(seat)
        height = TOP if above else SIZE[1] - TOP - 8
        at = (LEFT + 4, height / 2 if above else TOP + 8 + height / 2)
        yield scene.Spot(name, at, (8, height), text("off the board, over rank {rank}", rank=rank))


def _beside(position: Position, letter: str) -> int:
    """Return the number of pieces of a kind in hand or, after the setup, lost."""
    if position.hands:
        return position.hands[board.SIDE[letter]].count(letter)
    return max(0, board.ARMY[letter.upper()] - position.board.count(letter))


@lru_cache(maxsize=POSITION_CACHE_SIZE)
def describe(position: Position) -> Text:
    """Return the whole position in words, for people who cannot see it.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> corner = Position.of(RULE_SETS["official"], "R" + "." * 62 + "e", 1)
    >>> str(describe(corner))
    'Silver to move. Gold: rabbit a1. Silver: elephant h8.'
    """
    said = LETTERING.describe(position)
    if frozen := " ".join(stone.cell for stone in _stones(position) if stone.mark):
        said.append(text("Frozen: {cells}.", cells=frozen))
    return join(said, " ")


def text_board(position: Position, look: Look) -> TextBoard:
    """Draw a position as lines of text.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> print(text_board(parse_position("2g 8/8/3H4/3e4/8/8/8/R7"), Look()))
         a  b  c  d  e  f  g  h
      8  .  .  .  .  .  .  .  .  8
      7  .  .  .  .  .  .  .  .  7
      6  .  .  x  H* .  x  .  .  6
      5  .  .  .  e  .  .  .  .  5
      4  .  .  .  .  .  .  .  .  4
      3  .  .  x  .  .  x  .  .  3
      2  .  .  .  .  .  .  .  .  2
      1  R  .  .  .  .  .  .  .  1
         a  b  c  d  e  f  g  h
    """

    def ground(name: str) -> str:
        square = board.SQUARE_OF[name]
        return (
            "trap" if square in board.TRAPS else "light" if (square // 8 + square) % 2 else "dark"
        )

    def glyph(stone: Stone | None, name: str) -> str:
        if not stone:
            return ("x" if board.SQUARE_OF[name] in board.TRAPS else ".").center(
                1 if width == 3 else 3
            )
        if look.pieces == "animals":
            return _ANIMALS[stone.letter.upper()] + stone.letter
        return CHESS_MEN.get(look.pieces, {}).get(stone.letter, stone.letter)

    canvas, width = Canvas(), 5 if look.pieces == "animals" else 3
    cells = write_coordinates(canvas, board.SQUARE_NAMES, width, look.flipped)
    legend = LETTERING.write(canvas, look, position, cells, SIGNS, ground=ground, glyph=glyph)
    if position.hands and look.pieces == "letters":  # the letters are explained at the start only
        legend += tuple(Sign(kind, "gold", name) for kind, name in board.KIND_NAMES.items())
    return TextBoard(canvas.rows(), legend)


# --- the position editor: a position is always at the beginning of a turn, as in records ---------


def _empty(position: Position) -> Position:
    return Position.of(position.rules, board.EMPTY_BOARD, 0)


def _replace(position: Position, cell: str, letter: str, height: int) -> Position:
    square = board.SQUARE_OF[cell]
    letters = position.board[:square] + (letter or board.EMPTY) + position.board[square + 1 :]
    return Position.of(position.rules, letters, position.mover, max(2, position.number))


def _change(position: Position, setting: str, value: str) -> Position:
    return replace(_empty(position), board=position.board, start=position.board, mover=int(value))


EDITOR: Final = LETTERING.position_editor(board.SQUARE_OF, _empty, _replace, _change)
