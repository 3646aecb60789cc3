"""The specifics of PostgreSQL: its connections, and the end of hanging transactions.

Several processes write to one database. A row that is being written is locked until the commit; so
a process that hangs with a transaction open must not keep others from its rows for long, and the
server is told to end such a session.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Executable,
    String,
    column,
    create_engine,
    func,
    select,
    table,
)

from trine.core.work.extras import how_to_install
from trine.house.store.store_errors import UnusableError

READERS: Final = 8
"""The number of connections that are kept for reading. Guess."""
HANGING: Final = 4000
"""Units: milliseconds; an idle transaction is ended after this time. Guess."""
MIGRATING: Final = 60_000
"""Units: milliseconds; the same for a migration, which reads files in between. Guess."""
CONNECTING: Final = 10
"""Units: seconds; the longest wait for a connection."""


def create_engines(url: URL, options: Mapping[str, Any]) -> tuple[Engine, Engine]:
    """Return an engine for the one writer of this process and one for readers.

    Raises:
        UnusableError: the driver is not installed.
    """
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    arguments = {
        "connect_timeout": CONNECTING,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "options": f"-c idle_in_transaction_session_timeout={HANGING}",
        "application_name": "trine",
        **url.query,
    }
    try:
        writing = create_engine(url, connect_args=arguments, pool_size=1, **options)
        reading = create_engine(
            url,
            connect_args=arguments,
            pool_size=READERS,
            pool_pre_ping=True,
            isolation_level="AUTOCOMMIT",
            **options,
        )
    except ModuleNotFoundError as error:
        raise UnusableError(
            "the database {name} needs a library that is not installed; to install it: {how}",
            name=url.render_as_string(),
            how=how_to_install("postgres"),
        ) from error
    return writing, reading


def is_shared(connection: Connection) -> bool:
    """Return whether several processes may play games of a database at once."""
    return connection.dialect.name == "postgresql"


_LISTENER: Final = "trine of "
"""The beginning of the name by which the server knows the connection on which a process listens."""


def call_listener(process: str) -> Executable:
    """Return the statement that names a connection after the process that listens on it."""
    return select(func.set_config("application_name", f"{_LISTENER}{process}", False))


def listeners(connection: Connection) -> set[str]:
    """Return the processes that are connected; the server forgets one at once that has died."""
    name = column("application_name", String)
    sessions = table("pg_stat_activity", name, column("datname", String))
    here = sessions.c.datname == func.current_database()
    found = connection.execute(select(name).where(here, name.startswith(_LISTENER)))
    return {one.removeprefix(_LISTENER) for one in found.scalars()}


def idle_for_long(connection: Connection) -> None:
    """Let a transaction be idle for as long as a migration may be."""
    if is_shared(connection):
        setting = "idle_in_transaction_session_timeout"
        connection.execute(select(func.set_config(setting, str(MIGRATING), True)))


def alone(connection: Connection, what: str) -> None:
    """Take a named lock among all processes, until the end of the transaction.

    In SQLite there is one transaction at a time that writes, so nothing is to be waited for.
    """
    if is_shared(connection):
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"trine {what}"))))
