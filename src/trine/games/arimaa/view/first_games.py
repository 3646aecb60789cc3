"""The newcomers' game of Arimaa: five pieces a side, and a rabbit that is to reach the goal."""

from __future__ import annotations

from typing import Any, Final

from trine.core.contract.first_game import Bubble, FirstGame
from trine.core.text.sentence import text
from trine.games.arimaa.board import SIDE
from trine.games.arimaa.rules import Step, is_frozen


def _shoves(turn: Any, player: int) -> bool:
    """Whether the player pushes or pulls a piece of the other side."""
    steps = (action for action in turn.actions if isinstance(action, Step))
    return turn.player == player and any(SIDE[step.piece] != player for step in steps)


def _falls(turn: Any, player: int) -> bool:
    """Whether a piece of either side falls into a trap."""
    before, after = (sum(map(str.isalpha, one.board)) for one in (turn.before, turn.after))
    return after < before


def _freezes(turn: Any, player: int) -> bool:
    """Whether the other side's turn has frozen pieces of the player."""
    before, after = (
        sum(
            SIDE[piece] == player and is_frozen(position.rules, position.board, square)
            for square, piece in enumerate(position.board)
            if piece.isalpha()
        )
        for position in (turn.before, turn.after)
    )
    return turn.player != player and after > before


FIRST_GAMES: Final = (
    FirstGame(
        name="animals",
        rules="official",
        position="2g r6r/3dc3/4e3/8/R2E3R/3DC3/8/8",
        invitation=text("Now animals that push"),
        task=text("Bring a rabbit to the far side. A turn has four steps."),
        glows=("a4", "h4"),
        bubbles=(
            Bubble(
                _falls,
                text("On a trap, with no friend beside it, a piece falls and is gone."),
            ),
            Bubble(
                _freezes,
                text("Frozen: beside a stronger enemy, with no friend beside it."),
            ),
            Bubble(
                _shoves,
                text("The stronger one pushes and pulls the weaker one."),
            ),
        ),
    ),
)
