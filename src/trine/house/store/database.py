"""An open database, SQLite or PostgreSQL: one engine for the writer and one for readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONEncoder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, Connection, Engine, exc, inspect, make_url, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError

from trine.house.store import postgres, sqlite
from trine.house.store.schema import Schema
from trine.house.store.store_errors import UnusableError

if TYPE_CHECKING:
    from alembic.config import Config  # slow to import

REVISION_TABLE: Final = "alembic_version"  # Alembic's table, with the revision
_REVISION: Final = re.compile(r'^revision = "([^"]+)"', re.MULTILINE)
_BEFORE: Final = re.compile(r'^down_revision = "([^"]+)"', re.MULTILINE)
_OPTIONS: Final[dict[str, Any]] = {
    "json_serializer": JSONEncoder(
        ensure_ascii=False, allow_nan=False, separators=(",", ":")
    ).encode,
    "hide_parameters": True,  # errors are logged, and parameters can be secrets
}


class Database:
    """An open database; its tables match the schema."""

    def __init__(
        self, name: str, writing: Engine, reading: Engine, files: sqlite.Files | None = None
    ) -> None:
        self.name = name  # name of the database in errors, without its password
        self._writing = writing
        self._reading = reading
        self._files = files
        self._closed = False
        self.shared = files is None
        """Whether several processes may play games of this database at the same time."""

    @classmethod
    def open(cls, place: str | Path, schema: Schema) -> Database:
        """Open the database at a path or URL, and upgrade its tables; raises `UnusableError`."""
        database = cls.as_it_is(place)
        try:
            with (
                UnusableError.reported(database.name, OSError, SQLAlchemyError),
                database._writing.begin() as connection,
            ):
                database.migrate(connection, schema)
        except UnusableError:
            database.close()
            raise
        return database

    def migrate(self, connection: Connection, schema: Schema) -> None:
        """Create the tables or upgrade them, in the transaction of a connection.

        A new database gets today's tables at once, marked with the latest revision.
        """
        postgres.idle_for_long(connection)
        postgres.advisory_lock(connection, "schema")
        if (revision := revision_of(connection)) == last_revision(schema):
            return
        from alembic import command
        from alembic.util.exc import CommandError

        config = alembic_config(connection, schema)
        if revision is None:
            schema.metadata.create_all(connection)
            command.stamp(config, "head")
            return
        try:
            command.upgrade(config, "head")
        except CommandError as error:  # the revision is unknown
            raise UnusableError(
                "the database {name} was made by another version of trine; docs/guides/back-up.md "
                "says how it is carried over",
                name=self.name,
            ) from error

    @classmethod
    def as_it_is(cls, place: str | Path) -> Database:
        """Open the database at a path or URL without upgrading it; raises `UnusableError`."""
        name = str(place)
        try:
            if "://" not in name:
                return _open_file(Path(place))
            url = make_url(name)
            name = url.render_as_string()
            return _open_url(url)
        except (OSError, SQLAlchemyError, ImportError) as error:
            raise UnusableError.because(name, error) from error

    def connect_writer(self) -> Connection:
        """Open the connection of the one writer; raises `UnusableError` or `SQLAlchemyError`."""
        self.check()
        connection = self._writing.connect()
        if self._files:
            with connection.begin():
                self._files.watch_log()
        return connection

    def disconnect_writer(self, connection: Connection) -> None:
        """Close the writer's connection in any state; roll back uncommitted writes."""
        if self._files:
            self._files.leave_log()
        try:
            connection.invalidate()
            connection.close()
        except Exception:  # the connection is discarded anyway
            pass

    def check(self) -> None:
        """Raise `UnusableError` if the file of the database was removed or replaced."""
        if self._files:
            self._files.check()

    @property
    def is_replaced(self) -> bool:
        """Whether another file is now at the path of the database or of its log."""
        return self._files is not None and self._files.is_replaced

    @contextmanager
    def reader(self) -> Iterator[Connection]:
        """Open a connection that sees committed data; raises `UnusableError` if that fails."""
        try:
            with self._reading.connect() as connection:
                try:
                    yield connection
                finally:
                    if self._closed:  # the connection's pool was disposed of
                        connection.invalidate()
        except (OSError, SQLAlchemyError) as error:
            if isinstance(error, SQLAlchemyError) and not is_away(error):
                raise
            raise UnusableError.because(self.name, error) from error

    @contextmanager
    def read_snapshot(self) -> Iterator[Connection]:
        """Open a connection that reads one snapshot while no process writes.

        Raises `UnusableError` if another process has the file open.
        """
        if not self._files:
            with (
                self._writing.connect().execution_options(
                    isolation_level="REPEATABLE READ"
                ) as connection,
                connection.begin(),
            ):
                yield connection
            return
        self._reading.dispose()
        with (
            self._writing.connect() as connection,
            sqlite.lock_database(connection, self.name),
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def listener(self) -> Iterator[Connection]:
        """Open a connection in autocommit mode, for LISTEN and NOTIFY."""
        with self._reading.connect() as connection:
            try:
                yield connection
            finally:
                connection.invalidate()  # it listens, so the pool must not hand it out again

    def close(self) -> None:
        self._closed = True
        self._reading.dispose()
        self._writing.dispose()


def is_away(error: Exception) -> bool:
    """Return whether an error concerns the whole database, not a single statement."""
    of_one = isinstance(error, IntegrityError | DataError | ProgrammingError)
    return isinstance(error, DBAPIError | exc.TimeoutError) and not of_one


def _open_url(url: URL) -> Database:
    name = url.render_as_string()
    if url.get_backend_name() in ("postgresql", "postgres"):
        return Database(name, *postgres.create_engines(url, _OPTIONS))
    if url.get_backend_name() != "sqlite":
        raise UnusableError("{name} is neither a file nor a database of PostgreSQL", name=name)
    if url.database in (None, "", ":memory:"):
        raise UnusableError("{name} names no file; give a path", name=name)
    return _open_file(Path(str(url.database)))


def _open_file(path: Path) -> Database:
    writing, reading = sqlite.create_engines(path, _OPTIONS)
    return Database(str(path), writing, reading, sqlite.Files(path))


def alembic_config(connection: Connection, schema: Schema) -> Config:
    """Return the configuration of Alembic, which has no settings file."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection, "metadata": schema.metadata})
    config.set_main_option("script_location", str(schema.migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database; None if it has no tables."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {REVISION_TABLE}"))
    return found


def last_revision(schema: Schema) -> str:
    """Return the latest revision; a database is upgraded to it when it is opened.

    It is read from the revisions' source, because importing Alembic takes a tenth of a start.
    """
    texts = [path.read_text() for path in (schema.migrations / "versions").glob("*.py")]
    made = {name for text in texts for name in _REVISION.findall(text)}
    last: str
    (last,) = made - {name for text in texts for name in _BEFORE.findall(text)}
    return last
