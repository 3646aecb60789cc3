"""Options, hooks and fixtures of all tests."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# Tests run in several processes: their BLAS threads would only contend in busy waiting.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import databases
import faults
from nightly_passes import SECONDS, NightlyPasses, number_of_share, select_share
from playing import HandClock
from shared_data import SHARED
from trine.engine.players.chances import Curve
from waiting import PATIENCE
from warming import warm_up

if TYPE_CHECKING:
    from postgres import Server

collect_ignore = [] if find_spec("trine_games") else ["rooms"]
"""Plug-in games are tested only if they are on the path: `conformance.test_fourth_game`."""
NIGHTLY = "\npytestmark = pytest.mark.nightly\n"
"""The line of a file with nightly tests only."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell makes background jobs ignore Ctrl-C, and their child processes inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("house", deadline=None, derandomize=True, max_examples=24)
settings.register_profile("night", deadline=None, max_examples=400)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        type=Path,
        default=SHARED / "vectors",
        help="folder of test vectors (its README describes the format)",
    )
    parser.addoption(
        "--database",
        choices=databases.KINDS,
        help="the kind of database of all houses in tests; if not given, files, and both for some",
    )
    parser.addoption(
        "--share",
        metavar="K/N",
        help="of the nightly tests, only the K-th of N shares; commit: the share of this commit",
    )
    parser.addoption(
        "--store-seconds",
        action="store_true",
        help=f"store how long nightly tests take in {SECONDS.name}",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # pytest-xdist passes reports on to the main process
        seconds = SECONDS if config.getoption("--store-seconds") else None
        config.pluginmanager.register(NightlyPasses(config.rootpath, seconds=seconds))


def pytest_report_header(config: pytest.Config) -> str | None:
    if not (share := config.getoption("--share")):
        return None
    return "share of nightly tests: {} of {}".format(*number_of_share(config.rootpath, share))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests of other kinds of databases, and nightly tests of other shares."""
    chosen = config.getoption("--database")
    kinds = (None, chosen) if chosen else (None, *databases.KINDS)

    def fits(item: pytest.Item) -> bool:
        params = getattr(item, "callspec", None) and item.callspec.params  # type: ignore[attr-defined]
        about = params.get("place") if params else None
        if about in databases.KINDS:
            return about in kinds
        return chosen != "postgres" or not item.get_closest_marker("in_file")

    kept = [item for item in items if fits(item)]
    if share := config.getoption("--share"):
        kept = select_share(kept, *number_of_share(config.rootpath, share))
    config.hook.pytest_deselected(items=[*{*items} - {*kept}])
    items[:] = kept


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip helper modules and, unless nightly tests are asked for, files with only nightly tests.

    Importing the libraries of nightly tests takes longer than the rest of the collection.
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
    """Collect no doctests from the docstrings of tests."""
    found = yield
    return [one for one in found if type(one) is pytest.Module or "rooms" in file_path.parts]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude collected items from garbage collection, during the collection and the tests.

    A million objects live to the end, and scanning them took a tenth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """Unfreeze objects, which DuckDB would report at the end as leaks."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test in the event loop of its fixtures; only nightly tests may take long."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    patience = None if pyfuncitem.get_closest_marker("nightly") else PATIENCE
    names = inspect.signature(pyfuncitem.obj).parameters

    async def run() -> None:
        async with asyncio.timeout(patience):
            await pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})

    pyfuncitem._request.getfixturevalue("runner").run(run())
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile shared code before the worker processes of a whole run start."""
    if config.args_source is config.ArgsSource.TESTPATHS:
        warm_up()


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """The event loop of an async test and of its fixtures."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
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
    """Fail a test that logs faults, except faults with words that its mark `faults` lists."""
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
    """Convert 400 points to odds of ten to one, independent of the fitted curves."""
    monkeypatch.setattr("trine.engine.players.chances.curve_of", lambda game, rules: Curve())


@pytest.fixture
def now() -> HandClock:
    return HandClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


@pytest.fixture(params=databases.KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The path or URL of a new database: the test runs once for each kind of database."""
    if request.param == "sqlite":
        yield str(databases.file_in(tmp_path))
        return
    with request.getfixturevalue("postgres_server").database() as url:
        yield url
