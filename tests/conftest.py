"""Options that all tests share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# Several processes test at once: threads of BLAS would only wait for each other, and busily.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import databases
import faults
from shared_data import SHARED
from trine.engine.players.chances import Curve
from warming import warm_up

if TYPE_CHECKING:
    from postgres import Server

collect_ignore = [] if find_spec("trine_games") else ["rooms"]
"""The rooms of others are tested where they are on the path: `conformance.test_fourth_game`."""
NIGHTLY = "\npytestmark = pytest.mark.nightly\n"
"""The line of a file all of whose tests are for the night."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has those that it runs in the background ignore Ctrl-C, and with them all they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("house", deadline=None, derandomize=True, max_examples=24)
settings.register_profile("night", deadline=None, max_examples=400)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        type=Path,
        default=SHARED / "vectors",
        help="folder of test vectors (its README tells the format)",
    )
    parser.addoption(
        "--database",
        choices=databases.KINDS,
        help="the kind of database of all houses in tests; if not given, files, and both for some",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about another kind of database than the one that was chosen."""
    chosen = config.getoption("--database")
    kinds = (None, chosen) if chosen else (None, *databases.KINDS)

    def fits(item: pytest.Item) -> bool:
        params = getattr(item, "callspec", None) and item.callspec.params  # type: ignore[attr-defined]
        about = params.get("place") if params else None
        if about in databases.KINDS:
            return about in kinds
        return chosen != "postgres" or not item.get_closest_marker("in_file")

    config.hook.pytest_deselected(items=[item for item in items if not fits(item)])
    items[:] = [item for item in items if fits(item)]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the parts that tests share, and by day what is for the night alone.

    The libraries that the latter import take longer than the rest of their collection.
    """
    name = collection_path.name
    if collection_path.suffix != ".py" or "rooms" in collection_path.parts:
        return None
    if not name.startswith("test_"):
        return True
    by_day = config.getoption("markexpr") == "not nightly" and not any(
        name in asked for asked in config.args
    )
    return True if by_day and NIGHTLY in collection_path.read_text(encoding="utf-8") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], object]:
    """Look for no examples in the words of tests."""
    found = yield
    return [one for one in found if type(one) is pytest.Module or "rooms" in file_path.parts]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have nobody search what is collected for garbage, neither now nor during the tests.

    It is a million objects that stay to the end, and looking through them took a tenth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


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


@pytest.fixture(scope="session", autouse=True)
def _kind_of_database(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.config.getoption("--database") != "postgres":
        yield
        return
    databases.use(request.getfixturevalue("postgres_server"))
    yield
    databases.use(None)


@pytest.fixture(autouse=True)
def _faults_of_a_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test with faults in its log that its mark `faults` does not name by their words."""
    with faults.watched() as found:
        yield
    found += faults.faults_of_houses()
    marks = request.node.iter_markers("faults")
    expected = [words for mark in marks for words in mark.args]
    assert [one for one in found if not any(words in one for words in expected)] == []


@pytest.fixture(autouse=True)
def _databases_of_a_test(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if folder := getattr(request.node, "funcargs", {}).get("tmp_path"):
        databases.drop(folder)


@pytest.fixture
def odds_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have 400 points told as odds of ten to one, whatever the curves that were fitted last."""
    monkeypatch.setattr("trine.engine.players.chances.curve_of", lambda game, rules: Curve())


@pytest.fixture(params=databases.KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The place of a new database: what holds for one kind holds for the other."""
    if request.param == "sqlite":
        yield str(databases.file_in(tmp_path))
        return
    with request.getfixturevalue("postgres_server").database() as url:
        yield url
