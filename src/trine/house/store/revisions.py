"""The revisions of a database, which Alembic runs."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from trine.house.store.schema import Schema

__all__ = ["CommandError", "config", "migrate"]


def config(connection: Connection, schema: Schema) -> Config:
    """Return the configuration of Alembic, which has no settings file."""
    settings = Config(attributes={"connection": connection, "metadata": schema.metadata})
    settings.set_main_option("script_location", str(schema.migrations).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings


def migrate(connection: Connection, schema: Schema, *, is_new: bool) -> None:
    """Create the tables, or run the missing revisions, in the present transaction.

    A new database gets the present tables at once, marked with the latest revision.

    Raises:
        CommandError: the database is at an unknown revision.
    """
    if is_new:
        schema.metadata.create_all(connection)
        command.stamp(config(connection, schema), "head")
    else:
        command.upgrade(config(connection, schema), "head")
