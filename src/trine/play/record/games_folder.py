"""The default folder of game records."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from trine.core.errors import FileError


def games_folder() -> Path:
    """Return the folder for games, in the user's data folder; it may not exist yet.

    On Linux it is ``~/.local/share/trine/games``, or below ``XDG_DATA_HOME``.
    """
    return user_data_path("trine", appauthor=False) / "games"


def new_path(game_name: str, now: datetime) -> Path:
    name = f"{game_name}-{now:%Y-%m-%d-%H%M%S}"
    folder = games_folder()
    paths = [folder / f"{name}{tail}.txt" for tail in ("", *(f"-{n}" for n in range(2, 100)))]
    # Two games can begin in the same second.
    return next((path for path in paths if not path.exists()), paths[-1])


def newest_unfinished(*folders: Path) -> Path:
    """Return the newest record of an unfinished game in some folders; raises `FileError`."""
    files = [path for folder in folders for path in folder.glob("*.txt") if path.is_file()]
    records = [path for path in files if _is_unfinished(path)]
    if not records:
        raise FileError(
            "there is no unfinished game, neither in this folder nor in {folder}; name its file",
            folder=str(games_folder()),
        )
    return max(records, key=lambda path: path.stat().st_mtime)


def _is_unfinished(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return content.startswith(b"[Game ") and b"\n[Result " not in content
