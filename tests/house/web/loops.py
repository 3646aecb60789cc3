"""The event loop of a test: work that holds it up, and how often it goes round."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager


def burn(seconds: float) -> None:
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass


class Rounds:
    count = 0


@contextmanager
def counted_rounds() -> Iterator[Rounds]:
    rounds = Rounds()

    async def count() -> None:
        while True:
            rounds.count += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    try:
        yield rounds
    finally:
        counting.cancel()
