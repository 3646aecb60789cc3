"""The goals of lessons in Corridor, and the happenings of first games, by their words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.lesson import GoalWord, Pieces, Reached, goals_of_pieces
from trine.games.corridor.board import square_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Move, Wall
from trine.games.corridor.view.panel import is_jump

NORTH: Final = 1
"""The player whom the lessons' walls are against."""

# --- goals ---------------------------------------------------------------------------------------


def _pawns(position: Position) -> Pieces:
    return {
        square_name(position.size, pawn): (player, position.seats[player].letter)
        for player, pawn in enumerate(position.pawns)
        if pawn >= 0
    }


def _gained(reached: Reached, player: int) -> float:
    """Return how many steps longer a player's path is; NaN if there is no path."""
    after = reached.position.distance(player)
    return math.nan if after is None else after - reached.start.distance(player)


def _is_nearer(reached: Reached) -> bool:
    return _gained(reached, reached.learner) < 0


def _is_no_farther(reached: Reached) -> bool:
    return _gained(reached, reached.learner) <= 0


def _lengthened(reached: Reached, steps: int) -> bool:
    """Return whether North's path is longer by at least ``steps``, but there is still one."""
    return _gained(reached, NORTH) >= steps


def _north_is_trapped(reached: Reached) -> bool:
    return reached.position.distance(NORTH) is None


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {
        **goals_of_pieces(_pawns),
        "nearer": _is_nearer,
        "no-farther": _is_no_farther,
        "lengthened": _lengthened,
        "north-trapped": _north_is_trapped,
    }
)

# --- happenings ----------------------------------------------------------------------------------


def _is_blocked(turn: Any, player: int) -> bool:
    """Return whether another player's wall makes the player's path longer."""
    if turn.player == player or not isinstance(turn.actions[0], Wall):
        return False
    before, after = (position.distance(player) for position in (turn.before, turn.after))
    return bool(before is not None and (after is None or after > before))


def _jumps(turn: Any, player: int) -> bool:
    (action,) = turn.actions
    return turn.player == player and isinstance(action, Move) and is_jump(turn.before, action)


def _builds(turn: Any, player: int) -> bool:
    return turn.player == player and isinstance(turn.actions[0], Wall)


HAPPENINGS: Final = MappingProxyType({"blocked": _is_blocked, "jumps": _jumps, "builds": _builds})
