"""How long a player or a search may think."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.clock import Clock


@dataclass(frozen=True)
class Limits:
    """What ends the thinking about one turn: whichever comes first. None stands for no limit.

    >>> Limits(hard=1.0).endless
    False
    """

    depth: int | None = None
    """Units: actions of all players."""
    nodes: int | None = None
    """Units: positions searched, all threads together."""
    soft: float | None = None
    """Units: seconds; after so long no further depth is begun. None stands for the hard limit."""
    hard: float | None = None
    """Units: seconds; after so long the whole turn is to be played."""
    clock: Clock | None = None
    """The clock as the turn began; `trine.engine.timing.allot` makes a soft and a hard limit of it,
    which is all that a search looks at."""
    used: float = 0.0
    """Units: seconds; what the turn has taken already."""

    @property
    def endless(self) -> bool:
        """Whether only a stop ends the thinking."""
        return not (self.depth or self.nodes or self.soft or self.hard or self.clock)
