"""The sides of a trial: evaluations with weights of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fitting.terms import weights_with
from trine.engine.learn.eval_config import EvalConfig
from trine.engine.selfplay.player_settings import PlayerSettings


@dataclass(frozen=True)
class TermsConfig(EvalConfig):
    """An evaluation without a net, with weights of its own."""

    weights: tuple[float, ...] = ()
    """Those of the terms, and numbers of a table behind them."""

    def settings(self, game: str, nodes: int) -> PlayerSettings:
        settings = super().settings(game, nodes)
        return replace(settings, weights=weights_with(game, self.weights))
