"""The house of this checkout or of another one, as a process of its own for a benchmark."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crowd import Made
from house.web.served import FREE, Served

ROOT = Path(__file__).resolve().parent.parent
_FURNISH = """
import json, sys
from dataclasses import astuple
from pathlib import Path
sys.path[:0] = ["benchmarks", "tests"]
from crowd import furnish
made = furnish(Path(sys.argv[1]), int(sys.argv[2]), clock=sys.argv[3], turns=int(sys.argv[4]))
print(json.dumps([astuple(one) for one in made]))
"""


def _python(checkout: Path) -> str:
    python = checkout / ".venv/bin/python"
    return str(python) if python.exists() else sys.executable


def furnish_of(checkout: Path, folder: Path, games: int, clock: str, turns: int) -> list[Made]:
    """Make games of two guests each in a folder, with the code of a checkout."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [_python(checkout), "-c", _FURNISH, str(folder), str(games), clock, str(turns)]
    done = subprocess.run(command, cwd=checkout, stdout=subprocess.PIPE, check=True, text=True)
    rows = json.loads(done.stdout.splitlines()[-1])
    return [Made(game, tuple(tokens), tuple(map(tuple, script))) for game, tokens, script in rows]


@contextmanager
def server_of(checkout: Path, folder: Path, most: int = FREE) -> Iterator[Served]:
    """Serve the house in a folder with the code of a checkout."""
    served = next(checkout.glob("tests/**/web/served.py"))
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            [_python(checkout), str(served), str(folder), "0", str(most), ""],
            cwd=checkout,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout
    house = Served(process, process.stdout.readline().strip())
    assert house.address.startswith("http://"), (folder / "log").read_text()
    try:
        yield house
    finally:
        house.stop()
