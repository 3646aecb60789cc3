"""Others' turns while somebody floods a house: each attack is bounded, and ends by itself."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MOST = 600.0
"""Units: milliseconds; twice the aim, which is for a machine that has nothing else to do."""
SLOWER = 5.0
"""How many times as long turns may take as just before, on a machine that is busy already."""
FLOODS = {
    "256 connections that ask for the first page": "--connections 256",
    "a hundred addresses": "--connections 200 --addresses 100",
    "boards that must be drawn": "--connections 32 --path /new/start.svg?game=corridor&Size=19",
    "forms of 600 kB": "--connections 60 --form 600000 --path /account/login",
    "what is not there, and what is refused": "--connections 64 --path /nothing /moderation /game/x",
    "pictures of turns as PNG": "--pictures",
    "guests who want insight": "--insight",
    "control frames in 32 sockets": "--connections 32 --pings",
    "messages in fragments": "--connections 32 --fragments",
}


@pytest.mark.nightly
@pytest.mark.quiet("turns in a flood must not take much longer than just before it")
@pytest.mark.skipif(sys.platform != "linux", reason="has all of 127.0.0.0/8")
@pytest.mark.parametrize("given", FLOODS.values(), ids=FLOODS)
def test_a_flood_holds_nobody_up(given: str) -> None:
    command = [sys.executable, "benchmarks/flood.py", "--seconds", "8", *given.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    told = done.stdout + done.stderr
    quiet, flooded = (float(one) for one in re.findall(r"p99 ([\d.]+)", told))
    assert flooded < max(MOST, SLOWER * quiet), told
