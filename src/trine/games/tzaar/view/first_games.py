"""The newcomers' game of TZAAR: the middle of the board, with some pieces of each kind."""

from __future__ import annotations

from typing import Any, Final

from trine.core.contract.first_game import Bubble, FirstGame
from trine.core.text.sentence import text
from trine.games.tzaar.rules import Stacking


def _stacks(turn: Any, player: int) -> bool:
    return turn.player == player and any(isinstance(one, Stacking) for one in turn.actions)


def _is_last_of_its_kind(turn: Any, player: int) -> bool:
    """Return whether the other side has left the player a single stack of a kind."""
    before, after = (position.shown(player) for position in (turn.before, turn.after))
    return bool(turn.player != player and min(after) == 1 < min(before))


FIRST_GAMES: Final = (
    FirstGame(
        name="stacks",
        rules="official",
        position="official ...../....../.TYtYZ./.TZytZT./.zyY*Tzt./.YtZZyT./.YTzTZ./....../....."
        " white 1",
        invitation=text("Now stacks"),
        task=text("Capture along the lines. Lose all of one kind, and you have lost."),
        glows=(),
        bubbles=(
            Bubble(
                _is_last_of_its_kind,
                text("Take care: of one kind you have a single stack left."),
            ),
            Bubble(
                _stacks,
                text("A stack is as strong as it is high: no lower one captures it."),
            ),
        ),
    ),
)
