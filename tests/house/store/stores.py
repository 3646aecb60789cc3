"""The parts that tests of the store share."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from sqlalchemy import Connection, select

from trine.house.games.live.agreement import Agreement
from trine.house.games.storage.events import Event
from trine.house.games.storage.tables import TO_MOVE, GameRow, SeatRow, create_game
from trine.house.store.scheduled_tasks import reschedule
from trine.house.store.store import Store
from trine.house.store.writer import Given, Result, Statement

PATIENCE = 120.0


def written(
    store: Store, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
) -> Result:
    """Return the result of a statement when its transaction is over."""
    return store.write(statement, *given, **named).result(PATIENCE)


def create(store: Store, home: str = "here") -> GameRow:
    seats = [SeatRow(), SeatRow()]
    return written(store, create_game, Agreement.make("arimaa"), seats, home, store.now())


def turn(words: str = "Ee2n", at: float = 1_800_000_000.25) -> Event:
    return Event("act", 0, at, {"words": words, "closes": True, "used": 3.1})


@contextmanager
def held_up(store: Store) -> Iterator[None]:
    """Inside, nothing is written; what comes in is written together afterwards."""
    reached, released = threading.Event(), threading.Event()

    def wait(connection: Connection) -> None:
        reached.set()
        released.wait(PATIENCE)

    held = store.writer.submit(wait)
    assert reached.wait(PATIENCE)
    try:
        yield
    finally:
        released.set()
    held.result(PATIENCE)


def waiting_for(connection: Connection, person: str) -> list[str]:
    """The games in which it is a person's turn, the longest waiting first."""
    mine = select(TO_MOVE.c.game).where(TO_MOVE.c.person == person)
    return list(connection.execute(mine.order_by(TO_MOVE.c.since)).scalars())


def with_due(game: str, **times: float | None) -> Callable[[Connection], None]:
    """What sets deadlines of a game, in the transaction of an event."""
    return partial(reschedule, times={(kind, game): at for kind, at in times.items()})
