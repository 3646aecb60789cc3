"""What is known at a moment of thinking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trine.core.doors import Action
from trine.core.score import Score


@dataclass(frozen=True)
class Info:
    """A line of play and what it is worth, as a search knows it by now."""

    depth: int
    """Units: actions; how far the whole tree is searched."""
    score: Score
    """For the player to move."""
    pv: tuple[Action, ...]
    """The principal variation: what is thought best for all players, action by action."""
    nodes: int
    seconds: float
    rank: int = 1
    """1 for the best line, 2 for the next best."""

    @property
    def nodes_per_second(self) -> int:
        """How fast it was."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


Told = Callable[[Info], None]
"""Told what is known, whenever that changes; in a thread of the search."""
