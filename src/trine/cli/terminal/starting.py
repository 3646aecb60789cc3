"""The command that started this program, for the commands that it suggests."""

from __future__ import annotations

import os
import shlex
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

COMMAND_VARIABLE: Final = "TRINE_STARTED_AS"
"""The environment variable that the script of a checkout sets to its own path."""


def program_command() -> str:
    """Return the shell command that starts this program: ``trine`` or ``./trine``."""
    command = os.environ.get(COMMAND_VARIABLE, "trine")
    name = Path(command).name
    on_path = shutil.which(name)
    with suppress(OSError):
        if on_path and Path(on_path).samefile(command):
            return shlex.quote(name)
    return shlex.quote(command)
