"""Libraries that only some commands need, and the command that installs them."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra, for the way in which this program was installed.

    A checkout that has set itself up has no pip, and a script that adds the extras, all of them.
    """
    house = Path(sys.prefix).parent
    if not Path(sys.prefix, "setup.lock").exists():  # scripts/setup leaves it there
        return f"pip install {shlex.quote(f'trine[{extra}]{_origin()}')}"
    script = house / "scripts" / "extras"
    return shlex.quote(str(script.relative_to(Path.cwd()) if house == Path.cwd() else script))


def _origin() -> str:
    """Return the place of the installed package as pip reads it (PEP 610); empty for an index."""
    try:
        written = distribution("trine").read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    origin = json.loads(written or "{}")
    url: str = origin.get("url", "")
    if vcs := origin.get("vcs_info"):
        url = f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
    return f" @ {url}" if url else ""
