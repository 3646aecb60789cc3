"""Fixtures of tests that write thousands of logs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import playing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture
def swift_disk() -> Iterator[None]:
    with playing.swift_disk():
        yield
