"""The strength of a puzzle at first: by the effort that a search needs to find its solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trine.core.contract.position import Position
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.engine.search.alphabeta import AlphaBeta

EFFORTS: Final = (1, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""Units: nodes."""
LOWEST: Final = 800
"""The rating of a puzzle that the least effort but the first finds. This and the step are guesses;
the ratings move as people solve."""
STEP: Final = 200


def effort_needed(search: AlphaBeta, play: Play, solves: Callable[[Position], bool]) -> int:
    """Return the place in `EFFORTS` from which on a search finds a turn that solves a puzzle."""
    needed = len(EFFORTS)
    for place in reversed(range(len(EFFORTS))):
        search.forget()
        ahead = play.copy()
        while len(ahead.turns) == len(play.turns):
            for action in search.search(ahead, Limits(nodes=EFFORTS[place]))[0].pv:
                ahead.act_unchecked(action)
                if len(ahead.turns) > len(play.turns):
                    break
        if not solves(ahead.turns[-1].after):
            break
        needed = place
    return needed


def first_rating(effort: int, actions: int = 1) -> int:
    """Return the rating that a puzzle begins with; one with more actions to find is harder.

    >>> first_rating(1), first_rating(8), first_rating(0, actions=4)
    (800, 2200, 1200)
    """
    return max(LOWEST + STEP * max(0, effort - 1), LOWEST + STEP * max(0, actions - 2))
