"""Options that all tests share."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from shared_data import SHARED
from warming import warm_up

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
