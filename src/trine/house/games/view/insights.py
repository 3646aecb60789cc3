"""Insight into positions for pages, computed in the job pool: it takes up to half a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from trine.core.contract import Room
from trine.core.contract.insight import without_notation
from trine.core.contract.position import Position
from trine.core.text.sentence import Text
from trine.games import open_room
from trine.house.job_pool import JobPool
from trine.house.refusals import HouseError

INSIGHT_TIMEOUT: Final = 0.5
"""Units: seconds; after a longer wait the board is shown without insight, and again with it
later."""


@dataclass(frozen=True)
class Seen:
    """The insight into a position."""

    marks: Mapping[str, frozenset[str]]
    """The marks on the board, by cell."""
    sentences: Sequence[Text]


class PageInsight:
    """The insight for one page, computed for one position at a time.

    ``found`` is called when an insight is ready that was too late to be returned.
    """

    def __init__(self, helpers: JobPool, address: str, found: Callable[[], None]) -> None:
        self._helpers, self._address, self._found = helpers, address, found
        self._asking: asyncio.Task[Seen] | None = None

    async def of(self, room: Room, position: Position) -> Seen | None:
        """Return the insight into a position; None if it is not ready in time."""
        key = (room.name, position)
        if known := self._helpers.cached(key):
            return cast("Seen", known)
        if self._asking:
            return None
        job = partial(see, room.name, position)
        asking = self._asking = asyncio.create_task(
            self._helpers.run_cached(self._address, key, job)
        )
        await asyncio.wait({asking}, timeout=INSIGHT_TIMEOUT)
        if not asking.done():
            asking.add_done_callback(self._end)
            return None
        self._asking = None
        return _result(asking)

    def _end(self, asking: asyncio.Task[Seen]) -> None:
        self._asking = None
        if not asking.cancelled() and _result(asking):
            self._found()

    def close(self) -> None:
        """Cancel pending work and drop the reference to the page."""
        self._found = lambda: None
        if self._asking:
            self._asking.cancel()


def _result(asking: asyncio.Task[Seen]) -> Seen | None:
    try:
        return asking.result()
    except (HouseError, BrokenProcessPool):  # the pool is overloaded, or the house closes
        return None


def see(game_name: str, position: Position) -> Seen:
    """Return the insight into a position; this runs in the job pool."""
    found = open_room(game_name).view.insight(position)
    return Seen(found.marks(), without_notation(found.sentences()))
