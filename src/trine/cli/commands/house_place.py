"""The place of a house: a folder, or a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from platformdirs import user_data_path

from trine.cli.commands.speech import option, options
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text, text
from trine.core.work.files import file_error

if TYPE_CHECKING:
    from trine.house.store.store import Store

DATABASE: Final = "house.db"  # name of the database file in the folder of a house


@dataclass(frozen=True)
class HousePlace:
    """The place where a house is stored."""

    folder: Path | None  # the folder; None if the database is given by a URL
    database: str  # path or the URL of the database
    beside: Path | None = None
    """The folder of settings and records if ``database`` is a URL; None for the default folder."""

    @property
    def settings(self) -> Path:
        """The folder of the settings, as for `trine serve`."""
        return self.folder or self.beside or default_folder()

    @classmethod
    def of(cls, place: str | Path, settings_folder: Path | None = None) -> HousePlace:
        """Return the place given by a folder, a file or a URL."""
        if "://" in str(place):
            return cls(None, str(place), settings_folder)
        path = Path(place)
        folder = path.parent if path.suffix == ".db" else path
        return cls(folder, str(path if path.suffix == ".db" else path / DATABASE))

    def check_exists(self, *, updates: bool = False) -> None:
        """Check that a house exists, because opening a missing database would create one.

        ``updates``: whether opening it may migrate its tables, never while the house is running.

        Raises:
            FileError: there is no house.
            UnusableError: the database cannot be read, or must be migrated while it is in use.
        """
        from trine.house.store.database import Database, last_revision, revision_of
        from trine.house.store.sqlite import lock_folder
        from trine.house.tables import SCHEMA

        if self.folder and not Path(self.database).is_file():
            raise FileError("there is no house in {folder}", folder=self.folder)
        with closing(Database.as_it_is(self.database)) as database, database.reader() as reading:
            if not (revision := revision_of(reading)):
                raise FileError("there is no house in {folder}", folder=database.name)
            older = updates and revision != last_revision(SCHEMA)
        with lock_folder(self.folder) if older and self.folder else nullcontext():
            pass

    @contextmanager
    def new(self) -> Iterator[str]:
        """Yield the place of a new database; a file gets its name only when it is complete.

        Raises:
            FileError: the database cannot be created, or exists already.
        """
        from trine.house.store.backup import put_in_place

        if not self.folder:
            yield self.database
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(self.folder, error) from None
        with put_in_place(Path(self.database)) as unfinished:
            yield str(unfinished)

    @contextmanager
    def open_store(self) -> Iterator[Store]:
        """Yield the open store; raises what `check_exists` raises."""
        from trine.house.store.store import Store  # imports many libraries
        from trine.house.tables import SCHEMA

        self.check_exists(updates=True)
        with Store.open(self.database, SCHEMA) as store:
            yield store

    def file_of(self, otherwise: Text) -> Path:
        """Return the database file; else raise `TrineError` with the message ``otherwise``."""
        if not self.folder:
            raise TrineError(otherwise)
        return Path(self.database)


where_options = options(
    option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        meaning=text("Folder for the database and the records of games."),
    ),
    option(
        "--database",
        metavar="URL",
        default="",
        envvar="TRINE_DATABASE",
        meaning=text(
            "Database of PostgreSQL that several processes share, as postgresql://user@host/name "
            "or in TRINE_DATABASE; if not given, a file in the folder."
        ),
    ),
)


def default_folder() -> Path:
    return user_data_path("trine", appauthor=False) / "house"


def place_options(of: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the place of a house to a command, which gets a `HousePlace`."""

    def run_at_place(data: Path | None, database: str, **params: Any) -> None:
        # A folder on the command line overrides a database from the environment.
        context = click.get_current_context(silent=True)
        source = context.get_parameter_source("database") if context else None
        named = source is ParameterSource.COMMANDLINE
        by_url = database and (named or not data)
        of(HousePlace.of(database if by_url else data or default_folder(), data), **params)

    return where_options(update_wrapper(run_at_place, of))


def store_option(of: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options that locate a house; the command gets the open store."""

    def run_with_store(place: HousePlace, **params: Any) -> None:
        with place.open_store() as store:
            of(store, **params)

    return place_options(update_wrapper(run_with_store, of))
