"""PostgreSQL: its connections, and the end of transactions that hang.

Several processes write to one database. A row stays locked from its update until the commit, so a
process that hangs within a transaction must not lock others out for long: the server ends it.
"""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.core.work.extras import how_to_install
from trine.house.store.store_errors import UnusableError

READERS: Final = 8  # connections; guess
IDLE_TIMEOUT: Final = 4000  # milliseconds until the server ends an idle transaction; guess
MIGRATION_TIMEOUT: Final = 60_000
"""Units: milliseconds; the limit for a migration's idle transaction while it reads files. Guess."""
CONNECT_TIMEOUT: Final = 10  # seconds; the timeout of a connection attempt


def create_engines(url: sa.URL, options: Mapping[str, Any]) -> tuple[sa.Engine, sa.Engine]:
    """Return an engine for this process's writer and one for readers; raises `UnusableError`."""
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    arguments = {
        "connect_timeout": CONNECT_TIMEOUT,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "options": f"-c idle_in_transaction_session_timeout={IDLE_TIMEOUT}",
        "application_name": "trine",
        **url.query,
    }
    try:
        writing = sa.create_engine(url, connect_args=arguments, pool_size=1, **options)
        reading = sa.create_engine(
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


_LISTENER: Final = "trine of "  # the prefix of the application name of connections that listen


def call_listener(process: str) -> sa.Executable:
    """Return the statement that names a connection after its listening process."""
    return sa.select(sa.func.set_config("application_name", f"{_LISTENER}{process}", False))


def listeners(connection: Connection) -> set[str]:
    """Return the names of the connected processes; the server drops a dead one at once."""
    name = sa.column("application_name", sa.String)
    sessions = sa.table("pg_stat_activity", name, sa.column("datname", sa.String))
    here = sessions.c.datname == sa.func.current_database()
    found = connection.execute(sa.select(name).where(here, name.startswith(_LISTENER)))
    return {one.removeprefix(_LISTENER) for one in found.scalars()}


def idle_for_long(connection: Connection) -> None:
    """Raise the limit for idle transactions to `MIGRATION_TIMEOUT`."""
    if is_shared(connection):
        setting = "idle_in_transaction_session_timeout"
        connection.execute(sa.select(sa.func.set_config(setting, str(MIGRATION_TIMEOUT), True)))


def advisory_lock(connection: Connection, what: str) -> None:
    """Take a named lock until the transaction ends; SQLite, with one writer, needs none."""
    if is_shared(connection):
        connection.execute(
            sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(f"trine {what}")))
        )
