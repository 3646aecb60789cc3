"""The symmetries of Arimaa: left to right, and both colours exchanged on a flipped board."""

from dataclasses import replace
from functools import cache, partial
from typing import Final

from trine.core.contract.position import Symmetries, Symmetry, identity
from trine.games.arimaa.board import OFF_BOARD, SIDES
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import STEPS, Action, End, Placement, Step

_FILES: Final = str.maketrans("ew", "we")
_RANKS: Final = str.maketrans("ns", "sn")


def _square(mirrored: bool, swapped: bool, square: int) -> int:
    """Return the image of a square; `OFF_BOARD` is its own image."""
    return square if square == OFF_BOARD else square ^ (7 * mirrored | 56 * swapped)


def _board(mirrored: bool, swapped: bool, board: str) -> str:
    ranks = [board[first : first + 8] for first in range(0, len(board), 8)]
    if mirrored:
        ranks = [rank[::-1] for rank in ranks]
    return "".join(ranks[::-1]).swapcase() if swapped else "".join(ranks)


def _position(mirrored: bool, swapped: bool, position: Position) -> Position:
    square = partial(_square, mirrored, swapped)
    pull, push, spent = position.pull, position.push, position.spent_pull
    return replace(
        position,
        board=_board(mirrored, swapped, position.board),
        start=_board(mirrored, swapped, position.start),
        mover=position.mover ^ swapped,
        pull=pull and replace(pull, left=square(pull.left)),
        push=push
        and replace(
            push,
            square=square(push.square),
            pushers=tuple(
                near
                for near in position.rules.reach[square(push.square)]
                if square(near) in push.pushers
            ),
        ),
        spent_pull=spent and replace(spent, left=square(spent.left)),
    )


def _action(mirrored: bool, swapped: bool, action: Action) -> Action:
    square = partial(_square, mirrored, swapped)
    match action:
        case Step(piece, origin, direction):
            direction = direction.translate(_FILES) if mirrored else direction
            direction = direction.translate(_RANKS) if swapped else direction
            return STEPS[piece.swapcase() if swapped else piece, square(origin), direction]
        case Placement(piece, at):
            return Placement(piece.swapcase() if swapped else piece, square(at))
        case End():
            return action


def _symmetry(name: str, mirrored: bool, swapped: bool) -> Symmetry:
    players = SIDES[::-1] if swapped else SIDES
    return Symmetry(
        name, players, partial(_position, mirrored, swapped), partial(_action, mirrored, swapped)
    )


@cache
def _all() -> Symmetries:
    return (
        identity(len(SIDES)),
        _symmetry("mirror", mirrored=True, swapped=False),
        _symmetry("colours", mirrored=False, swapped=True),
        _symmetry("mirror colours", mirrored=True, swapped=True),
    )


def symmetries(position: Position) -> Symmetries:
    """Return the symmetries of a position, the identity first.

    Gold sets up before Silver, so the colours are no symmetry of the setup.
    """
    return _all()[:2] if position.hands else _all()
