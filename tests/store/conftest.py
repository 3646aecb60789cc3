"""A store for each test, on a disk, and ways to see into its writer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trine.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store
