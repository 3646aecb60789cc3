"""Reading test vectors: positions with counts, turns and results, made by other programs."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Vector = dict[str, Any]
Test = Callable[..., None]


def vectors_of(
    *patterns: str, takes: Callable[[Vector], bool] = lambda vector: True
) -> Callable[[str], Callable[[Test], Test]]:
    """A decorator that has a test look at the vectors of some files that state a field.

    The test is called with each ``vector``, only of its ``game`` if it has that argument; where it
    fails, the name of the vector is told. Files of texts that must be refused have ``invalid`` in
    their names; their lines have ``error``. A test of compiled code ``takes`` those that the engine
    knows.
    """

    def each_vector(field: str) -> Callable[[Test], Test]:
        def over_all(test: Test) -> Test:
            def on_each(pytestconfig: pytest.Config, **more: object) -> None:
                folder: Path = pytestconfig.getoption("--vectors")
                game = str(more.get("game", ""))
                vectors = [
                    vector
                    for pattern in patterns
                    for file in sorted(folder.glob(pattern))
                    for vector in map(json.loads, file.read_text(encoding="utf-8").splitlines())
                    if field in vector and takes(vector) and vector["id"].startswith(game)
                ]
                if not vectors:
                    pytest.skip(f"no {patterns[0]} in {folder}; vectors are data of others")
                for vector in vectors:
                    try:
                        test(vector=vector, **more)
                    except BaseException as error:
                        error.add_note(f"in the vector {vector['id']}")
                        raise

            asked = inspect.signature(test).parameters
            own = inspect.signature(on_each).parameters["pytestconfig"]
            others = [given for name, given in asked.items() if name != "vector"]
            on_each.__signature__ = inspect.Signature([own, *others])  # type: ignore[attr-defined]
            on_each.__name__ = test.__name__
            on_each.pytestmark = getattr(test, "pytestmark", [])  # type: ignore[attr-defined]
            return on_each

        return over_all

    return each_vector


def count_sequences(position: Any, depth: int) -> int:
    """Count sequences of actions by the referee (perft); a play that is over has none."""
    actions = position.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(count_sequences(position.play_unchecked(action), depth - 1) for action in actions)
