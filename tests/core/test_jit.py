"""Compiled code is kept, and never stale: shown on a small package of its own."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import llvmlite
import numba
import pytest

from capturing import captured
from core.toy_package import copy_core, toy_variables
from playing import HOUSE
from trine.core.compiled import jit

SOURCE = HOUSE / "src" / "trine"
BOARD = "FACTOR = 10\n"
KERNEL = """
import numpy as np
from trine.core.compiled.bits import count
from trine.core.compiled.jit import kernel
from trine.games.toy.board import FACTOR

@kernel("int64(uint64)")
def weigh(bits):
    return FACTOR * count(bits)
"""
ASK = """
import numpy as np
from trine.games.toy.kernel import weigh
hits = sum(weigh.stats.cache_hits.values()) if hasattr(weigh, "stats") else 0
print(int(weigh(np.uint64(7))), hits)
"""


TEMPLATE = """
import numpy as np
from trine.core.compiled.jit import PLACEHOLDER, template

weigh = PLACEHOLDER

@template()
def weigh_often(bits: np.uint64, times: int) -> int:
    if times == 0:
        return 0
    return weigh(bits) + weigh_often(bits, times - 1)
"""
ASK_OF_TEMPLATE = """
import numpy as np
from trine.core.compiled.jit import specialize
from trine.games.other.kernel import weigh as other
from trine.games.toy.kernel import weigh
from trine.loops.kernel import weigh_often
here, there = (specialize(weigh_often, function, weigh=function) for function in (weigh, other))
hits = sum(here.stats.cache_hits.values()) if hasattr(here, "stats") else 0
print(int(here(np.uint64(7), 2)), int(there(np.uint64(7), 2)), hits)
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small package, the core of kernels and a toy room with one; its code is compiled and kept."""
    house = tmp_path_factory.mktemp("compiled")
    package = copy_core(
        house,
        "core/text/sentence.py",
        "core/contract/__init__.py",
        "core/errors.py",
        "core/compiled/packed.py",
    )
    toy = package / "games" / "toy"
    toy.mkdir(parents=True)
    for folder in (toy.parent, toy):
        (folder / "__init__.py").write_text("")
    (toy / "board.py").write_text(BOARD)
    (toy / "kernel.py").write_text(KERNEL)
    assert ask(house) == [30, 0]
    return house


@pytest.fixture
def house(compiled: Path, tmp_path: Path) -> Path:
    """A copy of the small package, and of its compiled code, to be changed."""
    shutil.copytree(compiled, tmp_path, dirs_exist_ok=True)
    return tmp_path


FORKING = """
import json, os, sys, traceback
import numba  # hangs on no file of the package, and takes most of the time
for request in sys.stdin:
    variables, program, said = json.loads(request)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.environ.update(variables)
    sys.path.insert(0, variables["PYTHONPATH"])
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1), os.dup2(file, 2)
    status = 1
    try:
        exec(program, {})
        status = 0
    except Exception:
        traceback.print_exc()
    sys.stdout.flush(), sys.stderr.flush()
    os._exit(status)
"""


@cache
def numba_process() -> subprocess.Popen[str]:
    """A process that has imported Numba, and forks for each program."""
    return subprocess.Popen(
        [sys.executable, "-B", "-c", FORKING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module", autouse=True)
def _numba_process() -> Iterator[None]:
    yield
    numba_process().communicate()
    numba_process.cache_clear()


def ask(house: Path, program: str = ASK, **settings: str) -> list[int]:
    """The weight of the toy in a process of its own, and whether its code came from the cache."""
    variables = {**toy_variables(house), **settings}
    if any(name.startswith("NUMBA_") for name in settings):  # obeyed by a fresh start alone
        done = captured(sys.executable, "-c", program, env={**os.environ, **variables})
        assert done.returncode == 0, done.stderr
        return list(map(int, done.stdout.split()))
    asked, told = numba_process().stdin, numba_process().stdout
    assert asked and told
    print(json.dumps([variables, program, str(house / "said")]), file=asked, flush=True)
    status, said = told.readline(), (house / "said").read_text()
    assert status == "0\n", said
    return list(map(int, said.split()))


def test_compiled_code_is_kept_from_process_to_process(compiled: Path) -> None:
    assert ask(compiled) == [30, 1]


def test_another_copy_of_the_package_finds_the_compiled_code(compiled: Path, house: Path) -> None:
    shutil.rmtree(house / "cache")
    assert ask(house, XDG_CACHE_HOME=str(compiled / "cache")) == [30, 1]


def test_compiled_code_of_a_user_is_kept_elsewhere(house: Path) -> None:
    """In our folders Numba would not look at the source any more."""
    words = "import numba, trine.games.toy.kernel as kernel\n" + (
        "print(repr(numba.config.CACHE_DIR), repr(numba.config.CACHE_LOCATOR_CLASSES))"
    )
    environment = {**os.environ, **toy_variables(house), "NUMBA_CACHE_DIR": "/mine"}
    done = captured(sys.executable, "-c", words, env=environment)
    assert done.stdout == "'/mine' ''\n", done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "weight"),
    [
        ("games/toy/board.py", "10", "20", 60),
        ("core/compiled/bits.py", "_count(bits))", "_count(bits) + np.uint64(1))", 40),
        ("games/toy/kernel.py", "FACTOR * count", "2 * FACTOR * count", 60),
    ],
)
def test_an_edit_in_any_file_is_never_answered_by_old_code(
    house: Path, file: str, old: str, new: str, weight: int
) -> None:
    path = house / "trine" / file
    stamp = path.stat()
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # not even the time tells
    assert ask(house) == [weight, 0]


@pytest.fixture(scope="module")
def filled_in(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small package with a second room, and a template that is filled in for both, and kept."""
    house = tmp_path_factory.mktemp("filled_in")
    shutil.copytree(compiled, house, dirs_exist_ok=True)
    games = house / "trine" / "games"
    shutil.copytree(games / "toy", games / "other")
    (games / "other" / "board.py").write_text("FACTOR = 1000\n")
    other = games / "other" / "kernel.py"
    other.write_text(other.read_text().replace("games.toy", "games.other"))
    loops = house / "trine" / "loops"
    loops.mkdir()
    (loops / "__init__.py").write_text("")
    (loops / "kernel.py").write_text(TEMPLATE)
    assert ask(house, ASK_OF_TEMPLATE) == [60, 6000, 0]
    return house


@pytest.fixture
def two_rooms(filled_in: Path, tmp_path: Path) -> Path:
    shutil.copytree(filled_in, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_template_is_compiled_for_each_room_and_kept(two_rooms: Path) -> None:
    assert ask(two_rooms, ASK_OF_TEMPLATE) == [60, 6000, 1]
    assert ask(two_rooms, ASK_OF_TEMPLATE, NUMBA_DISABLE_JIT="1") == [60, 6000, 0]


@pytest.mark.parametrize(
    ("file", "old", "new", "weights"),
    [
        ("games/toy/board.py", "10", "20", [120, 6000, 0]),
        ("loops/kernel.py", "weigh(bits) +", "5 * weigh(bits) +", [300, 30_000, 0]),
    ],
)
def test_a_template_is_never_answered_by_old_code(
    two_rooms: Path, file: str, old: str, new: str, weights: list[int]
) -> None:
    path = two_rooms / "trine" / file
    path.write_text(path.read_text().replace(old, new))
    assert ask(two_rooms, ASK_OF_TEMPLATE) == weights


def test_where_nothing_can_be_kept_nothing_is_kept_elsewhere(house: Path) -> None:
    """Elsewhere Numba would look at one file only, and run old code after an edit in another."""
    shutil.rmtree(house / "cache")
    (house / "cache").write_text("a file, no folder")
    assert ask(house) == [30, 0]
    (house / "trine" / "games" / "toy" / "board.py").write_text("FACTOR = 20\n")
    assert ask(house) == [60, 0]
    assert not list(house.rglob("*.nb[ic]"))


def test_code_with_checks_is_other_code(house: Path) -> None:
    assert ask(house, NUMBA_BOUNDSCHECK="1") == [30, 0]


@pytest.mark.parametrize(
    ("triple", "able", "named", "chosen"),
    [
        ("x86_64-unknown-linux-gnu", jit.V3_FEATURES | {"avx512f"}, None, ("x86-64-v3", "")),
        ("x86_64-unknown-linux-gnu", jit.V3_FEATURES - {"avx2"}, None, (None, None)),
        ("x86_64-unknown-linux-gnu", jit.V3_FEATURES, "znver4", ("znver4", None)),
        ("aarch64-unknown-linux-gnu", set(), None, ("generic", "")),
        ("riscv64-unknown-linux-gnu", set(), None, (None, None)),
    ],
)
def test_code_is_compiled_for_a_level_that_the_processor_has(
    monkeypatch: pytest.MonkeyPatch,
    triple: str,
    able: set[str],
    named: str | None,
    chosen: tuple[str | None, str | None],
) -> None:
    processor, config = llvmlite.binding, numba.config
    monkeypatch.setattr(processor, "get_process_triple", lambda: triple)
    monkeypatch.setattr(processor, "get_host_cpu_features", lambda: dict.fromkeys(able, True))
    monkeypatch.setattr(config, "ENABLE_AVX", 1)
    monkeypatch.setattr(config, "CPU_NAME", named)
    monkeypatch.setattr(config, "CPU_FEATURES", None)
    jit.choose_level()
    assert chosen == (config.CPU_NAME, config.CPU_FEATURES)


TAKE = """
from pathlib import Path
import numba
from trine.core.compiled.packed import install
from trine.core.errors import FileError
try:
    install(Path("FILE"))
    print(1)
except FileError as error:
    print(0)
"""


@pytest.fixture(scope="module")
def archive(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("archive") / "kernels-toy.tar.xz"
    imports = "from pathlib import Path\nfrom trine.core.compiled.packed import pack\n"
    ask(compiled, f"{imports}pack(Path({str(file)!r}))")
    return file


def test_code_from_an_archive_is_taken(house: Path, archive: Path) -> None:
    shutil.rmtree(house / "cache")
    assert ask(house, TAKE.replace("FILE", str(archive))) == [1]
    assert ask(house) == [30, 1]


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        pytest.param("numba.__version__ = '0.1'", {}, id="numba"),
        pytest.param("", {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}, id="processor"),
        pytest.param("", {"NUMBA_BOUNDSCHECK": "1"}, id="settings"),
    ],
)
def test_code_for_other_conditions_is_not_taken(
    house: Path, archive: Path, change: str, settings: dict[str, str]
) -> None:
    shutil.rmtree(house / "cache")
    program = TAKE.replace("FILE", str(archive)).replace("import numba", f"import numba\n{change}")
    assert ask(house, program, **settings) == [0]
    assert not list(house.rglob("*.nb[ic]"))


def test_code_of_other_sources_is_not_taken(house: Path, archive: Path) -> None:
    shutil.rmtree(house / "cache")
    (house / "trine" / "games" / "toy" / "board.py").write_text("FACTOR = 20\n")
    assert ask(house, TAKE.replace("FILE", str(archive))) == [0]
    assert ask(house) == [60, 0]


def test_the_same_runs_interpreted(house: Path) -> None:
    shutil.rmtree(house / "cache")
    assert ask(house, NUMBA_DISABLE_JIT="1") == [30, 0]
    assert not list((house / "cache").rglob("*.nbc"))


def test_a_wrong_type_is_refused_when_it_is_compiled(house: Path) -> None:
    path = house / "trine" / "games" / "toy" / "kernel.py"
    path.write_text(path.read_text().replace("return FACTOR * count(bits)", "return (bits, bits)"))
    with pytest.raises(AssertionError, match="Error"):
        ask(house)


def test_folders_that_nobody_uses_any_more_are_removed(tmp_path: Path) -> None:
    old, young, ours = (tmp_path / name for name in ("old", "young", "ours"))
    for folder, age in ((old, jit.MAX_UNUSED_SECONDS + 60), (young, 60)):
        folder.mkdir()
        (folder / "used").touch()
        os.utime(folder / "used", (time.time() - age, time.time() - age))
    (tmp_path / "not-ours").mkdir()
    jit.remove_unused(ours)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["not-ours", "ours", "young"]


PARTS = (
    *("games.arimaa", "games.tzaar", "games.corridor"),
    *("engine.search", "engine.selfplay", "engine.learn"),
)


@pytest.mark.parametrize("part", PARTS)
def test_the_fingerprint_covers_all_that_kernels_import(part: str) -> None:
    import_module(f"trine.{part}")
    covered = {path.relative_to(SOURCE).as_posix() for path in jit.sources(f"trine.{part}")}
    assert any("/kernel" in name for name in covered)
    # The order of terms is in the kernels' own files; these modules compile nothing.
    harmless = {
        *("core/contract", "core/contract/gathered", "core/contract/position"),
        *("core/errors", "core/text/sentence"),
    }
    for name in covered:
        for line in ast.walk(ast.parse((SOURCE / name).read_text(encoding="utf-8"))):
            if isinstance(line, ast.Import):
                assert not any(module.name.startswith("trine") for module in line.names), name
            if not isinstance(line, ast.ImportFrom) or not str(line.module).startswith("trine"):
                continue
            module = str(line.module).replace(".", "/").removeprefix("trine/")
            if f"{module}.py" not in covered and module not in harmless:
                missing = {f"{module}/{each.name}.py" for each in line.names} - covered
                assert not missing, (name, ast.unparse(line))


def test_kernels_of_others_depend_on_all_kernels() -> None:
    """A kernel of `lab/`, or of a test, calls kernels of a game or of the search."""
    import_module("mining.kernel")
    called = {SOURCE / "games/arimaa/kernel/goals.py", SOURCE / "engine/search/kernel/pvs.py"}
    assert called <= set(jit.sources("mining"))


def test_every_part_with_kernels_is_known() -> None:
    compiled = [
        path.relative_to(SOURCE.parent).with_suffix("")
        for path in SOURCE.rglob("*.py")
        if re.search(r"core\.compiled\.jit import .*\b(kernel|template)\b", path.read_text("utf-8"))
    ]
    parts = {jit.part_of(".".join(path.parts)) for path in compiled}
    assert parts - {"trine.core.compiled"} == {f"trine.{part}" for part in PARTS}
