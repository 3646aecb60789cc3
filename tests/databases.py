"""Databases for tests that name only a folder: a file in the folder, or a PostgreSQL database.

``pytest --database postgres`` puts all of them into PostgreSQL. By default they are files; the most
important tests use the fixture ``place`` and so run with both kinds.
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
    """Use databases on a server from now on; for None, files."""
    global _server
    drop(Path("/"))
    _server = server


def url_in(folder: Path) -> str:
    """Return the URL of the PostgreSQL database for a folder; empty if files are used."""
    if not _server:
        return ""
    if folder not in _kept:
        stack = ExitStack()
        _kept[folder] = stack.enter_context(_server.database()), stack
    return _kept[folder][0]


def place_in(folder: Path) -> str | Path:
    """Return the URL or path of the database for a folder, with tables."""
    return url_in(folder) or file_in(folder)


def file_in(folder: Path) -> Path:
    """Return the database file in a folder; a new one is a copy of an empty database."""
    path = folder / "house.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.write_bytes(_new_file())
    return path


@cache
def _new_file() -> bytes:
    """Return an empty database file; cached, since creating tables takes longer than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.db"
        Store.open(path, SCHEMA).close()
        return path.read_bytes()


def drop(within: Path) -> None:
    for folder in [one for one in _kept if one.is_relative_to(within)]:
        _kept.pop(folder)[1].close()


def steps_to_what_is_due(store: Store) -> list[str]:
    """Return the query plan of the search for due deadlines."""
    words = "SELECT at, ref FROM scheduled_task WHERE kind = 'deadline' AND at <= 1 ORDER BY at LIMIT 16"
    plan = "EXPLAIN" if store.shared else "EXPLAIN QUERY PLAN"

    def analyse(connection: Connection) -> None:
        connection.exec_driver_sql("ANALYZE scheduled_task")

    store.write(analyse).result(60)
    return store.read(
        lambda connection: [row[-1] for row in connection.exec_driver_sql(f"{plan} {words}")]
    )
