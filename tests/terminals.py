"""Commands at a real terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pexpect

from playing import environment
from waiting import PATIENCE

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")


def spawn(
    folder: Path,
    *arguments: str,
    python: tuple[str, ...] = ("-m", "trine"),
    size: tuple[int, int] = (24, 80),
    **variables: str,
) -> pexpect.spawn[str]:
    """Start the command line, or other code, at a terminal with some rows and columns."""
    return pexpect.spawn(
        sys.executable,
        [*python, *arguments],
        cwd=str(folder),
        env=environment(folder / ".home", **variables),
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=size,
    )


def end(child: pexpect.spawn[str]) -> tuple[str, int | None]:
    """Wait for the end of a program; return its last output in plain text, and the exit code."""
    child.expect(pexpect.EOF)
    child.close()
    return ESCAPES.sub("", str(child.before)), child.exitstatus
