"""Options that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from shared_data import SHARED
from warming import warm_up

if TYPE_CHECKING:
    from postgres import Server

collect_ignore = [] if find_spec("trine_games") else ["rooms"]
"""The rooms of others are tested where they are on the path: `conformance.test_fourth_game`."""

settings.register_profile("house", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        type=Path,
        default=SHARED / "vectors",
        help="folder of test vectors (its README tells the format)",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before the processes of a whole run start, compile what they share."""
    if config.args_source is config.ArgsSource.TESTPATHS:
        warm_up()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A server of PostgreSQL, one for the whole run."""
    from postgres import a_postgres, why_missing

    if reason := why_missing():
        pytest.skip(reason)
    with a_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The place of a new database: what holds for one kind holds for the other."""
    if request.param == "sqlite":
        yield str(tmp_path / "house.db")
        return
    with request.getfixturevalue("postgres_server").database() as url:
        yield url
