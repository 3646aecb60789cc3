"""How far a search goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trine.search.kernel.worker import MAX_PLY

MOST_DEPTH: Final = MAX_PLY - 16
"""Units: actions; tactical actions need some room below."""


@dataclass(frozen=True)
class Effort:
    """How far a search goes; whichever comes first ends it."""

    depth: int = MOST_DEPTH
    nodes: int | None = None
    enough: float | None = None
    """Units: seconds; after so long no further depth is begun."""
    most: float | None = None
    """Units: seconds; after so long it is broken off."""
    lines: int = 1
    """So many lines, whose first turns differ in what they lead to."""
    handicap: int = 0
    """Units: 1/1024; the share of actions that is overlooked, by all players."""
    seed: int = 0
    """Which are."""
