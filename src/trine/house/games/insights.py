"""Insight into positions for pages, found by helpers, since it takes up to half a second."""

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
from trine.house.helpers import Helpers
from trine.house.refusals import HouseError

LATE: Final = 0.5
"""Units: seconds; after a longer wait the board is shown without, and again when it is found."""


@dataclass(frozen=True)
class Seen:
    """The insight into a position."""

    marks: Mapping[str, frozenset[str]]
    """Marks for a board, by the name of the cell."""
    sentences: Sequence[Text]


class PageInsight:
    """The insight for one page: into one position at a time.

    Args: ``found`` is called when something was found too late to be shown at once.
    """

    def __init__(self, helpers: Helpers, address: str, found: Callable[[], None]) -> None:
        self._helpers, self._address, self._found = helpers, address, found
        self._asking: asyncio.Task[Seen] | None = None

    async def of(self, room: Room, position: Position) -> Seen | None:
        """Return what there is to see; None where it is not known in time."""
        key = (room.name, position)
        if known := self._helpers.kept(key):
            return cast("Seen", known)
        if self._asking:
            return None
        job = partial(see, room.name, position)
        asking = self._asking = asyncio.create_task(self._helpers.make(self._address, key, job))
        await asyncio.wait({asking}, timeout=LATE)
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
        """Break off what is asked; the page, which has this, is free at once."""
        self._found = lambda: None
        if self._asking:
            self._asking.cancel()


def _result(asking: asyncio.Task[Seen]) -> Seen | None:
    try:
        return asking.result()
    except (HouseError, BrokenProcessPool):  # too much is asked, or the house closes
        return None


def see(game: str, position: Position) -> Seen:
    """Return what there is to see in a position; it is called in a helper."""
    found = open_room(game).view.insight(position)
    return Seen(found.marks(), without_notation(found.sentences()))
