"""The migration of a database to the present tables.

A database without tables gets the present ones at once, and is noted to be at the last revision;
any other is led from revision to revision.
"""

from __future__ import annotations

from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text

from trine.house.store.postgres import alone, idle_for_long
from trine.house.store.schema import Schema

NOTED: Final = "alembic_version"
"""The table in which Alembic notes the revision."""


def config(connection: Connection, schema: Schema) -> Config:
    """Return the configuration of Alembic, which has no settings file."""
    settings = Config(attributes={"connection": connection, "metadata": schema.metadata})
    settings.set_main_option("script_location", str(schema.migrations).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings


def revision_of(connection: Connection) -> str | None:
    """Return the revision that a database is at; None of one without tables."""
    if not inspect(connection).has_table(NOTED):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {NOTED}")).scalar()
    return found


def migrate(connection: Connection, schema: Schema) -> None:
    """Make the tables, or run the revisions that the database has not seen, in a transaction.

    Raises:
        CommandError: the database is at an unknown revision.
    """
    idle_for_long(connection)
    alone(connection, "schema")
    if revision_of(connection):
        command.upgrade(config(connection, schema), "head")
    else:
        schema.metadata.create_all(connection)
        command.stamp(config(connection, schema), "head")
