"""The position editor of TZAAR: pieces on points, which make stacks, and the next action."""

from __future__ import annotations

import re
from dataclasses import replace

from trine.core.contract.editor import BoxPart, Editor, Setting, check_value, no_place
from trine.core.scene.scene import Piece
from trine.core.text.sentence import text, verbatim
from trine.games.tzaar.board import (
    ARMY_SIZE,
    EMPTY,
    PIECES,
    POINT_OF,
    SIDE,
    SIDE_NAMES,
    SIDES,
    WHITE,
    piece_name,
)
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.view.figures import DISCS

_PART = re.compile(r"([TYZtyz])([1-9][0-9]?)?")


def empty(position: Position) -> Position:
    bare = Position.before_placement(position.rules)
    return replace(bare, stage=Stage.ONE)


def parts(position: Position) -> tuple[BoxPart, ...]:
    return tuple(_part(letter) for side in SIDES for letter in PIECES[side])


def _part(letter: str) -> BoxPart:
    side = SIDE[letter]
    named = text("{piece}, {side}", piece=piece_name(letter), side=SIDE_NAMES[side])
    return BoxPart(letter, named, Piece(None, letter, DISCS[side], side, label=verbatim(letter)))


def put(position: Position, part: str, spot: str) -> Position:
    """Return the position with a piece or a stack put on a point.

    A piece put on a stack with the same piece on top makes the stack higher by one.
    """
    found = _PART.fullmatch(part)
    if not found or spot not in POINT_OF:
        raise no_place(part, spot)
    point, (letter, written) = POINT_OF[spot], found.groups()
    height = int(written or 1)
    if position.tops[point] == letter and not written:
        height = min(ARMY_SIZE, position.heights[point] + 1)
    return _with(position, point, letter, height)


def take(position: Position, spot: str) -> tuple[Position, str]:
    """Return the position without the stack on a point, and the stack, such as ``T`` or ``T3``."""
    point = POINT_OF.get(spot)
    if point is None or position.tops[point] == EMPTY:
        return position, ""
    height = position.heights[point]
    return _with(position, point, EMPTY, 0), f"{position.tops[point]}{height}"


def _with(position: Position, point: int, letter: str, height: int) -> Position:
    tops = position.tops[:point] + letter + position.tops[point + 1 :]
    heights = (*position.heights[:point], height, *position.heights[point + 1 :])
    kept = position.stage in (Stage.FIRST, Stage.ONE)
    stage = position.stage if kept else Stage.ONE
    return Position(position.rules, tops, heights, position.mover, stage)


def settings(position: Position) -> tuple[Setting, ...]:
    sides = tuple((str(side), SIDE_NAMES[side]) for side in SIDES)
    found = [Setting("mover", text("To move"), sides, str(position.mover))]
    if position.rules.first_turn_single:
        stages = (
            (Stage.ONE.value, text("a turn of two actions")),
            (Stage.FIRST.value, text("White's very first turn")),
        )
        now = Stage.FIRST if position.stage is Stage.FIRST else Stage.ONE
        found.append(Setting("turn", text("Turn"), stages, now.value))
    return tuple(found)


def change(position: Position, setting: str, value: str) -> Position:
    check_value(settings(position), setting, value)
    stage = Stage.FIRST if position.stage is Stage.FIRST else Stage.ONE
    mover = position.mover
    if setting == "mover":
        mover = int(value)
        stage = stage if mover == WHITE else Stage.ONE
    else:
        stage = Stage(value)
        mover = WHITE if stage is Stage.FIRST else mover
    return Position(position.rules, position.tops, position.heights, mover, stage)


EDITOR = Editor(empty, parts, put, take, settings, change)
