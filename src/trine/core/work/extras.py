"""Libraries that only some commands need, and the command that installs them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra, for the way in which this program was installed.

    A checkout that has set itself up has no pip, and a script that adds the extras, all of them.
    """
    house = Path(sys.prefix).parent
    if not Path(sys.prefix, "setup.lock").exists():  # scripts/setup leaves it there
        return f"pip install '.[{extra}]'"
    script = house / "scripts" / "extras"
    return shlex.quote(str(script.relative_to(Path.cwd()) if house == Path.cwd() else script))
