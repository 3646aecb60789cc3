"""Start squares chosen without a search."""

from __future__ import annotations

from random import Random

from trine.games.corridor.knowledge.strategy import choose_start
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Choice


def opening(position: Position, rng: Random) -> tuple[Choice, ...]:
    """Return a start square while these are being chosen; nothing once the pawns are placed."""
    return (choose_start(position, rng),) if position.in_setup else ()
