"""Files of choices: turns of strong players, each among other turns of the same position."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from trine.learn.choices import Choices
from trine.learn.whole_files import write_whole


def write_choices(file: Path, choices: Choices) -> None:
    """Write the file, whole or not at all."""
    write_whole(
        file,
        lambda stream: np.savez_compressed(
            stream,
            rows=choices.rows,
            sizes=choices.sizes,
            players=choices.players,
            games=choices.games,
        ),
    )


def read_choices(file: Path) -> Choices | None:
    """Return the choices of a file; None if it is missing, or was damaged by a power cut."""
    try:
        with file.open("rb") as stream, np.load(stream) as data:
            return Choices(data["rows"], data["sizes"], data["players"], data["games"])
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None
