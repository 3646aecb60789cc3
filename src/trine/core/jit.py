"""Compiling kernels to machine code with Numba: one decorator, and a cache that is never stale.

Numba keeps compiled code on disk, but looks only at the file in which a function stands: after an
edit in another file it would silently run the old code. So the folder of the cache is named after
everything that compiled code can depend on: the sources of all kernels and of what they import,
the versions of Python and Numba, and the settings that change the code. A change anywhere gives a
new folder; folders that nobody has used for a month are removed.

``NUMBA_DISABLE_JIT=1`` runs the same functions interpreted, ``NUMBA_BOUNDSCHECK=1`` with every
index checked.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import llvmlite
import numba
from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = (
    "core/bits.py",
    "core/jit.py",
    "core/zobrist.py",
    "games/*/board.py",
    "games/*/kernel*.py",
)
"""The files that compiled code can depend on, within the package; kernels import nothing else."""
UNUSED_FOR: Final = 30 * 24 * 60 * 60
"""Units: seconds; how long a folder of the cache must have lain unused to be removed. Guess."""


def say_nothing(name: str) -> None:
    """What is done with the names of functions where nobody wants to know them."""


on_compile: Callable[[str], None] = say_nothing
"""Told the name of each function before it is compiled or fetched from the cache."""


def sources(package: Path = PACKAGE) -> list[Path]:
    """The files that compiled code can depend on, in a fixed order."""
    return sorted(path for pattern in SOURCES for path in package.glob(pattern))


def fingerprint(files: Iterable[Path], package: Path = PACKAGE) -> str:
    """A short name for all that compiled code can depend on."""
    digest = hashlib.sha256()
    for part in (
        platform.python_version(),
        platform.machine(),
        numba.__version__,
        llvmlite.__version__,
        str(numba.config.BOUNDSCHECK),
        str(numba.config.OPT),
    ):
        digest.update(f"{part}\n".encode())
    for file in files:
        digest.update(f"{file.relative_to(package).as_posix()}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled code is kept: below the user's folder for caches, new for each fingerprint."""
    return user_cache_path("trine") / "kernels" / fingerprint(sources())


def remove_unused(folder: Path) -> None:
    """Remove the neighbours of a cache folder that have not been used for long."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "used").touch()
        for other in folder.parent.iterdir():
            mark = other / "used"
            if (
                other != folder
                and mark.exists()
                and time.time() - mark.stat().st_mtime > UNUSED_FOR
            ):
                shutil.rmtree(other, ignore_errors=True)


def kernel(*signatures: str, **options: Any) -> Callable[[Function], Function]:
    """Compile a function for explicit signatures when its module is imported.

    It runs without the GIL, and its compiled code is kept on disk.
    """

    def compiled(function: Function) -> Function:
        on_compile(f"{function.__module__}.{function.__qualname__}")
        njit = numba.njit(list(signatures), cache=True, nogil=True, error_model="numpy", **options)
        done: Function = njit(function)
        return done

    return compiled


if not numba.config.DISABLE_JIT:
    _folder = cache_folder()
    numba.config.CACHE_DIR = str(_folder)
    remove_unused(_folder)
