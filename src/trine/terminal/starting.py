"""How this program was started, so that what a person is told to type works."""

from __future__ import annotations

import os
import shlex
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

STARTED_AS: Final = "TRINE_STARTED_AS"
"""The variable of the environment in which the script of a checkout says how it was called."""


def started_as() -> str:
    """The command that starts this program, for a shell: ``trine``, or ``./trine``."""
    given = os.environ.get(STARTED_AS, "trine")
    name = Path(given).name
    found = shutil.which(name)
    with suppress(OSError):
        if found and Path(found).samefile(given):
            return shlex.quote(name)
    return shlex.quote(given)
