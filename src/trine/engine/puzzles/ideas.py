"""Ideas in place of turns: all turns that achieve as much are one, whatever their idle steps.

Where a turn has several actions, often only some of them matter, and dozens of turns are as good as
the best one. So what stands out is not a turn but an idea: a best turn achieves something, and all
turns that do not achieve it are far worse. It brings Numba along.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.contract.position import Position
from trine.core.play import Play
from trine.engine.puzzles.judgement import Idea
from trine.games import open_ideas, open_kernel

WIDEST: Final = 0.25
"""An idea that a greater share of all turns has is none. Guess."""


class Turns:
    """All different turns from a position, which divide by what they achieve."""

    def __init__(self, play: Play) -> None:
        """Find the turns of a play at the beginning of one, in a game that has ideas."""
        ideas = open_ideas(play.room.name)
        assert ideas
        self._ideas, self._kernel = ideas, open_kernel(play.room.name)
        self._before = self._kernel.row_of(play.position)
        self._after = ideas.every_turn(self._before)
        self._keys = np.array([self._kernel.key(row) for row in self._after], np.uint64)

    def idea(self, theme: str, after: Position) -> Idea | None:
        """Return the idea of a theme that a turn has; None if it has none, or too many share it."""
        own = self._kernel.row_of(after)[None, :]
        least = self._ideas.achieved(self._before, own, theme)[0]
        if not least.any():
            return None
        shared = (self._ideas.achieved(self._before, self._after, theme) >= least).all(axis=1)
        if shared.mean() > WIDEST:
            return None
        return Idea(theme, float(shared.mean()), frozenset(self._keys[shared].tolist()))

    def ideas(self, after: Position) -> list[Idea]:
        """Return the ideas that a turn has, the one that the fewest turns share first."""
        found = (self.idea(theme, after) for theme in self._ideas.names)
        return sorted((idea for idea in found if idea), key=lambda idea: idea.share)


def has_ideas(game: str) -> bool:
    """Whether turns of a game are compared by their ideas."""
    return open_ideas(game) is not None


def shares_idea(game: str, idea: Idea, after: Position) -> bool:
    """Whether a turn shares an idea, by the position after it."""
    return open_kernel(game).key_of(after) in idea.keys
