"""The settings of a player in games of compiled code."""

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
    """The settings of a player."""

    nodes: int | None = None
    """Units: nodes for a turn, or for each action."""
    depth: int | None = None
    """Units: actions."""
    by_turns: bool = False
    """Whether a search decides the whole turn, as for bots, or one action."""
    overlook_rate: int = 0
    """Units: 1/1024; as in `Level`."""
    seed: int = 0
    """The seed that selects the overlooked actions."""
    weights: NDArray[np.float32] | None = None
    """The weights of the evaluation; None: the game's default."""
    constants: SearchConstants = DEFAULT_CONSTANTS
    net: SearchNet | None = None
    """The net; None: the game's default."""

    def as_record(self) -> tuple[int, ...]:
        """Return the record that compiled code reads during a game."""
        nodes = NO_LIMIT if self.nodes is None else self.nodes
        depth = MAX_DEPTH if self.depth is None else self.depth
        return nodes, depth, int(self.by_turns), self.overlook_rate, self.seed
