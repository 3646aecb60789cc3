"""The goals of lessons in Arimaa, and the happenings of first games, by their words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.lesson import GoalWord, Pieces, Reached, goals_of_pieces
from trine.games.arimaa.board import EMPTY, SIDE, SQUARE_NAMES
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Step, is_frozen
from trine.games.arimaa.view.insight import threats_of

# --- goals ---------------------------------------------------------------------------------------


def _pieces(position: Position) -> Pieces:
    occupied = zip(SQUARE_NAMES, position.board, strict=True)
    return {cell: (SIDE[piece], piece) for cell, piece in occupied if piece != EMPTY}


def _frozen(reached: Reached, piece: str) -> bool:
    board = reached.position.board
    return piece in board and is_frozen(reached.position.rules, board, board.index(piece))


def _free(reached: Reached, piece: str) -> bool:
    """Return whether the only piece of a kind is on the board and not frozen."""
    return piece in reached.position.board and not _frozen(reached, piece)


def _unthreatened(reached: Reached, piece: str) -> bool:
    """Return whether the only piece of a kind is on the board, and no stronger enemy touches it."""
    board = reached.position.board
    if piece not in board:
        return False
    square = board.index(piece)
    alone = "".join(
        letter if at == square or SIDE[letter] != SIDE[piece] else EMPTY
        for at, letter in enumerate(board)
    )
    return not is_frozen(reached.position.rules, alone, square)


def _no_goal_ahead(reached: Reached) -> bool:
    """Return whether the other side cannot reach its goal with its next turn."""
    if reached.outcome:
        return False
    return not threats_of(reached.position, 1 - reached.learner).goal


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {
        **goals_of_pieces(_pieces),
        "frozen": _frozen,
        "free": _free,
        "unthreatened": _unthreatened,
        "no-goal-ahead": _no_goal_ahead,
    }
)

# --- happenings ----------------------------------------------------------------------------------


def _shoves(turn: Any, player: int) -> bool:
    """Return whether the player pushes or pulls a piece of the other side."""
    steps = (action for action in turn.actions if isinstance(action, Step))
    return turn.player == player and any(SIDE[step.piece] != player for step in steps)


def _falls(turn: Any, player: int) -> bool:
    """Return whether a piece of either side falls into a trap."""
    return len(_pieces(turn.after)) < len(_pieces(turn.before))


def _freezes(turn: Any, player: int) -> bool:
    """Return whether the other side's turn has frozen pieces of the player."""
    before, after = (
        sum(
            SIDE[piece] == player and is_frozen(position.rules, position.board, square)
            for square, piece in enumerate(position.board)
            if piece != EMPTY
        )
        for position in (turn.before, turn.after)
    )
    return turn.player != player and after > before


HAPPENINGS: Final = MappingProxyType({"shoves": _shoves, "falls": _falls, "freezes": _freezes})
