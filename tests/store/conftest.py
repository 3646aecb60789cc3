"""A store for each test, in SQLite, and in PostgreSQL where a server is named.

``TRINE_TEST_DATABASE=postgresql+psycopg://user@host/postgres`` runs the tests that hold for both
against a server too; each test makes a database there and drops it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, make_url, text

from trine.store.store import Store

SERVER = os.environ.get("TRINE_TEST_DATABASE")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test keeps what holds for SQLite alone."""
    return tmp_path / "house.db"


@pytest.fixture(params=["sqlite", "server"] if SERVER else ["sqlite"])
def place(request: pytest.FixtureRequest, path: Path) -> Iterator[str]:
    """Where a test keeps what holds for each database."""
    if request.param == "sqlite":
        yield str(path)
        return
    assert SERVER
    with a_database_on(make_url(SERVER)) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """A store that holds for each database."""
    with Store.open(place) as store:
        yield store


@pytest.fixture
def file_store(path: Path) -> Iterator[Store]:
    """A store in SQLite."""
    with Store.open(path) as store:
        yield store


@contextmanager
def a_database_on(server: URL) -> Iterator[URL]:
    name = f"trine_{secrets.token_hex(8)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        try:
            yield server.set(database=name)
        finally:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()
