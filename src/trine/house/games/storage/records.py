"""The records of games: as text, in a folder, and checked against other rows.

A scheduled task, stored with the end of a game, writes its record to the folder; so the record is
written even if the house or its disk fails in between.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from trine.core.contract.position import Seat
from trine.core.contract.record import format_tag, read_records
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.core.work.cpu_account import in_thread
from trine.house.games.live.change_hooks import Context, Write, ends
from trine.house.games.live.live_game import LiveGame
from trine.house.games.storage.events import ABORT, REMATCH, Event, read_events
from trine.house.games.storage.tables import GameRow, Stage, all_games, read_seats
from trine.house.store.scheduled_tasks import schedule, times_of
from trine.house.store.store import Store
from trine.play.record.replay import replay
from trine.play.record.text_files import open_to_write
from trine.play.session.changes import rebuild
from trine.play.session.file_journal import format_entries, head_tags
from trine.play.session.state import Entry, Kind

RECORD: Final = "record"  # the kind of task that writes a record


def entries_of(events: Sequence[Event]) -> list[Entry]:
    return [
        Entry(Kind(event.kind), event.actor, event.at, event.data)
        for event in events
        if event.kind not in (ABORT, REMATCH)
    ]


def record_text(entries: Sequence[Entry], seats: Sequence[Seat]) -> str:
    """Return the record of a game of ``seats`` with all its entries, as the terminal writes it."""
    head = "".join(f"{format_tag(*tag)}\n" for tag in head_tags(entries[0]).items())
    return f"{head}\n{format_entries(entries, seats, line_open=False)}"


def records(store: Store, *, only_over: bool = False) -> Iterator[tuple[str, str | Text]]:
    """Yield the ids of all games, each with its record or a description of what is wrong.

    The record is empty if a game has none; ``only_over`` gives empty records to running games, too.
    """
    for game in all_games(store):
        wanted = game.stage is Stage.OVER or (game.stage is Stage.PLAYING and not only_over)
        try:
            entries = entries_of(store.read(read_events, game.id)) if wanted else []
            content = record_text(entries, rebuild(entries).play.start.seats) if entries else ""
        except TrineError as error:
            yield game.id, error.text
        else:
            yield game.id, content


def export(folder: Path, game_id: str, content: str) -> None:
    """Write the record of a game into a folder, atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_to_write(folder / f"{game_id}.trine") as stream:
        stream.write(content)


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
    state = rebuild(entries)
    over = state.outcome is not None or aborted
    if over != (game.stage is Stage.OVER):
        return text("its stage is {stage}, which is not what its events say", stage=game.stage)
    content = record_text(entries, state.play.start.seats)
    (record,) = read_records(content.splitlines(keepends=True))
    again = replay(record)
    if again.position != state.play.position:
        return text("its record leads to another position")
    return None


@dataclass(frozen=True)
class RecordFolder:
    """The folder of records; if ``path`` is None, nothing is written."""

    path: Path | None
    store: Store

    def note_end(self, before: LiveGame, after: LiveGame, context: Context) -> Write | None:
        if not self.path or not after.state or not ends(before, after):
            return None
        return partial(schedule, kind=RECORD, ref=after.game, at=after.state.at)

    def renewal(self, game_id: str) -> Write | None:
        """Return the write that schedules the rewriting of a record; None if it has no file."""
        if not self.path or not (self.path / f"{game_id}.trine").exists():
            return None
        return partial(schedule, kind=RECORD, ref=game_id, at=self.store.now())

    async def write(self, game_id: str) -> None:
        """Write the record of a game; keep its task if it was rescheduled meanwhile."""
        if self.path:
            due = await self.store.fetch(times_of, RECORD, [game_id])
            await in_thread(partial(self._export, self.path, game_id))
            await self.store.commit(_note_written, game_id, due.get(game_id))

    def _export(self, path: Path, game_id: str) -> None:
        entries = entries_of(self.store.read(read_events, game_id))
        export(path, game_id, record_text(entries, rebuild(entries).play.start.seats))


def _note_written(connection: Connection, game_id: str, due: float | None) -> None:
    if times_of(connection, RECORD, [game_id]).get(game_id) == due:
        schedule(connection, RECORD, game_id, None)
