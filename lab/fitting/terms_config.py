"""The evaluations of a trial match, with weights of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fitting.terms import weights_with
from trine.engine.learn.eval_config import EvalConfig
from trine.engine.selfplay.player_settings import PlayerSettings


@dataclass(frozen=True)
class TermsConfig(EvalConfig):
    """An evaluation without a net, with weights of its own."""

    weights: tuple[float, ...] = ()
    """The weights of the terms, then the entries of the piece-square table."""

    def settings(self, game: str, nodes: int) -> PlayerSettings:
        settings = super().settings(game, nodes)
        return replace(settings, weights=weights_with(game, self.weights))
