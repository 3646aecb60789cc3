"""Commands that do not serve load no library of databases: they cost half a second."""

import subprocess
import sys

import pytest

from waiting import PATIENCE

LOADED = """
import sys
before = set(sys.modules)  # measuring coverage loads one of them
from trine.__main__ import main
try:
    main()
finally:
    print(*(name for name in ("sqlalchemy", "alembic", "sqlite3") if name in {*sys.modules} - before), "none")
"""


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["rules", "tzaar"],
        ["play", "--help"],
        ["play", "arimaa", "--log", "game.txt"],
        ["match", "--help"],
    ],
    ids=" ".join,
)
def test_commands_load_no_database(words: list[str], tmp_path: object) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words],
        input="quit\n",
        capture_output=True,
        text=True,
        cwd=str(tmp_path),
        timeout=PATIENCE,
    )
    assert done.stdout.splitlines()[-1] == "none", done.stderr


def test_the_package_itself_loads_no_database() -> None:
    program = "import sys, trine.house.store; print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"
