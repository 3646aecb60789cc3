"""`trine perft`, `bench` and `warm`."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from capturing import captured
from playing import run_trine


def test_counts_are_printed(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "perft", "tzaar", "--setup", "fixed", "--depth", "2")
    assert done.stdout.startswith("nodes 1,797   seconds ")


OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"


def test_a_split_adds_up(tmp_path: Path) -> None:
    options = ("--size", "3", "--depth", "2", "--split", "--json")
    done = run_trine(tmp_path, "perft", "corridor", *options)
    found = json.loads(done.stdout)
    assert found["game"] == "corridor/quoridor"
    assert found["nodes"] == sum(found["split"].values())
    assert {"seconds", "nodes_per_second", "depth", "position"} <= found.keys()


def test_positions_and_threads(tmp_path: Path) -> None:
    position = "quoridor 9 2 e2,e8 d3h,f5v 9,9 1"
    counted = {
        json.loads(run_trine(tmp_path, *options, "--depth", "3", "--json").stdout)["nodes"]
        for options in (
            ("perft", "corridor", "--position", position),
            ("perft", "corridor", "--position", position, "--threads", "2", "--every-leaf"),
        )
    }
    assert len(counted) == 1 and counted.pop() > 1_000_000


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("arimaa", "--position", OPENING, "--depth", "1"), "nodes 3,353 "),
        (("arimaa",), "nodes 64,864,800 "),  # the setups of a side
        (("tzaar", "--json"), '"nodes": 42,'),
    ],
)
def test_whole_turns_are_counted(options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run_trine(tmp_path, "perft", *options, "--turns")
    assert done.stderr == ""
    assert said in done.stdout


def test_the_signature_is_a_trailer(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "bench")
    assert re.fullmatch(r"Bench: arimaa \d+ tzaar \d+ corridor \d+\n", done.stdout)


def test_where_nothing_can_be_kept_nothing_is_made_ready(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, no folder")
    done = run_trine(tmp_path, "warm", "tzaar", XDG_CACHE_HOME=str(tmp_path / "cache"), status=2)
    assert "compiled code cannot be stored: no file can be created in " in done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("command", [("warm", "tzaar"), ("bench",)])
def test_what_cannot_be_compiled_is_said_in_a_sentence(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    """Without optimisation Numba can keep no code, so nothing would be ready after all."""
    house = {"NUMBA_OPT": "0", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = captured(sys.executable, "-P", "-m", "trine", *command, env=os.environ | house)
    said = r"trine: the compiled code of \S+ cannot be kept \(NUMBA_OPT=0\)\n"
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(said, done.stderr)


def test_kernels_are_made_ready_ahead(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "warm", "tzaar")
    assert re.fullmatch(r"TZAAR: ready after \d+\.\d s\n", done.stdout)
