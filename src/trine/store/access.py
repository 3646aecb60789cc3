"""Access to a database: reads at once, writes through the one writer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from trine.store.database import Database
from trine.store.writer import Writer

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Access:
    """Work on an open database: what writes returns a future, what reads returns at once.

    `trine.store.store.Store` tells what both can raise.
    """

    def __init__(self, database: Database, writer: Writer, now: Callable[[], float]) -> None:
        self._database = database
        self._writer = writer
        self._now = now

    def write(
        self,
        work: Callable[Concatenate[Connection, Given], Result],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Future[Result]:
        """Have a function of this package write, in one transaction."""
        return self._writer.submit(lambda connection: work(connection, *given, **named))

    def read(
        self,
        work: Callable[Concatenate[Connection, Given], Result],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Result:
        """Have a function of this package read."""
        with self._database.reader() as connection:
            return work(connection, *given, **named)
