"""Copying a whole store to another one, of the same kind or not: all of it, or nothing.

All is read at one moment and written in one transaction. Before that is committed, what was written
is read again, and each table compared with its source by the number of its rows and by a sum of the
hashes of all rows, which does not depend on their order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from trine.core.text import text
from trine.store.database import Database
from trine.store.moments import database_now
from trine.store.refusals import StoreError, UnusableError
from trine.store.schema import HOME, METADATA

TOGETHER: Final = 1000
"""Rows that are written at once. Guess."""
TABLES: Final = METADATA.sorted_tables
"""All tables, each behind those that it refers to."""
Told = Callable[[str, int], None]
"""Is told the name of a table, and how many more of its rows are done."""


@dataclass(frozen=True)
class Sum:
    """The sum of the rows of a table."""

    rows: int = 0
    hashes: int = 0


NOTHING: Final = Sum()


class CopyError(StoreError):
    """A store cannot be copied, or not there."""


def count_rows(database: Database) -> dict[str, int]:
    """Return the number of rows of each table."""
    with database.reader() as connection:
        return {table.name: _count(connection, table) for table in TABLES}


def copy(source: Database, target: Database, told: Told = lambda table, rows: None) -> int:
    """Copy a store into one that is empty; return the number of rows.

    Guarantee: if anything fails, the target is as it was.

    Raises:
        CopyError: the source is open in a process, or the target is not empty.
        UnusableError: one of them cannot be read or written, or a row cannot be written there.
    """
    with _reading(source) as reading, _writing(target) as writing:
        _check_closed(source, reading)
        _check_empty(target, writing)
        sums = {table.name: _copy(table, reading, writing, target, told) for table in TABLES}
        for table in TABLES:
            if _sum(_rows(writing, table)) != sums[table.name]:
                raise CopyError(
                    text("table {table} is not the same there; nothing was kept", table=table.name)
                )
    return sum(one.rows for one in sums.values())


@contextmanager
def _reading(database: Database) -> Iterator[Connection]:
    """A connection that sees one moment of a database to which nobody writes meanwhile."""
    try:
        with database.frozen() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise UnusableError.because(database.name, error) from error


@contextmanager
def _writing(database: Database) -> Iterator[Connection]:
    connection = database.connect_writer()
    try:
        with connection.begin():
            yield connection
    except SQLAlchemyError as error:
        raise UnusableError.because(database.name, error) from error
    finally:
        connection.close()


def _check_closed(database: Database, connection: Connection) -> None:
    busy = select(HOME.c.name).where(HOME.c.expires_at > database_now())
    if connection.execute(busy).first():
        raise CopyError(
            text(
                "the house in {name} is open, or was a few seconds ago; close it first",
                name=database.name,
            )
        )


def _check_empty(database: Database, connection: Connection) -> None:
    for table in TABLES:
        if _count(connection, table):
            raise CopyError(text("{name} is not empty; name a new database", name=database.name))


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _copy(
    table: Table, reading: Connection, writing: Connection, target: Database, told: Told
) -> Sum:
    total = Sum()
    for some in _parts(_rows(reading, table)):
        total = _sum(some, total)
        try:
            writing.execute(insert(table), some)
        except (SQLAlchemyError, ValueError) as error:
            problem = str(getattr(error, "orig", None) or error)
            raise UnusableError(
                text(
                    "a row of table {table} cannot be written to {name}: {problem}",
                    table=table.name,
                    name=target.name,
                    problem=problem,
                )
            ) from error
        told(table.name, len(some))
    return total


def _rows(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    found = connection.execution_options(yield_per=TOGETHER).execute(select(table))
    for row in found:
        yield dict(row._mapping)


def _parts(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    some: list[dict[str, Any]] = []
    for row in rows:
        some.append(row)
        if len(some) == TOGETHER:
            yield some
            some = []
    if some:
        yield some


def _sum(rows: Iterable[dict[str, Any]], before: Sum = NOTHING) -> Sum:
    count, total = before.rows, before.hashes
    for row in rows:
        told = json.dumps(row, sort_keys=True, ensure_ascii=False, default=str)
        digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()
        count, total = count + 1, (total + int.from_bytes(digest)) % (1 << 256)
    return Sum(count, total)
