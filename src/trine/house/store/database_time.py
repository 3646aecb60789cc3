"""The time by the clock of the database, which all processes share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Double, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class database_now(FunctionElement[float]):  # noqa: N801 (it reads as a function)
    """The SQL expression for the time when the statement runs, in seconds since 1970."""

    type = Double()
    inherit_cache = True


@compiles(database_now, "sqlite")
def _in_sqlite(element: database_now, compiler: SQLCompiler, **given: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(database_now, "postgresql")
def _in_postgresql(element: database_now, compiler: SQLCompiler, **given: Any) -> str:
    # Not the start of the transaction, which may have waited for locks since.
    return "extract(epoch FROM clock_timestamp())"


def database_moment(connection: Connection) -> float:
    return float(connection.execute(select(database_now())).scalar_one())
