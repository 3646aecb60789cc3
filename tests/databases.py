"""The databases of tests that name only a folder: a file there, or one of PostgreSQL in its place.

``pytest --database postgres`` has all of them be in PostgreSQL; without it they are files, and those
tests that matter most take the fixture ``place``, which is one of each kind in turn.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from trine.house.store.store import Store
from trine.house.tables import SCHEMA

if TYPE_CHECKING:
    from postgres import Server

KINDS = ("sqlite", "postgres")
_kept: dict[Path, tuple[str, ExitStack]] = {}
_server: Server | None = None


def use(server: Server | None) -> None:
    """Have the databases of folders be on a server from here on, or files again."""
    global _server
    drop(Path("/"))
    _server = server


def url_in(folder: Path) -> str:
    """The URL of the database that stands for a file in a folder; empty where it is the file."""
    if not _server:
        return ""
    if folder not in _kept:
        stack = ExitStack()
        _kept[folder] = stack.enter_context(_server.database()), stack
    return _kept[folder][0]


def place_in(folder: Path) -> str | Path:
    """The place of the database of a folder, whose tables are made."""
    return url_in(folder) or file_in(folder)


def file_in(folder: Path) -> Path:
    """The file of the database of a folder; a new one has its tables from a copy."""
    path = folder / "house.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.write_bytes(_new_file())
    return path


@cache
def _new_file() -> bytes:
    """The file of a database without rows: to make its tables takes longer than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.db"
        Store.open(path, SCHEMA).close()
        return path.read_bytes()


def drop(within: Path) -> None:
    """Drop the databases of a folder and of those within it."""
    for folder in [one for one in _kept if one.is_relative_to(within)]:
        _kept.pop(folder)[1].close()


def steps_to_what_is_due(store: Store) -> list[str]:
    """The steps in which a database finds the deadlines that are due."""
    words = "SELECT at, ref FROM scheduled_task WHERE kind = 'deadline' AND at <= 1 ORDER BY at LIMIT 16"
    plan = "EXPLAIN" if store.shared else "EXPLAIN QUERY PLAN"

    def analyse(connection: Connection) -> None:
        connection.exec_driver_sql("ANALYZE due")

    store.write(analyse).result(60)
    return store.read(
        lambda connection: [row[-1] for row in connection.exec_driver_sql(f"{plan} {words}")]
    )
