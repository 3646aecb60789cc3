"""The sides of games that something is learned from, or judged by: evaluations to play with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from trine.engine.learn.fitted_terms import weights_with
from trine.engine.search.nets import NO_NET, NetFile, fit_for_search
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.games import open_heuristics


@dataclass(frozen=True)
class Side:
    """An evaluation: a net, and whether it stands beside the room's terms."""

    net: NetFile | None = None
    terms: bool = True
    weights: tuple[float, ...] = ()
    """Other weights of the terms, and numbers of a table behind them; none are those of the room.
    """

    def settings(self, game: str, nodes: int, *, by_turns: bool) -> PlayerSettings:
        inputs, net = open_heuristics(game).net, NO_NET
        if self.net is not None and inputs is not None:
            net = fit_for_search(self.net, inputs)
        return PlayerSettings(
            nodes=nodes, by_turns=by_turns, net=net, weights=self._looked_up(game)
        )

    def _looked_up(self, game: str) -> NDArray[np.float32] | None:
        if not self.terms:
            return without_terms(game)
        return weights_with(game, self.weights) if self.weights else None


@cache
def without_terms(game: str) -> NDArray[np.float32]:
    """Return the array that an evaluation looks up, with terms that all weigh nothing."""
    return weights_with(game, [0.0] * len(open_heuristics(game).terms))
