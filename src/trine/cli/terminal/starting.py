"""The command that started this program, so that the commands it suggests work."""

from __future__ import annotations

import os
import shlex
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

COMMAND_VARIABLE: Final = "TRINE_STARTED_AS"
"""The environment variable in which the script of a checkout passes the name it was called by."""


def program_command() -> str:
    """Return the command that starts this program, for a shell: ``trine``, or ``./trine``."""
    command = os.environ.get(COMMAND_VARIABLE, "trine")
    name = Path(command).name
    on_path = shutil.which(name)
    with suppress(OSError):
        if on_path and Path(on_path).samefile(command):
            return shlex.quote(name)
    return shlex.quote(command)
