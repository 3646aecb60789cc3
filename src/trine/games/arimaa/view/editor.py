"""The position editor of Arimaa: animals on squares, and the side to move.

A position is always at the beginning of a turn, since records begin with a whole turn.
"""

from __future__ import annotations

from dataclasses import replace

from trine.core.contract.editor import BoxPart, Editor, Setting, check_value, no_place
from trine.core.scene.scene import Piece
from trine.core.text.sentence import text, verbatim
from trine.games.arimaa.board import (
    EMPTY,
    EMPTY_BOARD,
    PIECES,
    SIDE,
    SIDE_NAMES,
    SIDES,
    SQUARE_OF,
    piece_name,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.view.figures import COINS


def empty(position: Position) -> Position:
    return Position.of(position.rules, EMPTY_BOARD, 0)


def parts(position: Position) -> tuple[BoxPart, ...]:
    return tuple(_part(letter) for side in SIDES for letter in PIECES[side])


def _part(letter: str) -> BoxPart:
    side = SIDE[letter]
    named = text("{piece}, {side}", piece=piece_name(letter), side=SIDE_NAMES[side])
    kind = letter.upper()
    shown = Piece(None, kind, f"{COINS[side]}-{kind}", side, label=verbatim(letter))
    return BoxPart(letter, named, shown)


def put(position: Position, part: str, spot: str) -> Position:
    if part not in SIDE or spot not in SQUARE_OF:
        raise no_place(part, spot)
    return _with(position, spot, part)


def take(position: Position, spot: str) -> tuple[Position, str]:
    square = SQUARE_OF.get(spot)
    if square is None or position.board[square] == EMPTY:
        return position, ""
    return _with(position, spot, EMPTY), position.board[square]


def _with(position: Position, spot: str, letter: str) -> Position:
    square = SQUARE_OF[spot]
    board = position.board[:square] + letter + position.board[square + 1 :]
    return Position.of(position.rules, board, position.mover, max(2, position.number))


def settings(position: Position) -> tuple[Setting, ...]:
    sides = tuple((str(side), SIDE_NAMES[side]) for side in SIDES)
    return (Setting("mover", text("To move"), sides, str(position.mover)),)


def change(position: Position, setting: str, value: str) -> Position:
    check_value(settings(position), setting, value)
    return replace(empty(position), board=position.board, start=position.board, mover=int(value))


EDITOR = Editor(empty, parts, put, take, settings, change)
