"""A first game: a position that a newcomer to the game can win in a few minutes.

A first game is played against level 1; sentences explain what happens. First games are read from
``handbook/first_games.toml`` of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from trine.core.contract.turn import Turn
from trine.core.text.sentence import Text

Happening = Callable[[Any, int], bool]
"""``happens(turn, player)``: whether an event happens to a player in a turn, whose positions are of
the game's own class."""


class Bubble(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence that is shown when its event happens for the first time."""

    when: Happening
    """The event; in the file, a name from the ``happenings`` of the game's `Handbook`."""
    text: Text


class FirstGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A start position, and the sentences shown while it is played."""

    name: str
    """An id that is unique among all games."""
    rules: str
    position: str
    """The start position as text, with the beginner to move."""
    invitation: Text
    """The label of the button that starts the game."""
    task: Text
    """The beginner's aim, in one line."""
    glows: tuple[str, ...]
    """The cells that are highlighted before the first turn."""
    bubbles: tuple[Bubble, ...] = ()
    typed: Text | None = None
    """The aim for a player who types; None if the `task` fits."""

    def line(self, turns: Sequence[Turn], player: int) -> Text | None:
        """Return a player's sentences after some turns; None if nothing is new."""
        if not turns:
            return self.task
        own = [number for number, turn in enumerate(turns) if turn.player == player]
        since = own[-1] if own else 0
        for bubble in self.bubbles:
            happened = (one for one, turn in enumerate(turns) if bubble.when(turn, player))
            if next(happened, -1) >= since:
                return bubble.text
        return None
