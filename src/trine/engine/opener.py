"""Opening players: what they are opened with, and what every function is like that opens them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from trine.core.ahead import Show
from trine.engine.levels import FULL
from trine.engine.player import Player


@dataclass(frozen=True)
class Settings:
    """What a player may use of the machine, and how it plays."""

    hash_mb: int = 64
    """Units: MiB."""
    threads: int = 1
    level: int = FULL
    """Of a bot whose words name no level."""
    seed: int = 0


USUAL: Final = Settings()


class Opener(Protocol):
    """A function that opens players by their words, such as ``bot:7`` and ``engine:COMMAND``.

    The usual one is `trine.protocol.players.open_player`.
    """

    def __call__(
        self, words: str, game: str, settings: Settings, show: Show | None = None
    ) -> Player:
        """Open a player of ``GAME/RULES``; ``show`` is told what has to be compiled for it.

        Raises:
            ForfeitError: it does not answer.
            TrineError: there is none of these words, or it cannot be started.
        """
