"""Bringing the tables of a database up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from trine.store.postgres import alone

SCRIPTS: Final = Path(__file__).parent / "migrations"


def config(connection: Connection) -> Config:
    """Return the configuration of Alembic, which has no file of settings."""
    settings = Config(attributes={"connection": connection})
    settings.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings


def migrate(connection: Connection, revision: str = "head") -> None:
    """Run, in one transaction, the revisions that the database has not seen.

    Raises:
        CommandError: the database is at an unknown revision.
    """
    with connection.begin():
        alone(connection, "schema")
        command.upgrade(config(connection), revision)
