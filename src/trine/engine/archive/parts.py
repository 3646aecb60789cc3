"""The folder of an archive: parts of Parquet files, consistent even if a process is killed.

::

    archive.json                                       the versions of tables and keys
    turns/game=arimaa/year=2026/000001-000008.parquet  its turns, ordered by key
    games/game=arimaa/year=2026/000001-000008.parquet  its games; written last

A part has a number, or the range of numbers of the parts merged into it. Each file is written to a
temporary file and renamed into place, the file of games last: turns without games are not a part. A
part within the range of another has been merged into it, and is not a part either. So a kill leaves
a valid archive, and the next writer removes the leftovers.

DuckDB writes and reads the files. It runs in this process and stores nothing: each task opens a
database in memory.
"""

import atexit
import gc
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

from trine.core.errors import FileError, LockedError, TrineError
from trine.core.work.extras import how_to_install
from trine.core.work.files import UNFINISHED, file_error, lock, sync_folder, write_atomically
from trine.engine.archive.position_keys import VERSION as KEYS

VERSION: Final = 2  # the version of the tables
ABOUT_FILE: Final = "archive.json"
LOCK_FILE: Final = "lock"
SPILL_FOLDER: Final = "spill"  # the folder for data that does not fit in memory
TURNS: Final = "turns"
GAMES: Final = "games"
TABLES: Final = (TURNS, GAMES)
"""The tables, in the order of renaming the files of a part into place."""


@dataclass(frozen=True, order=True)
class ArchivePart:
    """Games of one game and year, and their turns."""

    game: str
    year: int
    first: int
    last: int
    """The parts with numbers from `first` to this one are merged here; equal for a single part."""

    @property
    def place(self) -> Path:
        folder = Path(f"game={self.game}", f"year={self.year}")
        return folder / f"{self.first:06}-{self.last:06}.parquet"

    def holds(self, other: Self) -> bool:
        """Return whether another part has been merged into this one."""
        alike = (self.game, self.year) == (other.game, other.year) and self != other
        return alike and self.first <= other.first and other.last <= self.last


class ArchiveFolder:
    """The folder of an archive."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def check(self) -> None:
        """Raise `FileError` if the folder is no archive."""
        try:
            about = json.loads((self.path / ABOUT_FILE).read_text("utf-8"))
        except (OSError, ValueError):
            raise FileError(
                "{folder} is no archive; trine archive add makes one", folder=str(self.path)
            ) from None
        if about != _about():
            raise FileError(
                "{folder} is an archive of another version of trine; add its records anew to "
                "another folder",
                folder=str(self.path),
            )

    def parts(self) -> list[ArchivePart]:
        """Return the parts, by game, year and number."""
        found = self._found(GAMES)
        return [part for part in found if not any(other.holds(part) for other in found)]

    def _found(self, table: str) -> list[ArchivePart]:
        parts = []
        for file in sorted((self.path / table).glob("game=*/year=*/*-*.parquet")):
            first, _, last = file.stem.partition("-")
            game, year = (place.name.partition("=")[2] for place in file.parents[1::-1])
            parts.append(ArchivePart(game, int(year), int(first), int(last)))
        return parts

    def games(self, part: ArchivePart) -> Path:
        return self.path / GAMES / part.place

    def turns(self, part: ArchivePart) -> Path:
        return self.path / TURNS / part.place

    def files(self, part: ArchivePart) -> tuple[Path, ...]:
        return tuple(self.path / table / part.place for table in TABLES)

    @contextmanager
    def open_to_add(self) -> Iterator[None]:
        """Lock the archive for adding within the block, and remove leftovers of killed processes.

        Raises:
            LockedError: another process is adding.
            FileError: the folder cannot be created, or is no archive.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not (self.path / ABOUT_FILE).exists() and any(map(_is_foreign, self.path.iterdir())):
                raise FileError("{folder} is not empty, and no archive", folder=str(self.path))
            held = (self.path / LOCK_FILE).open("ab")
        except OSError as error:
            raise file_error(self.path, error) from None
        with held:
            if not lock(held):
                raise LockedError("another program is adding to {folder}", folder=str(self.path))
            if not (self.path / ABOUT_FILE).exists():
                about = json.dumps(_about()).encode()
                write_atomically(self.path / ABOUT_FILE, lambda stream: stream.write(about))
            self.check()
            self._sweep()
            yield

    def _sweep(self) -> None:
        """Remove unfinished files, turns without games, and parts that were merged."""
        alive = self.parts()
        wanted = {file for part in alive for file in self.files(part)}
        for table in TABLES:
            for pattern in ("*.parquet", f"*{UNFINISHED}"):
                for file in (self.path / table).rglob(pattern):
                    if file not in wanted:
                        file.unlink(missing_ok=True)

    def next_part(self, game: str, year: int) -> ArchivePart:
        last = max((p.last for p in self.parts() if (p.game, p.year) == (game, year)), default=0)
        return ArchivePart(game, year, last + 1, last + 1)

    def put(self, part: ArchivePart, unfinished: Sequence[Path]) -> None:
        """Rename the files of a part into place, its games last; raises `FileError`."""
        for file, place in zip(unfinished, self.files(part), strict=True):
            try:
                with file.open("rb") as stream:
                    os.fsync(stream.fileno())
                file.replace(place)
                sync_folder(place.parent)
            except OSError as error:
                raise file_error(place, error) from None

    def unfinished(self, part: ArchivePart) -> tuple[Path, ...]:
        """Return the paths of the temporary files of a part."""
        places = self.files(part)
        for place in places:
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise file_error(place.parent, error) from None
        return tuple(place.with_name(place.name + UNFINISHED) for place in places)


def by_kind(parts: list[ArchivePart]) -> dict[tuple[str, int], list[ArchivePart]]:
    found: defaultdict[tuple[str, int], list[ArchivePart]] = defaultdict(list)
    for part in parts:
        found[part.game, part.year].append(part)
    return dict(found)


def _is_foreign(file: Path) -> bool:
    """Return whether a file does not belong to a new archive."""
    return file.name != LOCK_FILE and not file.name.endswith(UNFINISHED)


def _about() -> dict[str, int]:
    return {"tables": VERSION, "keys": KEYS}


NAMES_FILE: Final = "names.json"


def write_names(folder: Path, names: Mapping[str, str]) -> None:
    content = json.dumps(names, ensure_ascii=False, indent=0, sort_keys=True).encode()
    write_atomically(folder / NAMES_FILE, lambda stream: stream.write(content))


def read_names(folder: Path) -> Mapping[str, str]:
    """Return player names by id; empty if the games have the names themselves."""
    file = folder / NAMES_FILE
    names: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return names


def check_installed() -> None:
    """Check that DuckDB is installed, without loading it; raises `TrineError`."""
    if find_spec("duckdb") is None:
        raise TrineError(
            "an archive needs one more library; install it with: {command}",
            command=how_to_install("archive"),
        )


def open_database(spill: Path) -> Any:
    """Open an empty database, which may use the folder ``spill``; raises `TrineError`."""
    check_installed()
    # Install nothing from the network; keep the order of rows only for "order by".
    settings = {
        "autoinstall_known_extensions": "false",
        "preserve_insertion_order": "false",
        "temp_directory": str(spill),
    }
    return _library().connect(config=settings)


@cache
def _library() -> Any:
    import duckdb

    atexit.register(gc.unfreeze)  # else DuckDB reports frozen objects as leaks at exit
    return duckdb
