"""A game of the house as a text record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trine.core.errors import TrineError
from trine.core.record import format_tag
from trine.core.seat import Seat
from trine.core.text import Text
from trine.record.files import open_to_write
from trine.session.changes import rebuilt
from trine.session.entries import Entry, Kind
from trine.session.written import head_tags, written
from trine.store.events import Event
from trine.store.game_rows import Stage
from trine.store.store import Store

ABORT, REMATCH = "abort", "rematch"
"""Events that are no entries of the running game."""


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """The entries of a game among its events."""
    return [
        Entry(Kind(event.kind), event.actor, event.at, event.data)
        for event in events
        if event.kind not in (ABORT, REMATCH)
    ]


def record_text(entries: Sequence[Entry], seats: Sequence[Seat]) -> str:
    """The record of a game, as its file in a terminal would be.

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
    """The record of a game."""

    game: str
    told: str = ""
    """The record; empty for a game of which nothing is to be told."""
    problem: Text | None = None
    """Why there is none."""


def records(store: Store, *, only_over: bool = False) -> Iterator[Exported]:
    """Yield the records of all games, one after the other.

    Args: ``only_over`` is whether those that are played are left out.
    """
    for game in store.all_games():
        wanted = game.stage is Stage.OVER or (game.stage is Stage.PLAYING and not only_over)
        try:
            entries = entries_of(store.events(game.id)) if wanted else []
            told = record_text(entries, rebuilt(entries).play.start.seats) if entries else ""
        except TrineError as error:
            yield Exported(game.id, problem=error.text)
        else:
            yield Exported(game.id, told)


def export(folder: Path, game: str, told: str) -> None:
    """Write the record of a game into a folder, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_to_write(folder / f"{game}.trine") as stream:
        stream.write(told)
