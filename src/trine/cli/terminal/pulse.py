"""The pulse of a game on the clock: recorded regularly, so that a crash refunds little time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final

from trine.play.session.game import Game

PERIOD: Final = 1.0
"""Units: seconds; the interval of the pulse, and so the most refunded time after a crash."""


@contextmanager
def beating(game: Game[Any], period: float = PERIOD) -> Iterator[None]:
    """Within the block, record regularly that time passes in a game on the clock."""
    if not game.clock:
        yield
        return
    over = Event()

    def beat() -> None:
        while not over.wait(period):
            game.beat()

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
