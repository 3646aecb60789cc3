"""A store for each test: those that hold for both databases run in both."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from trine.house.store.store import Store
from trine.house.tables import SCHEMA


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The place of what holds for SQLite alone."""
    return tmp_path / "house.db"


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with Store.open(place, SCHEMA) as store:
        yield store


@pytest.fixture
def file_store(path: Path) -> Iterator[Store]:
    with Store.open(path, SCHEMA) as store:
        yield store
