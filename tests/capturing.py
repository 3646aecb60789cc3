"""Programs whose output a test reads at their ends."""

import subprocess
from collections.abc import Mapping
from pathlib import Path


def captured(
    *command: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    lines: str | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; return its exit code and its output."""
    return subprocess.run(
        command,
        cwd=cwd,
        env=env,
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=check,
    )
