"""The records of the games of a house: as text, in a folder, and checked against other rows.

That a record is to be written to the folder is a row, made with the end of the game: so what could
not be written is written later, whatever happened to the house or to its disk in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from trine.core.contract.record import format_tag, read_records
from trine.core.contract.seat import Seat
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text, text
from trine.core.work.payer import in_thread
from trine.house.background import Background
from trine.house.games.events import ABORT, REMATCH, Event, read_events
from trine.house.games.follows import Context, Write, ends
from trine.house.games.live_game import LiveGame
from trine.house.games.tables import GameRow, Stage, all_games, read_seats
from trine.house.store.deadlines import moments_of, set_due
from trine.house.store.store import Store
from trine.play.record.replay import replay
from trine.play.record.text_files import open_to_write
from trine.play.session.changes import rebuilt
from trine.play.session.entries import Entry, Kind
from trine.play.session.written import head_tags, written_all

RECORD: Final = "record"
"""The kind of deadline of a record that is to be written."""
LATE: Final = 60.0
"""Units: seconds; how long after the end of a game its record is late."""


def entries_of(events: Sequence[Event]) -> list[Entry]:
    return [
        Entry(Kind(event.kind), event.actor, event.at, event.data)
        for event in events
        if event.kind not in (ABORT, REMATCH)
    ]


def record_text(entries: Sequence[Entry], seats: Sequence[Seat]) -> str:
    """Return the record of a game, in the format of its file in a terminal.

    Args: ``entries`` are all of them, from the first; ``seats`` those of the board.
    """
    head = "".join(f"{format_tag(*tag)}\n" for tag in head_tags(entries[0]).items())
    return f"{head}\n{written_all(entries, seats, line_open=False)}"


def records(store: Store, *, only_over: bool = False) -> Iterator[tuple[str, str | Text]]:
    """Yield all games, one after the other: their ids, with their records or what is wrong.

    The record of a game that has none is empty; ``only_over`` leaves out those that run.
    """
    for game in all_games(store):
        wanted = game.stage is Stage.OVER or (game.stage is Stage.PLAYING and not only_over)
        try:
            entries = entries_of(store.read(read_events, game.id)) if wanted else []
            told = record_text(entries, rebuilt(entries).play.start.seats) if entries else ""
        except TrineError as error:
            yield game.id, error.text
        else:
            yield game.id, told


def export(folder: Path, game: str, told: str) -> None:
    """Write the record of a game into a folder, atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_to_write(folder / f"{game}.trine") as stream:
        stream.write(told)


def problem_of(store: Store, game: GameRow) -> Text | None:
    try:
        return _problem(store, game)
    except TrineError as error:
        return error.text
    except (LookupError, TypeError, ValueError) as error:
        return text("it cannot be read: {problem}", problem=repr(error))


def _problem(store: Store, game: GameRow) -> Text | None:
    agreement, seats = game.agreement, store.read(read_seats, game.id)
    if (agreement.game, agreement.rules) != (game.room, game.rules):
        return text("its terms are of another game")
    if len(seats) != agreement.seats:
        return text("it has {count} seats", count=len(seats))
    events = store.read(read_events, game.id)
    entries = entries_of(events)
    aborted = any(event.kind == ABORT for event in events)
    if not entries:
        begun = game.stage is Stage.PLAYING or (game.stage is Stage.OVER and not aborted)
        return text("it has begun, but nothing is written of it") if begun else None
    state = rebuilt(entries)
    over = state.outcome is not None or aborted
    if over != (game.stage is Stage.OVER):
        return text("its stage is {stage}, which is not what its events say", stage=game.stage)
    told = record_text(entries, state.play.start.seats)
    (record,) = read_records(told.splitlines(keepends=True))
    again = replay(record)
    if again.position != state.play.position:
        return text("its record leads to another position")
    return None


class RecordFolder:
    """The folder of records; without a path nothing is written."""

    def __init__(self, path: Path | None, store: Store, background: Background) -> None:
        self._path: Final = path
        self._store, self._background = store, background
        self._writing = asyncio.Lock()

    def note_end(self, before: LiveGame, after: LiveGame, context: Context) -> Write | None:
        if not self._path or not after.state or not ends(before, after):
            return None
        return partial(set_due, kind=RECORD, ref=after.game, at=after.state.at + LATE)

    def keep(self, before: LiveGame, after: LiveGame) -> None:
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
        await self._store.commit(set_due, RECORD, game, self._store.now())
        try:
            await self._write(self._path, game, partial(self._stored, game))
        except (FileError, OSError) as error:
            self._background.report("a record could not be written", error, game=game)

    async def write_late(self, game: str) -> None:
        """Write a record that could not be written when its game ended."""
        if self._path:
            await self._write(self._path, game, partial(self._stored, game))

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
