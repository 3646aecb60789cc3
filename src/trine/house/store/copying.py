"""Copies a whole store to another database, of any kind: all of it, or nothing.

The source is read from one snapshot, and the target is written in one transaction. Before the
commit, the target is read again and each table is compared with its source, by the number of rows
and by the sum of the hashes of all rows, which does not depend on their order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from trine.core.text.sentence import text
from trine.house.store.database import Database
from trine.house.store.schema import Schema
from trine.house.store.store_errors import StoreError, UnusableError

BATCH_SIZE: Final = 1000  # rows per statement; guess
OnTable = Callable[[str, int], None]
"""A callback with the name of a table and the number of rows copied since the last call."""


@dataclass(frozen=True)
class Sum:
    """A checksum of a table: the number of rows and the sum of their hashes."""

    rows: int = 0
    hashes: int = 0

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.rows + other.rows, self.hashes + other.hashes)


NOTHING: Final = Sum()


class CopyError(StoreError):
    """A store cannot be copied, or not to this target."""


def count_rows(database: Database, schema: Schema) -> dict[str, int]:
    with database.reader() as connection:
        return {name: _count(connection, table) for name, table in schema.metadata.tables.items()}


def copy(
    source: Database,
    target: Database,
    schema: Schema,
    in_use: Callable[[Connection], bool],
    on_table: OnTable = lambda table, rows: None,
) -> int:
    """Copy a store into a new or empty database; return the number of rows.

    ``in_use`` returns whether a process works with the source.

    Guarantee: if anything fails, the target is unchanged; if it had no tables, it has none.

    Raises:
        CopyError: a process has the source open, or the target is not empty.
        UnusableError: one of the databases cannot be read or written, or a row does not fit the
            target.
    """
    tables = schema.metadata.sorted_tables  # each table after the tables that it refers to
    with (
        UnusableError.reported(source.name, SQLAlchemyError),
        source.read_snapshot() as reading,
        UnusableError.reported(target.name, SQLAlchemyError),
        target.connect_writer() as writing,
        writing.begin(),
    ):
        if in_use(reading):
            raise CopyError(
                text(
                    "the house in {name} is open, or was a few seconds ago; close it first",
                    name=source.name,
                )
            )
        target.migrate(writing, schema)
        if any(_count(writing, table) for table in tables):
            raise CopyError(text("{name} is not empty; name a new database", name=target.name))
        sums = {
            table.name: _copy(table, reading, writing, target.name, on_table) for table in tables
        }
        for table in tables:
            if sum(map(_sum, _parts(writing, table)), NOTHING) != sums[table.name]:
                raise CopyError(
                    text("table {table} is not the same there; nothing was kept", table=table.name)
                )
    return sum(one.rows for one in sums.values())


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _copy(
    table: Table, reading: Connection, writing: Connection, target: str, on_table: OnTable
) -> Sum:
    total = NOTHING
    for rows in _parts(reading, table):
        total += _sum(rows)
        try:
            writing.execute(insert(table), rows)
        except (SQLAlchemyError, ValueError) as error:
            problem = str(getattr(error, "orig", None) or error)
            raise UnusableError(
                "a row of table {table} cannot be written to {name}: {problem}",
                table=table.name,
                name=target,
                problem=problem,
            ) from error
        on_table(table.name, len(rows))
    return total


def _parts(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    found = connection.execution_options(yield_per=BATCH_SIZE).execute(select(table))
    return ([dict(row) for row in rows] for rows in found.mappings().partitions())


def _sum(rows: Sequence[dict[str, Any]]) -> Sum:
    total = 0
    for row in rows:
        encoded = json.dumps(row, sort_keys=True, ensure_ascii=False, default=str)
        total += int.from_bytes(hashlib.sha256(encoded.encode("utf-8", "surrogatepass")).digest())
    return Sum(len(rows), total)
