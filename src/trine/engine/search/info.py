"""The result of a search so far."""

from collections.abc import Callable
from dataclasses import dataclass

from trine.core.contract.position import Action
from trine.core.contract.score import Score


@dataclass(frozen=True)
class Info:
    """A line of play and its score."""

    depth: int  # actions; the search depth of the whole tree
    score: Score  # the score for the player to move
    pv: tuple[Action, ...]  # the principal variation: the best actions of all players, in order
    nodes: int
    seconds: float
    rank: int = 1  # 1 for the best line, 2 for the next best
    chances: tuple[float, ...] = ()
    """Each player's chance to win, in turn order; only for three and four players."""
    solved: bool = False  # whether the score comes from a tablebase instead of a search

    @property
    def nodes_per_second(self) -> int:
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


OnInfo = Callable[[Info], None]
"""A callback for each new result, called in the thread of the search."""
