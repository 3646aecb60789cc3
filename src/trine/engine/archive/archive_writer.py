"""Adding games to an archive, and merging its small parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from trine.core.contract.record import Record
from trine.core.errors import TrineError
from trine.engine.archive.archived_game import archived_game
from trine.engine.archive.columns import Columns, count_rows, merge, quoted_path
from trine.engine.archive.duckdb_library import open_database
from trine.engine.archive.parts import SPILL_FOLDER, ArchiveFolder, by_kind

WRITE_TURNS: Final = 1_000_000
"""Units: turns; the size of the buffer in memory, about 250 MB."""
MERGE_COUNT: Final = 8
"""This many consecutive parts of one size are merged into one, recursively, so that nightly
additions do not leave thousands of files."""
MAX_MERGED_TURNS: Final = 16_000_000
"""Units: turns; larger merges would take minutes."""

Kind = tuple[str, int]
"""A game and a year."""


class ArchiveWriter:
    """Adds games to an archive."""

    def __init__(self, folder: ArchiveFolder, database: Any) -> None:
        self._folder = folder
        self._database = database
        self._known: dict[Kind, set[int]] = {}
        self._waiting: dict[Kind, Columns] = {}

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """Open or create an archive; all games are written by the end of the block."""
        folder = ArchiveFolder(path)
        with open_database(path / SPILL_FOLDER) as database, folder.open_to_add():
            writer = cls(folder, database)
            try:
                yield writer
            except TrineError:
                writer.write()
                raise
            writer.write()

    def add(self, record: Record) -> bool:
        """Add a record; return False if the archive already has it. Raises `TrineError`."""
        game = archived_game(record)
        kind = game.game, game.year
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = self._identities(kind)
        if (identity := game.identity) in known:
            return False
        known.add(identity)
        self._waiting.setdefault(kind, Columns()).add(game)
        if sum(columns.turns for columns in self._waiting.values()) >= WRITE_TURNS:
            self.write()
        return True

    def write(self) -> None:
        while self._waiting:
            kind = next(iter(self._waiting))
            self._waiting[kind].write(self._database, self._folder, *kind)
            del self._waiting[kind]
            self._merge(kind)

    def _identities(self, kind: Kind) -> set[int]:
        parts = by_kind(self._folder.parts()).get(kind, ())
        files = ", ".join(quoted_path(self._folder.games(part)) for part in parts)
        if not files:
            return set()
        found = self._database.execute(f"select id from read_parquet([{files}])")
        return set(found.fetchnumpy()["id"].tolist())

    def _merge(self, kind: Kind) -> None:
        """Merge the newest parts of a kind while there are enough of one size."""
        while True:
            newest = by_kind(self._folder.parts())[kind][-MERGE_COUNT:]
            spans = {part.last - part.first for part in newest}
            if len(newest) < MERGE_COUNT or len(spans) > 1:
                return
            turns = sum(count_rows(self._database, self._folder.turns(part)) for part in newest)
            if turns > MAX_MERGED_TURNS:
                return
            merge(self._database, self._folder, newest)
