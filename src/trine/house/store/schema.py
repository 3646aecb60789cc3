"""Declaring tables, with column types that SQLite and PostgreSQL share.

A table is declared once, as a frozen dataclass of its rows. Each field is a column, in the order of
the fields; a column is nullable if its field can be None. Further columns of a table, which its row
class lacks, come before the columns of the fields. Rows are made from columns, and insertions from
rows, by name.

Units: times in tables are seconds since 1970, as from `time.time`.

>>> @dataclass(frozen=True, slots=True)
... class Toy:
...     name: Key[str]
...     owner: Annotated[str, "person.id"] | None
...     weight: float
>>> TOY = table_of("toy", Toy, sa.Index(None, "owner"), metadata=sa.MetaData())
>>> [(column.name, column.primary_key, column.nullable) for column in TOY.c]
[('name', True, False), ('owner', False, True), ('weight', False, False)]
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import SchemaItem
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

METADATA: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)
"""All tables declared by the modules imported so far."""

FOLDED: Final = sa.String().with_variant(sa.String(collation="C"), "postgresql")
"""A text ordered by code points in any database language, so that an index finds prefixes."""


@dataclass(frozen=True)
class Schema:
    """The tables of a database."""

    metadata: sa.MetaData
    migrations: Path  # the folder with the revisions that create these tables


Value = TypeVar("Value")
Made = TypeVar("Made")
KEY: Final = object()
Key = Annotated[Value, KEY]  # a column of the primary key
_TYPES: Final = {str: sa.String, int: sa.Integer, float: sa.Double, bool: sa.Boolean}
"""The column types of Python types; any other type is stored as JSON."""


class Named(TypeDecorator[StrEnum]):
    """A value of an enum, stored by its name."""

    impl = sa.String
    cache_ok = True

    def __init__(self, names: type[StrEnum]) -> None:
        super().__init__()
        self.names = names

    @property
    def python_type(self) -> type[StrEnum]:
        return self.names

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> StrEnum | None:
        return None if value is None else self.names(value)


def table_of(name: str, row: type, *more: SchemaItem, metadata: sa.MetaData = METADATA) -> sa.Table:
    """Declare the table of a row class.

    The annotation of a field has further properties of its column: that it is in the primary key
    (`Key`), its type, or the column that it references, by name or as a `ForeignKey`. ``more`` are
    columns that the row class lacks, indices and constraints.
    """
    hints = get_type_hints(row, include_extras=True)
    columns = [_column(field.name, hints[field.name]) for field in fields(row)]
    before = [one for one in more if isinstance(one, sa.Column)]
    return sa.Table(
        name, metadata, *before, *columns, *(one for one in more if not isinstance(one, sa.Column))
    )


def _column(name: str, hint: Any) -> sa.Column[Any]:
    optional = get_origin(hint) in (Union, UnionType)
    if optional:
        (hint,) = (one for one in get_args(hint) if one is not NoneType)
    marks: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
    types = [mark for mark in marks if isinstance(mark, TypeEngine)]
    if not types and isinstance(hint, type) and issubclass(hint, StrEnum):
        types = [Named(hint)]
    return sa.Column(
        name,
        types[0] if types else _TYPES.get(hint, sa.JSON),
        *(sa.ForeignKey(mark) for mark in marks if isinstance(mark, str)),
        *(mark for mark in marks if isinstance(mark, sa.ForeignKey)),
        primary_key=KEY in marks,
        autoincrement=False,
        nullable=optional,
    )


def columns_of(table: sa.Table, row: type) -> list[sa.Column[Any]]:
    """Return the columns that are fields of the row class, in the order of the fields."""
    return [table.c[field.name] for field in fields(row)]


def values_of(row: Any) -> dict[str, Any]:
    return {field.name: getattr(row, field.name) for field in fields(row)}


def add_row(connection: Connection, table: sa.Table, row: Any, **more: Any) -> None:
    """Insert a row; ``more`` are values of columns that the row class lacks."""
    connection.execute(sa.insert(table), [values_of(row) | more])


def all_of(connection: Connection, row: type[Made], statement: sa.Select[Any]) -> list[Made]:
    found = connection.execute(statement)
    names = tuple(found.keys())
    return [make_row(row, names, values) for values in found]


def group_rows(
    connection: Connection, row: type[Made], statement: sa.Select[Any]
) -> dict[str, list[Made]]:
    """Return rows in lists, by the value of the statement's first column."""
    found = connection.execute(statement)
    _, *names = found.keys()
    groups: dict[str, list[Made]] = {}
    for key, *values in found:
        groups.setdefault(key, []).append(make_row(row, names, values))
    return groups


def first_of(connection: Connection, row: type[Made], statement: sa.Select[Any]) -> Made | None:
    found = connection.execute(statement)
    names, values = tuple(found.keys()), found.first()
    return make_row(row, names, values) if values else None


def count_of(connection: Connection, *conditions: sa.ColumnElement[bool]) -> int:
    return connection.execute(sa.select(sa.func.count()).where(*conditions)).scalar_one()


def make_row(row: type[Made], names: Iterable[str], values: Iterable[Any]) -> Made:
    """Return an instance of a row class from the names and the values of its fields."""
    return row(**dict(zip(names, values, strict=True)))


class database_now(FunctionElement[float]):  # noqa: N801 (it reads as a function)
    """The SQL expression for the time when the statement runs, in seconds since 1970."""

    type = sa.Double()
    inherit_cache = True


@compiles(database_now, "sqlite")
def _in_sqlite(element: database_now, compiler: SQLCompiler, **given: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(database_now, "postgresql")
def _in_postgresql(element: database_now, compiler: SQLCompiler, **given: Any) -> str:
    # Not the start of the transaction, which may have waited for locks since.
    return "extract(epoch FROM clock_timestamp())"


def database_moment(connection: Connection) -> float:
    return float(connection.execute(sa.select(database_now())).scalar_one())
