"""The limits of a player's or a search's thinking time and effort."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.clock import Clock


@dataclass(frozen=True)
class Limits:
    """The limits of thinking about one turn; the first one reached ends it. None: no limit.

    >>> Limits().endless, Limits(hard=1.0).endless, Limits(hard=0.0).endless
    (True, False, False)
    """

    depth: int | None = None
    """Units: actions of all players."""
    nodes: int | None = None
    """Units: positions searched."""
    soft: float | None = None
    """Units: seconds; the soft limit: after it no further depth begins. None: the hard limit."""
    hard: float | None = None
    """Units: seconds; the hard limit: by then the whole turn has to be played."""
    clock: Clock | None = None
    """The clock at the beginning of the turn; `trine.engine.players.timing.allot` derives soft and
    hard limits from it, the only times that a search uses."""
    play_forced_instantly: bool = False
    """Whether a forced action is played at once, which saves time but gives no information."""
    used: float = 0.0
    """Units: seconds; the time that the turn has taken so far."""

    @property
    def endless(self) -> bool:
        """Whether only a stop ends the thinking."""
        limits = (self.depth, self.nodes, self.soft, self.hard, self.clock)
        return all(limit is None for limit in limits)
