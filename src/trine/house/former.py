"""The schema from before the first one that lasts, of which a house can still be copied.

It had the columns of the first, in tables of which three had other names, and two tables of jobs,
which held nothing that outlives a process.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from trine.house.store.database import Database
from trine.house.store.migration import revision_of
from trine.house.tables import SCHEMA

REVISION: Final = "0013"
NAMES: Final = {"session": "token", "letter_link": "key", "email_address": "address"}
"""The former names of tables."""


def open_any(place: str | Path) -> tuple[Database, Mapping[str, str]]:
    """Open a database of this schema, or of the former, with other names that tables have there.

    Raises:
        UnusableError: it cannot be opened, or is of neither.
    """
    database = Database.as_it_is(place)
    with database.reader() as connection:
        former = revision_of(connection) == REVISION
    if former:
        return database, NAMES
    database.close()
    return Database.open(place, SCHEMA), {}
