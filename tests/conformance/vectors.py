"""Reading test vectors: positions with counts, turns and results, made by other programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Vector = dict[str, Any]


def read_vectors(
    metafunc: pytest.Metafunc, *patterns: str, takes: Callable[[Vector], bool] = lambda vector: True
) -> None:
    """Parametrize a test with the lines of the vector files that match one of the patterns.

    The mark ``states`` names the field that a line must have to be of use to the test. Files of
    texts that must be refused have ``invalid`` in their names; their lines have ``error``. A test
    of compiled code ``takes`` those that the engine knows.
    """
    folder: Path = metafunc.config.getoption("--vectors")
    mark = metafunc.definition.get_closest_marker("states")
    assert mark is not None, metafunc.function
    vectors = [
        vector
        for pattern in patterns
        for file in sorted(folder.glob(pattern))
        for vector in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        if mark.args[0] in vector and takes(vector)
    ]
    if vectors:
        metafunc.parametrize("vector", vectors, ids=[vector["id"] for vector in vectors])
    else:
        missing = pytest.mark.skip(
            reason=f"no {patterns[0]} in {folder}; vectors are data of others"
        )
        metafunc.parametrize("vector", [pytest.param({}, marks=missing)], ids=["absent"])
