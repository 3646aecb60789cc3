"""The settings of players, and the type of functions that open players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from trine.core.compiled.ahead import Show
from trine.engine.players.levels import FULL
from trine.engine.players.player import Player


@dataclass(frozen=True)
class PlayerResources:
    """The memory that a player may use, its level and its seed."""

    hash_mb: int = 64
    """Units: MiB."""
    level: int = FULL
    """The level of a bot whose specification names none."""
    seed: int = 0


DEFAULTS: Final = PlayerResources()


class PlayerFactory(Protocol):
    """A function that opens players by specification, such as ``bot:7``."""

    def __call__(
        self, words: str, game: str, settings: PlayerResources, show: Show | None = None
    ) -> Player:
        """Open a player of ``GAME/RULES``; raises `ForfeitError` or `TrineError`."""
