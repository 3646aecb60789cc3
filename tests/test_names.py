"""One name, one thing: how many types and modules above the games share their names with others."""

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from trine import __file__ as package

ROOT = Path(package).parent
GAMES = ROOT / "games"
"""Left out: each game has the same modules, as the contract of a room asks."""
WIRE = {"api.py", "messages.py"}
"""Modules whose types say in JSON what others of the same names hold."""
MIRRORED = {"__init__", "kernel", "messages", "routes", "tables"}
"""Modules and folders that each subject has."""
COMMANDS = ROOT / "cli" / "commands"
"""Left out: a command is named like what it starts."""
MOST_TYPES, MOST_MODULES = 0, 16
"""The numbers of names that may stand twice or more. They may only fall."""


def sources() -> Iterator[Path]:
    return (path for path in sorted(ROOT.rglob("*.py")) if GAMES not in path.parents)


def types_of(path: Path) -> Iterator[str]:
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return (node.name for node in found if isinstance(node, ast.ClassDef))


def shared(names: Iterator[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)


def test_no_more_types_than_known_share_their_names() -> None:
    paths = (path for path in sources() if path.name not in WIRE)
    found = shared(chain.from_iterable(map(types_of, paths)))
    assert len(found) <= MOST_TYPES, found


def test_no_more_modules_than_known_share_their_names() -> None:
    paths = [path for path in sources() if path.parent != COMMANDS]
    # The main module of a folder has its name.
    modules = [path.stem for path in paths if path.stem != path.parent.name]
    folders = [path.parent.name for path in paths if path.stem == "__init__"]
    found = shared(name for name in chain(modules, folders) if name not in MIRRORED)
    assert len(found) <= MOST_MODULES, found
