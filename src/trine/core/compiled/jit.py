"""Compiling kernels to machine code with Numba: one decorator, and a cache that is never stale.

Numba keeps compiled code on disk, but looks only at the file in which a function stands: after an
edit in another file it would silently run the old code. So the kernels of each part of the house,
a room or the search, have a folder named after everything that their code can depend on: the
sources of all kernels of the part and of what they import, the versions of Python and Numba, and
the settings that change the code. A change anywhere gives a new folder; folders that have not been
used for a month are removed.

Code is compiled for a level of processors, not for the very one, so that it can be taken to other
machines (`trine.core.compiled.packed`).

``NUMBA_DISABLE_JIT=1`` runs the same functions interpreted, ``NUMBA_BOUNDSCHECK=1`` with every
index checked.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType
from typing import Any, Final, TypeVar

import llvmlite
import numba
from platformdirs import user_cache_path

from trine.core.errors import CompilingError

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).resolve().parents[2]
SHARED_SOURCES: Final = (
    "core/compiled/arrays.py",
    "core/compiled/bits.py",
    "core/compiled/jit.py",
    "core/compiled/repetition.py",
    "core/compiled/rows.py",
    "core/contract/score.py",
    "core/contract/terms.py",
    "core/compiled/zobrist.py",
)
"""The files that all compiled code can depend on, within the package."""
PART_SOURCES: Final = ("board.py", "kernel*.py", "kernel/*.py")
"""The files that the code of a part can depend on, within the part; kernels import nothing else."""
DEPENDS_ON: Final = {"trine.engine.selfplay": ("trine.engine.search",)}
"""The parts on whose kernels those of a part stand."""
MAX_UNUSED_SECONDS: Final = 30 * 24 * 60 * 60
"""Units: seconds; a folder of the cache that is unused for longer is removed. Guess."""


LEVELS: Final = {"x86_64": "x86-64-v3", "aarch64": "generic", "arm64": "apple-m1"}
"""The processor for which code is compiled, in LLVM's words, by the first word of its triple."""
V3_FEATURES: Final = {
    "avx2",
    "bmi",
    "bmi2",
    "cx16",
    "f16c",
    "fma",
    "lzcnt",
    "movbe",
    "popcnt",
    "sahf",
}
"""The features of x86-64-v3; for a processor that lacks some, code is compiled as for itself.

Source: the psABI of x86-64, "Micro-Architecture Levels", in LLVM's words.
"""

compiled: Final[list[str]] = []
"""The functions that this process has compiled; those found in the cache are not among them."""
uncacheable: Final[list[str]] = []
"""Those of them whose code cannot be kept, as with ``NUMBA_OPT=0``: it holds addresses."""


def part_of(module: str) -> str:
    """Return the part that a module belongs to, a room or a floor: the package of its name.

    >>> part_of("trine.games.arimaa.kernel.rules"), part_of("trine.engine.search.kernel.table")
    ('trine.games.arimaa', 'trine.engine.search')
    """
    package = module.rpartition(".")[0]
    return package.removesuffix(".kernel")


def folder_of(package: str) -> str:
    """Return the folder of a package, which need not have been imported."""
    found = find_spec(package)
    assert found and found.submodule_search_locations, package
    return found.submodule_search_locations[0]


def sources(*parts: str) -> list[Path]:
    """Return the files that the compiled code of parts can depend on, in a fixed order."""
    every = {below for part in parts for below in (part, *DEPENDS_ON.get(part, ()))}
    folders = [Path(folder_of(part)) for part in every]
    own = [path for folder in folders for pattern in PART_SOURCES for path in folder.glob(pattern)]
    return sorted({*own, *(PACKAGE / name for name in SHARED_SOURCES)})


def choose_level() -> None:
    """Have Numba compile for a level, unless a user has named a processor or its features."""
    config, processor = numba.config, llvmlite.binding
    level = LEVELS.get(processor.get_process_triple().partition("-")[0])
    if level == LEVELS["x86_64"]:
        able = {name for name, has in processor.get_host_cpu_features().items() if has}
        level = level if able >= V3_FEATURES and config.ENABLE_AVX else None
    if level and config.CPU_NAME is None and config.CPU_FEATURES is None:
        config.CPU_NAME, config.CPU_FEATURES = level, ""


choose_level()


def conditions() -> dict[str, str]:
    """Return all that compiled code can depend on, besides its sources."""
    config, processor = numba.config, llvmlite.binding
    features = config.CPU_FEATURES
    return {
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "Numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "system": processor.get_process_triple(),
        "processor": config.CPU_NAME or processor.get_host_cpu_name(),
        "features": processor.get_host_cpu_features().flatten() if features is None else features,
        "settings": f"{config.BOUNDSCHECK} {config.OPT}",
    }


def fingerprint(files: Iterable[Path]) -> str:
    """Return a short name for all that compiled code can depend on."""
    digest = hashlib.sha256()
    for part in conditions().values():
        digest.update(f"{part}\n".encode())
    for file in files:
        digest.update(f"{'/'.join(file.parts[-3:])}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder of all compiled code: below the user's folder for caches."""
    return user_cache_path("trine") / "kernels"


@cache
def cache_folder(*parts: str) -> Path | None:
    """Return the folder for code that depends on some parts, or None if none can be written."""
    folder = cache_root() / fingerprint(sources(*parts))
    remove_unused(folder)
    return folder if can_be_written(folder) else None


def can_cache() -> bool:
    """Return whether functions are compiled here, and their code can be kept."""
    return not numba.config.DISABLE_JIT and can_be_written(cache_root())


def is_compiled(module: str) -> bool:
    """Return whether `mark_compiled` has noted that all code that a module needs is kept."""
    folder = cache_folder(part_of(module))
    return folder is not None and (folder / f"{module}.ready").exists()


def mark_compiled(module: str) -> None:
    """Note, in the folder of a module's part, that all code that the module needs is kept.

    Limits: a module must need no kernels but those of its part, of what this stands on, and of the
        core.
    """
    if folder := cache_folder(part_of(module)):
        with suppress(OSError):
            (folder / f"{module}.ready").touch()


def can_be_written(folder: Path) -> bool:
    """Return whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def remove_unused(folder: Path) -> None:
    """Remove the siblings of a cache folder that have been unused for `MAX_UNUSED_SECONDS`."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "used").touch()
        for other in folder.parent.iterdir():
            mark = other / "used"
            if (
                other != folder
                and mark.exists()
                and time.time() - mark.stat().st_mtime > MAX_UNUSED_SECONDS
            ):
                shutil.rmtree(other, ignore_errors=True)


class CacheLocator:
    """The place in which Numba keeps the compiled code of one function.

    Numba's own places are named after the absolute path of the source. The folder of a part is
    named after all that its code depends on, so every copy of the same package can share it:
    checkouts, an installed wheel.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._file = Path(file)
        self._py_file = file  # Numba names it when it warns that code cannot be kept
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> CacheLocator:
        """The place of a function, as Numba asks for it."""
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(Path(numba.config.CACHE_DIR) / self._file.parent.name)

    def get_source_stamp(self) -> str:
        """A value that changes with the source: none is needed besides the folder."""
        return ""

    def get_disambiguator(self) -> str:
        """A value that tells functions of one name in one file apart: the line."""
        return str(self._line)


@contextmanager
def cached_in(folder: Path | None) -> Iterator[None]:
    """Have Numba keep code in a folder within the block; a user's own code stays elsewhere."""
    config = numba.config
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    if folder:
        config.CACHE_DIR = str(folder)
        config.CACHE_LOCATOR_CLASSES = f"{__name__}.{CacheLocator.__name__}"
    try:
        yield
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


COUNT_REFERENCES: Final = bool(numba.config.BOUNDSCHECK)
"""Whether Numba counts references to arrays. Kernels make and keep no arrays, and counting takes up
to two thirds of their time; but an error at an index needs it."""


def kernel(*signatures: Any, **options: Any) -> Callable[[Function], Function]:
    """Compile a function for explicit signatures when its module is imported.

    It runs without the GIL, and its compiled code is kept on disk if possible. It must not make
    arrays.
    """

    def compile_or_fetch(function: Function) -> Function:
        return compiled_for(function, signatures, options, part_of(function.__module__))

    return compile_or_fetch


def kernel_only(*signatures: Any, **options: Any) -> Callable[[Function], Function]:
    """Compile a function that only kernels call: as `kernel` does, in a tenth less time.

    Limits: Python must not call it; where it is not interpreted, that breaks the process down.
    """
    return kernel(*signatures, no_cpython_wrapper=True, **options)


PLACEHOLDER: Final[Any] = None
"""The placeholder, in the file of a template, of each function that `specialize` replaces."""


def template(*signatures: Any, **options: Any) -> Callable[[Function], Function]:
    """Note the signatures for which `specialize` compiles a function, once for each game."""

    def noted(function: Function) -> Function:
        function.compiled_as = (signatures, options)  # type: ignore[attr-defined]
        return function

    return noted


def specialize(function: Function, room: Callable[..., Any], **names: Any) -> Function:
    """Compile a template for one game: the functions that it calls by some names are the game's.

    So a loop over the functions of a room is written once, and as fast as one in the room itself:
    the compiler can inline the calls, as it cannot if functions are passed as values.

    Args: ``room`` is any compiled function of the room; its module decides where the code is kept.
    """
    signatures, options = function.compiled_as  # type: ignore[attr-defined]
    part = part_of(room.__module__)
    meant = {**function.__globals__, **names}
    meant.pop(function.__name__, None)  # by its own name it calls itself
    own = FunctionType(function.__code__, meant, function.__name__)
    own.__doc__, own.__module__ = function.__doc__, function.__module__
    # Machine code is found by this name, so the names for two games must differ.
    own.__qualname__ = f"{part}.{function.__name__}"
    done = compiled_for(own, signatures, options, part_of(function.__module__), part)
    meant[function.__name__] = done
    return done  # type: ignore[return-value]


def compiled_for(
    function: Function, signatures: tuple[Any, ...], options: dict[str, Any], *parts: str
) -> Function:
    """Compile a function, its code kept with the parts it depends on; raises `CompilingError`."""
    name = f"{function.__module__}.{function.__qualname__}"
    options = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": COUNT_REFERENCES,
        **options,
    }
    folder = None if numba.config.DISABLE_JIT else cache_folder(*parts)
    # Without a folder of ours, Numba would keep the code elsewhere, where it grows stale.
    kept = folder is not None and options["cache"]
    try:
        with cached_in(folder):
            done: Function = numba.njit(list(signatures), **{**options, "cache": kept})(function)
    except Exception as error:  # Numba, and LLVM behind it, raise many kinds
        raise CompilingError(
            "{function} cannot be compiled: {problem}", function=name, problem=_told(error)
        ) from error
    if hasattr(done, "stats") and not sum(done.stats.cache_hits.values()):
        compiled.append(name)
        codes: Any = getattr(done, "overloads", {})
        if kept and any(code.library.has_dynamic_globals for code in codes.values()):
            uncacheable.append(name)
    return done


def _told(error: Exception) -> str:
    """The kind of an error, and the first line of its words, which in Numba can be pages."""
    words = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {words}{settings()}"


def settings() -> str:
    """Return the variables of the environment with which a user has set Numba, in parentheses."""
    given = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if "NUMBA_" in name]
    return f" ({' '.join(given)})" if given else ""


# Kernels are passed to the search as values. Numba calls that experimental; tests check it.
warnings.filterwarnings("ignore", message="First-class function type")
warnings.filterwarnings("ignore", message="Cannot cache compiled function")  # `uncacheable` knows
