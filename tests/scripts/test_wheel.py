"""The wheel: installed in an empty environment it plays, thinks, has its data, and is typed.

At every commit: it holds each file, and needs of the libraries what it asks for. What runs on these
files and libraries is shown by the tests of the checkout; here by night, and before each release.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from capturing import captured
from playing import HOUSE, environment

PACKAGE = HOUSE / "src"
UV = HOUSE / ".venv" / ".setup" / "bin" / "uv"
EXTRAS = ("house", "pictures")
"""The extras that the lock of the checkout holds."""


def succeed(*command: str | Path, cwd: Path = HOUSE, lines: str = "", status: int = 0) -> str:
    """Return the output of a command that knows nothing of the checkout; check its exit status."""
    outside = None if cwd == HOUSE else environment(cwd / ".home")
    if outside:
        del outside["PYTHONPATH"]
    done = captured(*command, cwd=cwd, env=outside, lines=lines)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, or the one that ``TRINE_WHEEL`` names."""
    if named := os.environ.get("TRINE_WHEEL"):
        return HOUSE / named
    folder = tmp_path_factory.mktemp("wheel")
    succeed(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (built,) = folder.iterdir()
    return built


def installed(wheel: Path, home: Path) -> Path:
    """An environment that has the wheel, what the lock names, and no more."""
    if not UV.exists():
        pytest.skip(f"{UV} is absent; scripts/setup makes it")
    succeed(UV, "venv", "-q", "--python", sys.executable, home)
    sync = ["pip", "sync", "-q", "--require-hashes", "--no-build", "--python", str(home)]
    lock = HOUSE / "requirements.lock"
    # The libraries were fetched when the checkout was set up; the network is asked if they are gone.
    fetched = subprocess.run([UV, *sync, "--offline", lock], capture_output=True, check=False)
    if fetched.returncode != 0:
        succeed(UV, *sync, lock)
    # Fails where the wheel asks for what the lock does not hold.
    asked = f"{wheel}[{','.join(EXTRAS)}]"
    succeed(UV, "pip", "install", "-q", "--offline", "--no-build", "--python", home, asked)
    return home


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = installed(wheel, tmp_path_factory.mktemp("installed") / "venv")
    of_extras = [name for extra in EXTRAS for name in libraries(extra)] + ["mako"]  # of alembic
    succeed(UV, "pip", "uninstall", "-q", "--python", home, *of_extras)
    succeed(UV, "pip", "check", "-q", "--python", home)  # the wheel asks for none of them
    return home / "bin"


@pytest.fixture(scope="module")
def house_programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(wheel, tmp_path_factory.mktemp("serving") / "venv") / "bin"


def libraries(extra: str) -> list[str]:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    asked: list[str] = project["optional-dependencies"][extra]
    return [re.match(r"[a-z0-9-]+", one)[0] for one in asked]  # type: ignore[index]


def test_the_wheel_holds_every_file_of_the_package_and_the_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = {
        path.relative_to(PACKAGE).as_posix()
        for path in (PACKAGE / "trine").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path for path in files if path.endswith((".txt", ".po", "py.typed"))}
    assert "trine/house/web/static/board/board.js" in files
    kernels = {name for name in names if name.startswith("trine/kernels-")}
    assert {name for name in names if ".dist-info/" not in name} == files | kernels
    assert wheel.name.endswith("-none-any.whl") != bool(kernels)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_installed_program_plays_over_a_pipe(programs: Path, tmp_path: Path) -> None:
    said = succeed(
        *(programs / "trine", "play", "corridor", "--log", "game.txt"),
        cwd=tmp_path,
        lines="e2\ne8\nquit\n",
    )
    assert "2s: South to move" in said
    assert "1s e2" in (tmp_path / "game.txt").read_text()
    assert "game.txt" in succeed(programs / "trine", "check", "game.txt", cwd=tmp_path)


@pytest.mark.nightly
def test_the_installed_program_plays_against_a_bot(programs: Path, tmp_path: Path) -> None:
    succeed(
        *(programs / "trine", "play", "tzaar", "--setup", "fixed", "--black", "bot:1"),
        *("--log", "game.txt"),
        cwd=tmp_path,
        lines="d3d4\nquit\n",
    )
    assert "1b " in (tmp_path / "game.txt").read_text()


@pytest.mark.nightly
def test_the_installed_program_thinks_with_its_weights(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text('[Game "tzaar"]\n[Rules "official"]\n[Setup "fixed"]\n\n')
    asked = ("analyze", "game.txt", "--nodes", "200", "--json")
    found = json.loads(succeed(programs / "trine", *asked, cwd=tmp_path))
    assert found["lines"][0]["actions"]


@pytest.mark.nightly
def test_the_installed_program_answers_aei(programs: Path, tmp_path: Path) -> None:
    said = succeed(programs / "trine", "aei", cwd=tmp_path, lines="aei\nisready\nquit\n")
    assert "aeiok" in said and "readyok" in said


@pytest.mark.nightly
def test_kernels_that_come_with_the_wheel_are_taken(
    wheel: Path, programs: Path, tmp_path: Path
) -> None:
    if wheel.name.endswith("-none-any.whl"):
        pytest.skip("the plain wheel has none")
    program = """
from trine.core.compiled import jit
from trine.core.compiled.ahead import compile_now
from trine.engine.players.player import thinking_modules
from trine.games import ROOMS
told = []
for name in ROOMS:
    assert compile_now(thinking_modules(name), told.append) is None
    assert all(map(jit.is_compiled, thinking_modules(name)))
assert not told, told
"""
    succeed(programs / "python", "-c", program, cwd=tmp_path)


@pytest.mark.nightly
def test_the_installed_house_serves_its_pages(house_programs: Path, tmp_path: Path) -> None:
    program = """
import re, subprocess, sys
from urllib.request import urlopen
asked = [sys.argv[1], "serve", "--no-open", "--port", "0", "--data", "house"]
with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as house:
    try:
        address = next(filter(None, (re.search("http://[^ ]+/", line) for line in house.stdout)))[0]
        page = urlopen(address).read().decode()
        script = re.search('/static/[^"]+[.]js', page)[0]
        assert urlopen(address.rstrip("/") + script).status == 200
    finally:
        house.terminate()
"""
    succeed(house_programs / "python", "-c", program, house_programs / "trine", cwd=tmp_path)


@pytest.mark.nightly
def test_the_commands_of_the_readme_run_when_installed(
    house_programs: Path, tmp_path: Path
) -> None:
    readme = (HOUSE / "README.md").read_text()
    commands = set(re.findall(r"\./trine ([a-z ]*[a-z])", readme))
    # For each command, what is typed and its exit status; `serve` has a test of its own.
    typed = {"play": ("\n" * 4 + "quit\n", 0), "lessons arimaa": ("", 1), "site pages": ("", 0)}
    assert commands == typed.keys() | {"serve"}
    for command, (lines, status) in typed.items():
        trine = house_programs / "trine"
        succeed(trine, *command.split(), cwd=tmp_path, lines=lines, status=status)
    assert (tmp_path / "pages" / "index.html").exists()
    succeed(house_programs / "python", "-m", "doctest", HOUSE / "README.md", cwd=tmp_path)


@pytest.mark.nightly
def test_the_installed_package_has_its_data(programs: Path, tmp_path: Path) -> None:
    words = """
from trine.games import ROOMS, open_room
from trine.engine.search.bench import bench_positions
assert ROOMS
for name in ROOMS:
    print(name, len(list(bench_positions(open_room(name)))))
"""
    said = succeed(programs / "python", "-c", words, cwd=tmp_path)
    assert all(int(line.split()[1]) > 10 for line in said.splitlines())
    assert "Noir" in succeed(programs / "trine", "rules", "tzaar", "--lang", "fr", cwd=tmp_path)


@pytest.mark.nightly
def test_the_installed_package_is_typed(programs: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import trine\nreveal_type(trine.new_play('tzaar'))\n")
    python = ("--python-executable", programs / "python", "--cache-dir", tmp_path / "mypy")
    said = succeed(sys.executable, "-m", "mypy", *python, program.name, cwd=tmp_path)
    assert 'Revealed type is "trine.core.play.Play"' in said


@pytest.mark.parametrize("asked", [("serve",), ("house", "check"), ("site", "z")])
def test_what_needs_a_house_says_in_a_sentence_how_to_install_it(
    programs: Path, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    said = captured(programs / "trine", *asked, cwd=tmp_path)
    assert said.returncode == 1
    asks = "trine: this needs the libraries of a house; install them with: pip install "
    assert said.stderr.startswith(f"{asks}'trine[house] @ file:///"), said.stderr


def test_everything_but_the_house_is_imported_without_its_libraries(
    programs: Path, tmp_path: Path
) -> None:
    program = """
import pkgutil, trine
from importlib import import_module
for module in pkgutil.walk_packages(trine.__path__, "trine.", onerror=lambda name: None):
    if not module.name.startswith(("trine.house", "trine.engine.rl", "trine.__main__")):
        import_module(module.name)
        print(module.name)
"""
    assert len(succeed(programs / "python", "-c", program, cwd=tmp_path).split()) > 300


@pytest.mark.nightly
def test_a_house_looks_for_each_of_its_libraries(house_programs: Path, tmp_path: Path) -> None:
    program = """
from importlib.metadata import packages_distributions
from trine.house import LIBRARIES
known = packages_distributions()
print(*(known[library][0] for library in LIBRARIES))
"""
    found = succeed(house_programs / "python", "-c", program, cwd=tmp_path)
    assert sorted(found.lower().replace("_", "-").split()) == libraries("house")


@pytest.mark.nightly
def test_the_installed_store_makes_its_tables(house_programs: Path, tmp_path: Path) -> None:
    program = """
from trine.house.games.storage.events import read_events
from trine.house.tables import SCHEMA
from trine.house.store.store import Store
print(Store.open("house.db", SCHEMA).read(read_events, "none"))
"""
    assert succeed(house_programs / "python", "-c", program, cwd=tmp_path) == "[]\n"
