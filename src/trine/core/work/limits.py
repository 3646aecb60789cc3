"""The limits of a player's or a search's thinking."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.clock import Clock


@dataclass(frozen=True)
class Limits:
    """The limits of the thinking about one turn; the first one reached ends it. None is no limit.

    >>> Limits().endless, Limits(hard=1.0).endless, Limits(hard=0.0).endless
    (True, False, False)
    """

    depth: int | None = None
    """Units: actions of all players."""
    nodes: int | None = None
    """Units: positions searched."""
    soft: float | None = None
    """Units: seconds; the soft limit: after it no further depth is begun. None is the hard one."""
    hard: float | None = None
    """Units: seconds; the hard limit: after it the whole turn is to be played."""
    clock: Clock | None = None
    """The clock as the turn began; `trine.engine.players.timing.allot` makes a soft and a hard
    limit of it, the only times that a search looks at."""
    play_forced_instantly: bool = False
    """Whether a forced action is answered at once, which spares the clock and tells nothing."""
    used: float = 0.0
    """Units: seconds; the time that the turn has taken already."""

    @property
    def endless(self) -> bool:
        """Whether only a stop ends the thinking."""
        limits = (self.depth, self.nodes, self.soft, self.hard, self.clock)
        return all(limit is None for limit in limits)
