"""Files of choices: turns of strong players, each among other turns of the same position."""

from __future__ import annotations

from pathlib import Path

from trine.learn.choices import Choices
from trine.learn.whole_files import read_arrays, write_arrays


def write_choices(file: Path, choices: Choices) -> None:
    """Write the file, whole or not at all."""
    write_arrays(
        file,
        rows=choices.rows,
        sizes=choices.sizes,
        players=choices.players,
        games=choices.games,
    )


def read_choices(file: Path) -> Choices | None:
    """Return the choices of a file; None if it is missing, or was damaged by a power cut."""
    return read_arrays(
        file, lambda data: Choices(data["rows"], data["sizes"], data["players"], data["games"])
    )
