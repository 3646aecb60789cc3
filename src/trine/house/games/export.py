"""The export of a game of the house as a text record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trine.core.contract.record import format_tag
from trine.core.contract.seat import Seat
from trine.core.errors import TrineError
from trine.core.text.sentence import Text
from trine.house.games.events import Event, read_events
from trine.house.games.tables import Stage, all_games
from trine.house.store.store import Store
from trine.play.record.files import open_to_write
from trine.play.session.changes import rebuilt
from trine.play.session.entries import Entry, Kind
from trine.play.session.written import head_tags, written

ABORT, REMATCH = "abort", "rematch"
"""The kinds of events that are no entries of the running game."""


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
    first, *others = entries
    told = "".join(f"{format_tag(*tag)}\n" for tag in head_tags(first).items()) + "\n"
    if result := first.data.get("result"):
        told += "".join(f"{format_tag(*tag)}\n" for tag in result.items())
    for entry in others:
        told += written(entry, seats, line_open=not told.endswith("\n"))
    return told


@dataclass(frozen=True)
class Exported:
    """An exported record."""

    game: str
    told: str = ""
    """The record; empty for a game that has none."""
    problem: Text | None = None
    """The reason if there is none."""


def records(store: Store, *, only_over: bool = False) -> Iterator[Exported]:
    """Yield the records of all games, one after the other.

    Args: ``only_over`` is whether those that are played are left out.
    """
    for game in all_games(store):
        wanted = game.stage is Stage.OVER or (game.stage is Stage.PLAYING and not only_over)
        try:
            entries = entries_of(store.read(read_events, game.id)) if wanted else []
            told = record_text(entries, rebuilt(entries).play.start.seats) if entries else ""
        except TrineError as error:
            yield Exported(game.id, problem=error.text)
        else:
            yield Exported(game.id, told)


def export(folder: Path, game: str, told: str) -> None:
    """Write the record of a game into a folder, atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_to_write(folder / f"{game}.trine") as stream:
        stream.write(told)
