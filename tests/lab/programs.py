"""Programs of the lab, run as people run them."""

import subprocess
import sys
from pathlib import Path

from playing import run_in

LAB = Path(__file__).parents[2] / "lab"


def run_lab(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder; nothing it does may end in a traceback."""
    done = run_in(folder, sys.executable, LAB / f"{program}.py", *arguments)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done
