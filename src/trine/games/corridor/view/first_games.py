"""The first games of a newcomer: a race on a small board, then on the usual board."""

from __future__ import annotations

from typing import Any, Final

from trine.core.contract.first_game import Bubble, FirstGame
from trine.core.text.sentence import text
from trine.games.corridor.rules import Move, Wall
from trine.games.corridor.view.panel import is_jump


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


FIRST_GAMES: Final = (
    FirstGame(
        name="five",
        rules="quoridor",
        position="quoridor 5 2 c1,c5 - 3,3 1",
        invitation=text("A race, five by five"),
        task=text("You want to get to the other side. Tap."),
        typed=text("You want to get to the other side. Type c2."),
        glows=("c1",),
        bubbles=(
            Bubble(
                _is_blocked,
                text("Blocked: go round, or block back with a wall between two squares."),
            ),
            Bubble(_jumps, text("A pawn in the way is no wall: you have jumped over it.")),
            Bubble(_builds, text("Your wall stays. It may make a way longer, but never shut it.")),
        ),
    ),
    FirstGame(
        name="nine",
        rules="quoridor",
        position="quoridor 9 2 e1,e9 - 10,10 1",
        invitation=text("Now nine by nine"),
        task=text("The same race, on the whole board: ten walls each."),
        glows=("e1",),
    ),
)
