"""The evaluations that play training games and gating matches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from trine.engine.search.nets import NO_NET, NetFile, fit_for_search
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.games import open_heuristics


@dataclass(frozen=True)
class EvalConfig:
    """An evaluation: a net, and whether it adds to the game's terms."""

    net: NetFile | None = None
    terms: bool = True

    def settings(self, game: str, nodes: int) -> PlayerSettings:
        inputs, net = open_heuristics(game).net, NO_NET
        if self.net is not None and inputs is not None:
            net = fit_for_search(self.net, inputs)
        weights = None if self.terms else without_terms(game)
        return PlayerSettings(nodes=nodes, by_turns=True, net=net, weights=weights)


@cache
def without_terms(game: str) -> NDArray[np.float32]:
    """Return the array that an evaluation looks up, with weight 0 for all terms."""
    heuristics = open_heuristics(game)
    looked_up: NDArray[np.float32] = heuristics.weights.copy()
    looked_up[: len(heuristics.terms)] = 0
    return looked_up
