"""The means to declare tables, with types that SQLite and PostgreSQL share.

Units: times in tables are seconds since 1970, as `time.time` gives them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import MetaData, String

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)
"""All tables declared by the modules imported so far."""

FOLDED: Final = String().with_variant(String(collation="C"), "postgresql")
"""A text ordered by code points, whatever the language of the database, so that an index finds
prefixes."""


@dataclass(frozen=True)
class Schema:
    """The tables of a database."""

    metadata: MetaData
    migrations: Path
    """The folder with the revisions that create these tables."""
