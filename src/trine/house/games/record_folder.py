"""The folder with the records of finished games.

That a record is to be written is a row, made with the end of the game: so what could not be written
is written later, whatever happened to the house or to its disk in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from trine.core.errors import FileError
from trine.core.work.payer import in_thread
from trine.house.background import Background, Now, Report
from trine.house.games.events import read_events
from trine.house.games.export import entries_of, export, record_text
from trine.house.games.follows import Context, Write, ends
from trine.house.games.live_game import LiveGame
from trine.house.store.deadlines import due_of, moments_of, set_due
from trine.house.store.store import Store
from trine.play.session.changes import rebuilt

RECORD: Final = "record"
"""The kind of deadline of a record that is to be written."""
DUTY: Final = "records"
"""The duty of writing late records, which one of several processes has."""
LOOKS: Final = 60.0
"""Units: seconds; the interval of looking for records that were not written."""
LATE: Final = 60.0
"""Units: seconds; how long after the end of a game its record is late."""


class RecordFolder:
    """The folder of records; without a path nothing is written."""

    def __init__(
        self, path: Path | None, store: Store, now: Now, report: Report, background: Background
    ) -> None:
        self._path: Final = path
        self._store, self._now = store, now
        self._report, self._background = report, background
        self._writing = asyncio.Lock()

    def note_end(self, before: LiveGame, after: LiveGame, context: Context) -> Write | None:
        if not self._path or not after.state or not ends(before, after):
            return None
        return partial(set_due, kind=RECORD, ref=after.game, at=after.state.at + LATE)

    def keep(self, before: LiveGame, after: LiveGame) -> None:
        """Write the record of a game that has ended with a change."""
        if self._path and after.state and ends(before, after):
            record = partial(record_text, after.entries, after.state.play.start.seats)
            write = partial(self._write, self._path, after.game, record)
            self._background.finish(write, "the record of a game", game=after.game)

    async def renew(self, game: str) -> None:
        """Rewrite the record of a game from the store, if it was written, or is to be."""
        if not self._path:
            return
        if not (self._path / f"{game}.trine").exists() and not await self._is_due(game):
            return
        await self._store.commit(set_due, RECORD, game, self._now())
        try:
            await self._write(self._path, game, partial(self._stored, game))
        except (FileError, OSError) as error:
            self._report("a record could not be written", error, game=game)

    async def catch_up(self) -> None:
        """Write the records that are late.

        Raises:
            OSError: they still cannot be written.
        """
        while self._path and (late := await self._store.fetch(due_of, RECORD, self._now())):
            for one in late:
                try:
                    await self._write(self._path, one.ref, partial(self._stored, one.ref))
                except (FileError, OSError):
                    raise
                except Exception as error:  # a fault of this game holds up no other record
                    self._report("a record could not be written", error, game=one.ref)
                    await self._store.commit(set_due, RECORD, one.ref, self._now() + LATE)

    async def _write(self, path: Path, game: str, record: Callable[[], str]) -> None:
        async with self._writing:
            if await self._is_due(game):  # it may have been written anew meanwhile
                await in_thread(lambda: export(path, game, record()))
                await self._store.commit(set_due, RECORD, game, None)

    async def _is_due(self, game: str) -> bool:
        return bool(await self._store.fetch(moments_of, RECORD, [game]))

    def _stored(self, game: str) -> str:
        entries = entries_of(self._store.read(read_events, game))
        return record_text(entries, rebuilt(entries).play.start.seats)
