"""The commands that stand before Python: trine, scripts/setup, the checks of commits, the locks.

A stand-in for Python and for what is installed keeps these tests to milliseconds. The real setup
is what every run of scripts/test begins with.
"""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from capturing import captured

HOUSE = Path(__file__).resolve().parents[2]
LOCKS = [
    "requirements.lock",
    "requirements-extras.lock",
    "requirements-dev.lock",
    "requirements-docs.lock",
    "scripts/setup.lock",
]
STAND_IN = """#!/bin/sh
pwd -P
for argument; do echo "<$argument>"; done
exit 3
"""


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def run(
    *command: Path | str, cwd: Path, path: Path | str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = os.environ if path is None else {**os.environ, "PATH": str(path)}
    return captured(*command, cwd=cwd, env=environment)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout that was never started, in a path with a space."""
    house = tmp_path / "my games" / "trine"
    house.mkdir(parents=True)
    shutil.copytree(HOUSE / "scripts", house / "scripts")
    for name in ("trine", *(lock for lock in LOCKS if "/" not in lock)):
        shutil.copy(HOUSE / name, house)
    return house


@pytest.fixture
def house(bare: Path) -> Path:
    """A checkout that is set up, with a stand-in for Python and a setup that none should need."""
    executable(bare / ".venv/bin/python", STAND_IN)
    executable(bare / "scripts/setup", "#!/bin/sh\necho needless setup >&2\n")
    shutil.copy(bare / "requirements.lock", bare / ".venv")
    return bare


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A directory for PATH with all that the scripts call, but no Python."""
    directory = tmp_path / "tools"
    directory.mkdir()
    for name in ("cmp", "dirname", "readlink", "rm"):
        found = shutil.which(name)
        assert found is not None
        (directory / name).symlink_to(found)
    return directory


def assert_started(result: subprocess.CompletedProcess[str], cwd: Path, *arguments: str) -> None:
    lines = [str(cwd.resolve()), *(f"<{a}>" for a in ("-P", "-m", "trine", *arguments))]
    assert result.stdout.splitlines() == lines
    assert result.stderr == ""
    assert result.returncode == 3


def test_a_start_with_nothing_to_do_keeps_arguments_and_exit_code(house: Path) -> None:
    assert_started(run("./trine", "two words", "", "*", cwd=house), house, "two words", "", "*")


def test_a_start_from_elsewhere_keeps_the_directory(house: Path, tmp_path: Path) -> None:
    assert_started(run(house / "trine", "x", cwd=tmp_path), tmp_path, "x")
    assert_started(run("my games/trine/trine", cwd=tmp_path), tmp_path)
    assert_started(run("sh", "trine", cwd=house), house)


def test_a_start_through_a_chain_of_links(house: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first dir", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (first / "relative").symlink_to("../my games/trine/trine")
    (second / "absolute").symlink_to(first / "relative")
    (second / "play").symlink_to("absolute")
    assert_started(run(second / "play", cwd=tmp_path), tmp_path)
    assert_started(run("./play", cwd=second), second)
    searched = f"{second}{os.pathsep}{os.environ['PATH']}"
    assert_started(run("env", "play", cwd=tmp_path, path=searched), tmp_path)


def test_a_start_after_a_move(house: Path, tmp_path: Path) -> None:
    moved = house.rename(tmp_path / "moved")
    assert_started(run(moved / "trine", cwd=tmp_path), tmp_path)


@pytest.mark.parametrize("fault", ["no .venv", "no stamp", "another lock", "dead link"])
def test_a_start_with_something_to_do_sets_up_first(
    house: Path, tmp_path: Path, fault: str
) -> None:
    python, stamp = house / ".venv/bin/python", house / ".venv/requirements.lock"
    match fault:
        case "no .venv":
            shutil.rmtree(house / ".venv")
        case "no stamp":
            stamp.unlink()
        case "another lock":
            stamp.write_text("rich==0\n")
        case "dead link":
            python.unlink()
            python.symlink_to("/nowhere/python3")
    # The stand-in for setup says what it was asked for, from where, and leaves a whole .venv.
    executable(tmp_path / "python", STAND_IN)
    executable(
        house / "scripts/setup",
        f"""#!/bin/sh
        echo "asked for $1"
        cd "$(dirname "$0")/.." && mkdir -p .venv/bin && rm -f .venv/bin/python
        cp "{tmp_path}/python" .venv/bin/python
        """,
    )
    result = run(house / "trine", cwd=tmp_path)
    assert result.stdout.splitlines()[:2] == ["asked for requirements.lock", str(tmp_path)]
    assert result.returncode == 3


def test_setup_leaves_a_current_venv_alone(house: Path, tools: Path) -> None:
    shutil.copy(HOUSE / "scripts/setup", house / "scripts/setup")
    before = sorted(house.rglob("*"))
    result = run("scripts/setup", "requirements.lock", cwd=house, path=tools)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert sorted(house.rglob("*")) == before


def test_without_python_the_start_says_so(bare: Path, tools: Path) -> None:
    result = run("./trine", cwd=bare, path=tools)
    assert result.returncode == 1
    assert result.stderr == "trine: needs Python 3.11 or newer, with venv; found: no Python\n"


def test_an_old_python_is_named(bare: Path, tools: Path) -> None:
    executable(tools / "python3", "#!/bin/sh\necho 3.9.1 /usr/bin/python3.9\nexit 1\n")
    executable(tools / "python", "#!/bin/sh\necho 2.7.18 /usr/bin/python2.7\nexit 1\n")
    result = run("./trine", cwd=bare, path=tools)
    assert result.returncode == 1
    assert result.stderr.endswith("found: python3 3.9.1, python 2.7.18\n")


def test_a_setup_that_fails_shows_why_and_ends_with_one(bare: Path, tools: Path) -> None:
    # Answers to the questions, and fails when asked for a venv.
    python = tools / "real python3.12"
    executable(
        python,
        f"""#!/bin/sh
        case $* in
          *version*) echo "3.12.0 {python}" ;;
          *flock*) ;;
          *) echo "the disk is full: $*"; exit 28 ;;
        esac
        """,
    )
    (tools / "python3").symlink_to(python)
    result = run("./trine", cwd=bare, path=tools)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "trine: setting up .venv (once) ...",
        "the disk is full: -m venv .venv/.setup",
        "trine: could not set up .venv, see above (it needs the network)",
    ]


def pins(lock: str) -> dict[str, str]:
    lines = (HOUSE / lock).read_text().splitlines()
    found = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", "\n".join(lines), re.MULTILINE))
    assert found
    return found


def test_each_lock_holds_every_pin_of_the_smaller_one() -> None:
    assert pins("requirements.lock").items() < pins("requirements-extras.lock").items()
    assert pins("requirements-extras.lock").items() < pins("requirements-dev.lock").items()


def test_the_extras_hold_what_the_project_names() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    named = [
        re.split(r"[<>=[]", one)[0]
        for extra in project["optional-dependencies"].values()
        for one in extra
    ]
    assert len(named) >= 3
    assert set(named) <= pins("requirements-extras.lock").keys()


def test_the_script_for_extras_asks_setup_for_their_lock(house: Path, tmp_path: Path) -> None:
    executable(house / "scripts/setup", '#!/bin/sh\necho "asked for $*"\n')
    result = run(house / "scripts/extras", cwd=tmp_path)
    assert result.stdout == "asked for requirements-extras.lock\n"


@pytest.mark.parametrize(
    "had", [[], ["requirements-extras.lock"], ["requirements-dev.lock", "requirements-extras.lock"]]
)
def test_who_has_more_keeps_it_after_a_change(house: Path, tools: Path, had: list[str]) -> None:
    shutil.copy(HOUSE / "scripts/setup", house / "scripts/setup")
    for name in ("scripts/setup.lock", *had):
        shutil.copy(house / name, house / ".venv")
    (house / ".venv/requirements.lock").write_text("rich==0\n")
    executable(
        house / ".venv/.setup/bin/uv", '#!/bin/sh\nfor last; do :; done\necho "synced $last"\n'
    )
    executable(tools / "python3", f"#!/bin/sh\necho 3.12.0 {tools}/python3\n")
    (tools / "cp").symlink_to(shutil.which("cp") or "")
    lock = [*had, "requirements.lock"][0]
    result = run("./trine", cwd=house, path=tools)
    assert f"synced {lock}" in result.stdout.splitlines()
    assert result.returncode == 3
    assert_started(run("./trine", cwd=house, path=tools), house)


def test_setup_fetches_uv_alone() -> None:
    assert list(pins("scripts/setup.lock")) == ["uv"]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address_and_no_place(lock: str) -> None:
    text = (HOUSE / lock).read_text()
    assert "://" not in text
    assert not re.search(r"(^|\s)/", text)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=\w)", (HOUSE / lock).read_text())[1:]
    # A library can be pinned twice, for older and newer Pythons.
    assert {re.split("[= ]", entry)[0] for entry in entries} == pins(lock).keys()
    assert all("--hash=sha256:" in entry for entry in entries)


def test_the_locks_hold_what_pyproject_asks_for() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in requirements}

    assert names(project["project"]["dependencies"]) <= pins("requirements.lock").keys()
    for group, needed in project["dependency-groups"].items():
        assert names(needed) <= pins(f"requirements-{group}.lock").keys()


@pytest.fixture
def repository(bare: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own, whoever runs the tests: a git hook, or a user with any settings."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.org")
    git(bare, "init", "--quiet")
    return bare


def git(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True)


def commit(repository: Path, message: str) -> None:
    git(repository, "commit", "--allow-empty", "-m", message)


NO_CHANGE = "Words\n\nNo functional change\n"


@pytest.mark.parametrize(
    ("messages", "named"),
    [
        (["Speed\n\nBench: arimaa 12345\n"], ""),
        (["Speed\n\nBench: arimaa 1 tzaar 2 corridor 3\n"], ""),
        (["Words\n\nNo functional change\n\nReviewed-by: A <a@example.org>\n"], ""),
        (["Words\n", NO_CHANGE], ""),  # only the newest commit is asked
        (["Words\n"], "Words"),
        (["Words, of which No functional change is part\n"], "Words, of which No functional"),
        (["Speed\n\nBench: arimaa many\n"], "Speed"),
    ],
)
def test_a_commit_that_does_not_say_what_it_did_is_named(
    repository: Path, messages: list[str], named: str
) -> None:
    for message in messages:
        commit(repository, message)
    result = run("scripts/check-trailer", cwd=repository)
    if not named:
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        return
    assert result.returncode == 1
    assert named in result.stderr
    assert "needs a line 'Bench: arimaa N ...' or 'No functional change'" in result.stderr


def test_a_merge_is_not_asked(repository: Path) -> None:
    commit(repository, NO_CHANGE)
    git(repository, "checkout", "-b", "side")
    commit(repository, f"More {NO_CHANGE}")
    git(repository, "checkout", "-")
    git(repository, "merge", "--no-ff", "-m", "Merge side", "side")
    assert run("scripts/check-trailer", cwd=repository).returncode == 0


@pytest.mark.parametrize(
    ("claims", "bench", "code", "said"),
    [
        (["Bench: arimaa 1 tzaar 2", "Bench: arimaa 3 tzaar 4"], "arimaa 3 tzaar 4", 0, []),
        (
            ["Bench: arimaa 3 tzaar 4"],
            "arimaa 5 tzaar 4",
            1,
            ["prints 'Bench: arimaa 5 tzaar 4'", "\"Faster 1\" claims 'Bench: arimaa 3 tzaar 4'"],
        ),
        (["Bench: arimaa 3"], "", 4, ["broken\n"]),
        (["Bench: arimaa many"], "", 0, ["there is no commit with a line 'Bench: arimaa N ...'"]),
    ],
    ids=["the newest claim", "nobody's claim", "a bench that fails", "no claim"],
)
def test_the_bench_is_compared_with_the_newest_claim(
    repository: Path, claims: list[str], bench: str, code: int, said: list[str]
) -> None:
    for number, claim in enumerate(claims, 1):
        commit(repository, f"Faster {number}\n\n{claim}\n")
    commit(repository, NO_CHANGE)
    # A stand-in for trine knows nothing but its bench.
    knows = f'[ "$*" = bench ] && echo "Bench: {bench}"' if bench else "echo broken >&2\nexit 4"
    executable(repository / "trine", f"#!/bin/sh\n{knows}\n")
    result = run("scripts/check-bench", cwd=repository)
    assert (result.returncode, result.stdout) == (code, "")
    assert [words for words in said if words not in result.stderr] == []
    assert said or result.stderr == ""


def test_a_history_that_is_cut_off_before_the_claim_is_told(
    repository: Path, tmp_path: Path
) -> None:
    commit(repository, "Stronger\n\nBench: arimaa 3\n")
    git(repository, "add", "scripts")
    commit(repository, "Words\n\nNo functional change\n")
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    result = run("scripts/check-bench", cwd=tmp_path / "shallow")
    assert result.returncode == 0
    assert "the history is cut off before a commit with a line" in result.stderr
