"""The state of a search at a moment of thinking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trine.core.contract.position import Action
from trine.core.contract.score import Score


@dataclass(frozen=True)
class Info:
    """A line of play and its score, as a search knows them so far."""

    depth: int
    """Units: actions; the depth to which the whole tree is searched."""
    score: Score
    """For the player to move."""
    pv: tuple[Action, ...]
    """The principal variation: the best play of all players, action by action."""
    nodes: int
    seconds: float
    rank: int = 1
    """1 for the best line, 2 for the next best."""
    chances: tuple[float, ...] = ()
    """Of each player in turn order to win; only of three and four, where one score cannot tell."""
    solved: bool = False
    """Whether the score is the value of a solved board, and no search was needed."""

    @property
    def nodes_per_second(self) -> int:
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


OnInfo = Callable[[Info], None]
"""A function that is called with each new result, in the thread of the search."""
