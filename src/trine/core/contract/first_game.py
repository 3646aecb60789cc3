"""A first game: a position that is won in some minutes by somebody who has never seen the game.

It is played like every other, against the gentlest level; sentences come with what happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trine.core.contract.turn import Turn
from trine.core.text.sentence import Text


@dataclass(frozen=True)
class Bubble:
    """A sentence that is told once, when something has happened for the first time."""

    happens: Callable[[Any, int], bool]
    """Whether it happens in a turn, for a player; positions of the turn are as their room has
    them."""
    text: Text


@dataclass(frozen=True)
class FirstGame:
    """A position to begin with, and what is said while it is played."""

    name: str
    """A word that is unique among all games."""
    rules: str
    position: str
    """As text, with the beginner to move."""
    invitation: Text
    """The words of the button that leads to it."""
    task: Text
    """The aim of the beginner, in one line."""
    glows: tuple[str, ...]
    """The cells that are marked before the first turn."""
    bubbles: tuple[Bubble, ...] = ()
    typed: Text | None = None
    """The aim for somebody who types; None where it is the same."""

    def line(self, turns: Sequence[Turn], player: int) -> Text | None:
        """Return what a player is told after some turns; None where nothing happens anew."""
        if not turns:
            return self.task
        own = [number for number, turn in enumerate(turns) if turn.player == player]
        since = own[-1] if own else 0
        for bubble in self.bubbles:
            happened = (one for one, turn in enumerate(turns) if bubble.happens(turn, player))
            if next(happened, -1) >= since:
                return bubble.text
        return None
