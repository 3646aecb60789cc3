"""Compiling ahead: in other processes, heard of, ended with whoever asked for it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capturing import captured
from core.toy_package import copy_core, toy_variables
from playing import HOUSE
from trine.core.compiled.ahead import LEAD, Compilation, plan
from trine.core.work.stop import Stop
from trine.engine.players.player import TREE, thinking_modules
from trine.games import ROOMS
from waiting import PATIENCE, runs, wait_until, wait_until_gone

SOURCE = HOUSE / "src" / "trine"
KERNEL = """
import numpy as np
from trine.core.compiled.bits import count
from trine.core.compiled.jit import kernel

@kernel("int64(uint64)")
def weigh(bits):
    return 10 * count(bits)
"""
ABOVE = """
from trine.core.compiled.jit import kernel
from trine.games.toy.kernel.low import weigh

@kernel("int64(uint64)")
def weigh_twice(bits):
    return 2 * weigh(bits)
"""
SLOW = """
import os, time
from pathlib import Path
from trine.core.compiled.jit import kernel

if os.environ.get("TOY_SLEEPS"):
    Path(os.environ["TOY_SLEEPS"]).write_text(f"{os.getpid()} {os.getppid()}")
    time.sleep(600)
"""
ASK = """
import sys
from trine.core.compiled.ahead import compile_now
told = []
problem = compile_now(["trine.games.toy.compiled"], told.append)
print("numba" in sys.modules and "trine.games.toy.compiled" not in sys.modules)
for progress in told:
    print(*progress)
if problem:
    raise SystemExit(str(problem))
"""
WAIT = """
from trine.core.compiled.ahead import Compilation
compilation = Compilation(["trine.games.toy.compiled"])
compilation.start()
print("started", flush=True)
input()
compilation.close()
print("closed", flush=True)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[int]]]:
    """A small package, and what was told while it was compiled.

    It is the core of kernels, and a toy room whose kernels need each other.
    """
    house = tmp_path_factory.mktemp("made")
    modules = ("compiled/ahead", "compiled/packed", "contract/__init__", "errors", "text/sentence")
    work = ("work/pool", "work/stop")
    package = copy_core(house, *(f"core/{module}.py" for module in (*modules, *work)))
    toy = package / "games" / "toy"
    (toy / "kernel").mkdir(parents=True)
    for folder in (toy.parent, toy, toy / "kernel"):
        (folder / "__init__.py").write_text("")
    (toy / "kernel" / "low.py").write_text(KERNEL)
    (toy / "kernel" / "high.py").write_text(ABOVE)
    (toy / "kernel" / "slow.py").write_text(SLOW)
    (toy / "compiled.py").write_text("from trine.games.toy.kernel import high, slow\n")
    return house, ask(house)


@pytest.fixture
def house(made: tuple[Path, list[list[int]]], tmp_path: Path) -> Path:
    """A copy of the small package, and of its compiled code, to be changed."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    return tmp_path


def environment(house: Path, **settings: str) -> dict[str, str]:
    return {**os.environ, **toy_variables(house), **settings}


def run(house: Path, program: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return captured(sys.executable, "-c", program, env=environment(house, **settings))


def ready(house: Path) -> set[Path]:
    """The notes that all code of a module is kept."""
    return set(house.rglob("*.ready"))


def ask(house: Path) -> list[list[int]]:
    done = run(house, ASK)
    assert done.returncode == 0, done.stderr
    elsewhere, *told = done.stdout.splitlines()
    assert elsewhere == "True"
    for parts_done, parts, _, seconds_left in map(str.split, told):
        assert (float(seconds_left) == 0) == (parts_done == parts), (
            "nothing is left in the end alone"
        )
    return [list(map(int, line.split()[:3])) for line in told]


def test_it_is_compiled_elsewhere_once_and_told_only_if_it_is(
    made: tuple[Path, list[list[int]]], house: Path
) -> None:
    told = made[1]
    done, modules, compiled = told[-1]
    assert done == modules == len(told)
    assert compiled >= 3  # the bits, and the two of the toy
    assert [one[0] for one in told] == list(range(1, modules + 1))
    assert ask(house) == []
    (house / "trine" / "games" / "toy" / "kernel" / "low.py").write_text(KERNEL + "\n")
    assert ask(house)[-1][2] == 2  # the code of the core is as it was


def test_what_cannot_be_compiled_is_named(house: Path) -> None:
    """Ahead, and by whoever imports it then, as one error that a person can read."""
    path, before = house / "trine" / "games" / "toy" / "kernel" / "high.py", ready(house)
    path.write_text(ABOVE.replace("2 * weigh(bits)", "(bits, bits)"))
    said = "trine.games.toy.kernel.high.weigh_twice cannot be compiled: TypingError: "
    for program in (ASK, "import trine.games.toy.kernel.high"):
        done = run(house, program)
        last = done.stderr.splitlines()[-1].removeprefix("trine.core.errors.CompilingError: ")
        assert (done.returncode, last[: len(said)]) == (1, said)
    assert not [note for note in ready(house) - before if note.stem.endswith("high")]


@pytest.mark.nightly
def test_what_cannot_be_kept_is_not_ready_but_works(house: Path) -> None:
    """Without optimisation Numba's code holds addresses of this process, so it keeps none."""
    before = ready(house)
    done = run(house, ASK, NUMBA_OPT="0")
    said = r"the compiled code of trine\.\S+ cannot be kept \(NUMBA_OPT=0\)\n"
    assert re.fullmatch(said, done.stderr) and ready(house) == before
    weigh = "from trine.games.toy.kernel.high import weigh_twice; print(weigh_twice(7))"
    done = run(house, weigh, NUMBA_OPT="0")
    assert (done.stdout, done.stderr) == ("60\n", "")


@pytest.mark.nightly
def test_a_compiler_that_is_killed_is_told_of(house: Path) -> None:
    slow = house / "trine" / "games" / "toy" / "kernel" / "slow.py"
    slow.write_text("import os, trine.core.compiled.jit as jit\nos._exit(9)\n")
    assert "trine.games.toy.kernel.slow cannot be compiled: BrokenProcess" in run(house, ASK).stderr


def test_where_nothing_can_be_kept_nothing_is_begun(house: Path) -> None:
    shutil.rmtree(house / "cache")
    (house / "cache").write_text("a file, no folder")
    assert ask(house) == []


@pytest.mark.parametrize("way", ["close", "kill"])
def test_all_processes_end_with_whoever_asked(house: Path, way: str) -> None:
    mark = house / "processes"
    for note in ready(house):
        note.unlink()
    asking = subprocess.Popen(
        [sys.executable, "-c", WAIT],
        env=environment(house, TOY_SLEEPS=str(mark)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: mark.exists() and len(mark.read_text().split()) == 2)
    processes = mark.read_text().split()
    assert all(map(runs, processes))
    if way == "close":
        said, _ = asking.communicate("\n", timeout=PATIENCE)
        assert said == "started\nclosed\n"
    else:
        asking.kill()
        asking.communicate()
    wait_until_gone(processes)


def test_who_waits_can_be_told_to_wait_no_longer() -> None:
    """Whether it has ended by then or not."""
    compilation, stop = Compilation(["trine.core.compiled.bits"]), Stop()
    stop.set()
    compilation.wait(stop=stop)
    compilation.close()
    assert compilation.wait(stop=Stop())  # what is closed has ended


@pytest.mark.parametrize("game", ROOMS)
def test_the_plan_holds_all_kernels_each_behind_those_it_needs(game: str) -> None:
    modules = plan([*thinking_modules(game), TREE])
    left = dict(modules)
    while left:
        ready = [module for module, before in left.items() if not before & set(left)]
        assert ready  # no circle
        for module in ready:
            del left[module]
    assert {"trine.core.compiled.bits", f"trine.games.{game}.kernel.rules"} <= set(modules)
    assert all(before < set(modules) for before in modules.values())
    assert f"trine.games.{game}.compiled" not in modules  # it holds no kernels of its own


@pytest.mark.parametrize("game", ROOMS)
def test_the_leader_gets_through_what_a_bot_of_each_game_needs(game: str) -> None:
    """It is started as by us; its errors go nowhere then, so nobody would hear of them."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", LEAD, "0", *thinking_modules(game)],
        stdin=subprocess.PIPE,  # it lives as long as this is open
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as leader:
        assert leader.stderr
        complaints = leader.stderr.read()
        assert (leader.wait(), complaints) == (0, "")
