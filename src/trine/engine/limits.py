"""How long a player may think."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.clock import Clock


@dataclass(frozen=True)
class Limits:
    """What ends the thinking about one turn: whichever comes first. None stands for no limit.

    >>> Limits(seconds=1.0).endless
    False
    """

    depth: int | None = None
    """Units: actions of all players."""
    nodes: int | None = None
    """Units: positions searched, all threads together."""
    seconds: float | None = None
    """For the whole turn."""
    clock: Clock | None = None
    """The clock as the turn began; thinking divides what it leaves between this turn and others."""
    used: float = 0.0
    """Units: seconds; what the turn has taken already."""

    @property
    def endless(self) -> bool:
        """Whether only `stop` ends the thinking."""
        return not (self.depth or self.nodes or self.seconds or self.clock)
