"""The settings by which a player thinks in games that compiled code plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trine.engine.search.constants import DEFAULT_CONSTANTS, SearchConstants
from trine.engine.search.kernel.node import NO_LIMIT
from trine.engine.search.kernel.stack import MAX_DEPTH
from trine.engine.search.nets import SearchNet


@dataclass(frozen=True, eq=False)
class PlayerSettings:
    """The settings by which a player thinks."""

    nodes: int | None = None
    """Units: positions, of a turn or of each action."""
    depth: int | None = None
    """Units: actions."""
    by_turns: bool = False
    """Whether a search decides about the whole turn, as a bot's does, or about one action."""
    overlook_rate: int = 0
    """Units: 1/1024; as that of a level."""
    seed: int = 0
    """Decides which actions are overlooked."""
    weights: NDArray[np.float32] | None = None
    """All that the evaluation looks up; None is what the room has."""
    constants: SearchConstants = DEFAULT_CONSTANTS
    """Those of the search."""
    net: SearchNet | None = None
    """The net beside the terms; None is what the room has."""

    def as_record(self) -> tuple[int, ...]:
        """Return what compiled code looks up while a game is played."""
        nodes = NO_LIMIT if self.nodes is None else self.nodes
        depth = MAX_DEPTH if self.depth is None else self.depth
        return nodes, depth, int(self.by_turns), self.overlook_rate, self.seed
