"""Programs of the lab, run as people run them."""

import subprocess
import sys
from pathlib import Path

from capturing import captured
from playing import environment

LAB = Path(__file__).parents[2] / "lab"


def run_lab(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder; nothing it does may end in a traceback."""
    done = captured(
        sys.executable,
        LAB / f"{program}.py",
        *arguments,
        cwd=folder,
        env=environment(folder / ".home"),
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done
