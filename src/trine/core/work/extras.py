"""Optional libraries of some commands, and the command that installs them."""

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra, depending on how this program was installed.

    A checkout with its own environment has no pip, but a script that installs all extras.
    """
    house = Path(sys.prefix).parent
    if not Path(sys.prefix, "setup.lock").exists():  # scripts/setup writes it
        return f"pip install {shlex.quote(f'trine[{extra}]{_origin()}')}"
    script = house / "scripts" / "extras"
    return shlex.quote(str(script.relative_to(Path.cwd()) if house == Path.cwd() else script))


def _origin() -> str:
    """Return the URL of the package's source as pip records it (PEP 610); empty for an index."""
    try:
        written = distribution("trine").read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    origin = json.loads(written or "{}")
    url: str = origin.get("url", "")
    if vcs := origin.get("vcs_info"):
        url = f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
    return f" @ {url}" if url else ""
