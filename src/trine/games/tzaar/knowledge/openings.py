"""Placements on an empty board of TZAAR, by a principle, since a search can judge nothing yet.

Totts go to points with few lines, in the corners and on the edge; Tzarras and Tzaars go inside,
where they can move along many lines, capture, and climb onto other stacks. The Russian document
advises placing the pieces in a mass instead, as the room's strategist does
(`trine.games.tzaar.knowledge.strategy`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from trine.games.tzaar.board import EMPTY, KINDS, LINES_FROM, POINTS
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Action, Placement

NEIGHBOURS: Final = tuple(sum(map(bool, lines)) for lines in LINES_FROM)
"""The number of neighbours of each point: 3 in a corner, 4 on the edge, 5 at the hole, else 6."""
AVERAGE: Final = sum(NEIGHBOURS) / len(POINTS)
GAIN: Final[Mapping[str, float]] = {"T": -4.0, "Y": 2.0, "Z": 2.5}
"""Units: points for each neighbour that a piece of the kind has. Origin: a regression of the
results of 2,300 games of the search with itself, by the random boards that they began with. In
336 games from boards filled in this way, this placement gained 82 ± 19 Elo against a random one."""


def opening(position: Position, rng: Random) -> tuple[Action, ...]:
    """Return the best placement, a random one of equals; nothing once the board is full.

    >>> from trine.games.tzaar.starts import start
    >>> print(*opening(start("official", {"Setup": "placement"}), Random(7)))
    Ti5
    """
    if not position.in_setup:
        return ()
    choices = [
        (GAIN[kind] * (NEIGHBOURS[point] - AVERAGE), rng.random(), Placement(kind, point))
        for kind, count in zip(KINDS, position.hand(position.mover), strict=True)
        for point in POINTS
        if count and position.tops[point] == EMPTY
    ]
    return (max(choices, key=lambda choice: choice[:2])[-1],)
