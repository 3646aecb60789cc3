"""Files of arrays and of JSON, written atomically."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trine.core.work.files import write_atomically

Arrays = Mapping[str, NDArray[Any]]
Made = TypeVar("Made")


def write_json(file: Path, data: Any) -> None:
    words = json.dumps(data, indent=1) + "\n"
    write_atomically(file, lambda stream: stream.write(words.encode()))


def read_json(file: Path) -> Any:
    """Return the data of a file; None if it is missing or damaged."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_arrays(file: Path, **arrays: ArrayLike) -> None:
    write_atomically(file, lambda stream: np.savez_compressed(stream, **arrays))  # type: ignore[arg-type]


def read_arrays(file: Path, make: Callable[[Arrays], Made]) -> Made | None:
    """Return ``make`` of the arrays of a file; None if it is missing or damaged."""
    try:
        with file.open("rb") as stream, np.load(stream) as data:
            return make(data)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error):
        return None
