"""The pulse of a game on the clock: noted while it is played, so that no thought is refunded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final

from trine.session.game import Game

PERIOD: Final = 1.0
"""Units: seconds; what may be refunded after a crash."""


@contextmanager
def beating(game: Game[Any], period: float = PERIOD) -> Iterator[None]:
    """Inside, a game on the clock notes again and again that time passes."""
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
