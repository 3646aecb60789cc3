"""Compiling kernels to machine code with Numba: a decorator, and a cache that is never stale.

Numba caches compiled code on disk, but checks only the file that a function is in: after an edit in
another file it would silently run old code. So the kernels of each part (a game, or the search)
have a cache folder named by a hash of everything that their code depends on: the sources of all
kernels of the part and of what they import, the versions of Python and Numba, and the settings that
change the code. Any change gives a new folder; folders unused for a month are removed.

Code is compiled for a processor level, not for the exact model, so that it can be copied to other
machines (`trine.core.compiled.packed`).

``NUMBA_DISABLE_JIT=1`` runs the functions interpreted, ``NUMBA_BOUNDSCHECK=1`` checks every index.
"""

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
from typing import Annotated, Any, Final, Self, TypeVar, get_args, get_origin, get_type_hints

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import sigutils
from platformdirs import user_cache_path

from trine.core.errors import CompilingError

NUMBA_TYPES: Final[dict[Any, Any]] = {
    bool: types.boolean,
    float: types.float64,
    int: types.int64,
    np.float32: types.float32,
    np.int32: types.int32,
    np.uint64: types.uint64,
    None: types.void,
    type(None): types.void,
}
"""Numba's types for annotations: scalars, and the named tuples that are passed by address."""


def signature_of(function: Callable[..., Any]) -> Any:
    """Return the signature of a function whose arguments and result are all annotated.

    >>> from trine.core.compiled.arrays import Row
    >>> def mover(row: Row, ply: int) -> bool: ...
    >>> signature_of(mover)
    (Array(uint64, 1, 'C', False, aligned=True), int64) -> bool
    """
    hints = get_type_hints(function, include_extras=True)
    result = type_of(hints.pop("return"))
    return result(*map(type_of, hints.values()))


def type_of(hint: Any) -> Any:
    """Return Numba's type for an annotation: scalar, array, function, tuple or named tuple.

    What looks alike in Python and differs in Numba, such as arrays of one and of two dimensions, is
    ``Annotated`` with Numba's type, or with its name.
    """
    if hint in NUMBA_TYPES:
        return NUMBA_TYPES[hint]
    if get_origin(hint) is Annotated:
        (kind,) = hint.__metadata__
        return sigutils._parse_signature_string(kind) if isinstance(kind, str) else kind
    if get_origin(hint) is Callable:
        arguments, result = get_args(hint)
        return types.FunctionType(type_of(result)(*map(type_of, arguments)))
    if get_origin(hint) is tuple:
        return types.BaseTuple.from_types(tuple(map(type_of, get_args(hint))))
    fields = get_type_hints(hint, include_extras=True)
    return types.BaseTuple.from_types(tuple(map(type_of, fields.values())), hint)


Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).resolve().parents[2]
SHARED_SOURCES: Final = (
    "core/compiled/arrays.py",
    "core/compiled/bits.py",
    "core/compiled/jit.py",
    "core/compiled/repetition.py",
    "core/compiled/rows.py",
    "core/contract/score.py",
    "core/contract/heuristics.py",
)
"""The files in the package that all compiled code depends on."""
PART_SOURCES: Final = ("board.py", "kernel*.py", "kernel/*.py")
"""The files of a part that its compiled code depends on; kernels import nothing else."""
DEPENDS_ON: Final = {"trine.engine.selfplay": ("trine.engine.search",)}
"""By part, the parts whose kernels it calls."""
MAX_UNUSED_SECONDS: Final = 30 * 24 * 60 * 60
"""Units: seconds; cache folders unused for longer are removed. Guess."""


LEVELS: Final = {"x86_64": "x86-64-v3", "aarch64": "generic", "arm64": "apple-m1"}
"""LLVM's name of the processor to compile for, by the first word of LLVM's target triple."""
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
"""The features of x86-64-v3, in LLVM's words; processors that lack some get code for their own
model.

Source: the psABI of x86-64, "Micro-Architecture Levels".
"""

compiled: Final[list[str]] = []
"""The functions that this process has compiled; not those loaded from the cache."""
uncacheable: Final[list[str]] = []
"""Compiled functions that cannot be cached, since their code has addresses (``NUMBA_OPT=0``)."""


def part_of(module: str) -> str:
    """Return the part that a module belongs to, a game or a layer: its package, without ``kernel``.

    >>> part_of("trine.games.arimaa.kernel.rules"), part_of("trine.engine.search.kernel.table")
    ('trine.games.arimaa', 'trine.engine.search')
    """
    return module.rpartition(".")[0].removesuffix(".kernel")


def folder_of(package: str) -> str:
    """Return the folder of a package, without importing it."""
    found = find_spec(package)
    assert found and found.submodule_search_locations, package
    return found.submodule_search_locations[0]


def sources(*parts: str) -> list[Path]:
    """Return the files that the compiled code of parts depends on, sorted.

    Kernels outside this package, as of tests or of `lab/`, may call any kernel in it.
    """
    every = {below for part in parts for below in (part, *DEPENDS_ON.get(part, ()))}
    folders = [Path(folder_of(part)) for part in every]
    own = [path for folder in folders for pattern in PART_SOURCES for path in folder.glob(pattern)]
    if any(part.partition(".")[0] != PACKAGE.name for part in every):
        own += PACKAGE.rglob("kernel/*.py")
    return sorted({*own, *(PACKAGE / name for name in SHARED_SOURCES)})


def choose_level() -> None:
    """Set Numba's target to a processor level, unless the user has set a processor or features."""
    config, processor = numba.config, llvmlite.binding
    level = LEVELS.get(processor.get_process_triple().partition("-")[0])
    if level == LEVELS["x86_64"]:
        able = {name for name, has in processor.get_host_cpu_features().items() if has}
        level = level if able >= V3_FEATURES and config.ENABLE_AVX else None
    if level and config.CPU_NAME is None and config.CPU_FEATURES is None:
        config.CPU_NAME, config.CPU_FEATURES = level, ""


choose_level()


def conditions() -> dict[str, str]:
    """Return everything besides its sources that compiled code depends on."""
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
    """Return a short hash of everything that compiled code depends on."""
    digest = hashlib.sha256()
    for part in conditions().values():
        digest.update(f"{part}\n".encode())
    for file in files:
        digest.update(f"{'/'.join(file.parts[-3:])}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    return user_cache_path("trine") / "kernels"


@cache
def cache_folder(*parts: str) -> Path | None:
    """Return the cache folder for code that depends on parts, or None if it cannot be written."""
    folder = cache_root() / fingerprint(sources(*parts))
    remove_unused(folder)
    return folder if can_be_written(folder) else None


def can_cache() -> bool:
    """Return whether functions are compiled, and their code can be cached."""
    return not numba.config.DISABLE_JIT and can_be_written(cache_root())


def is_compiled(module: str) -> bool:
    """Return whether all code that a module needs is cached, as noted by `mark_compiled`."""
    folder = cache_folder(part_of(module))
    return folder is not None and (folder / f"{module}.ready").exists()


def mark_compiled(module: str) -> None:
    """Note in the cache folder of a module's part that all code that the module needs is cached.

    Limits: a module must need no kernels but those of its part, of the parts in `DEPENDS_ON`, and
    of the core.
    """
    if folder := cache_folder(part_of(module)):
        with suppress(OSError):
            (folder / f"{module}.ready").touch()


def can_be_written(folder: Path) -> bool:
    """Return whether files can be written in a folder, which is made if missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def remove_unused(folder: Path) -> None:
    """Remove the siblings of a cache folder that were unused for `MAX_UNUSED_SECONDS`."""
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
    """Numba's ``_CacheLocator`` for one function.

    Numba's own locators use the absolute path of the source. A cache folder of ours is shared by
    all copies of the package: checkouts, an installed wheel.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._file = Path(file)
        self._py_file = file  # Numba mentions it in its warning that code cannot be cached
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Self:
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(Path(numba.config.CACHE_DIR) / self._file.parent.name)

    def get_source_stamp(self) -> str:
        """Return a constant: changed sources change the folder."""
        return ""

    def get_disambiguator(self) -> str:
        """Return the line number, which distinguishes functions of one name in a file."""
        return str(self._line)


@contextmanager
def cached_in(folder: Path | None) -> Iterator[None]:
    """Make Numba cache code in a folder within the block; code of a user's own is not affected."""
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
"""Whether Numba counts references to arrays. Kernels neither make nor keep arrays, and counting
takes up to two thirds of their time; but raising an index error needs it."""


def kernel(*signatures: Any, **options: Any) -> Callable[[Function], Function]:
    """Compile a function at import, for the given signatures or for the one in its annotations.

    The compiled code runs without the GIL, and is cached on disk if possible. The function must not
    allocate arrays.
    """

    def compile_or_fetch(function: Function) -> Function:
        compiled_as = signatures or (signature_of(function),)
        return compiled_for(function, compiled_as, options, part_of(function.__module__))

    return compile_or_fetch


def kernel_only(*signatures: Any, **options: Any) -> Callable[[Function], Function]:
    """Compile a function that only kernels call: like `kernel`, but a tenth faster to compile.

    Limits: a call from Python crashes the process, unless it runs interpreted.
    """
    return kernel(*signatures, no_cpython_wrapper=True, **options)


PLACEHOLDER: Final[Any] = None
"""In templates, the value of each name that `specialize` binds to a function."""


def template(**options: Any) -> Callable[[Function], Function]:
    """Mark a function as a template, to be compiled by `specialize` for each game."""

    def noted(function: Function) -> Function:
        function.compiled_as = ((signature_of(function),), options)  # type: ignore[attr-defined]
        return function

    return noted


def specialize(function: Function, room: Callable[..., Any], **names: Any) -> Function:
    """Specialize a template for one game: bind its placeholders to the game's functions.

    So a loop is written once for all games and is still fast: the compiler can inline the game's
    functions, as it cannot inline function values. The module of ``room``, any compiled function of
    the game, decides the cache folder.
    """
    signatures, options = function.compiled_as  # type: ignore[attr-defined]
    part = part_of(room.__module__)
    meant = {**function.__globals__, **names}
    meant.pop(function.__name__, None)  # recursive calls get the specialized function
    own = FunctionType(function.__code__, meant, function.__name__)
    own.__doc__, own.__module__ = function.__doc__, function.__module__
    # Machine code is found by the function's name, so the name must differ between games.
    own.__qualname__ = f"{part}.{function.__name__}"
    done = compiled_for(own, signatures, options, part_of(function.__module__), part)
    meant[function.__name__] = done
    return done  # type: ignore[return-value]


def compiled_for(
    function: Function, signatures: tuple[Any, ...], options: dict[str, Any], *parts: str
) -> Function:
    """Compile a function; cached until the sources of ``parts`` change. Raises `CompilingError`."""
    name = f"{function.__module__}.{function.__qualname__}"
    options = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": COUNT_REFERENCES,
        **options,
    }
    folder = None if numba.config.DISABLE_JIT else cache_folder(*parts)
    # Without a folder of ours, Numba would cache the code elsewhere, where it becomes stale.
    kept = folder is not None and options["cache"]
    try:
        with cached_in(folder):
            done: Function = numba.njit(list(signatures), **{**options, "cache": kept})(function)
    except Exception as error:  # Numba and LLVM raise many kinds of errors
        raise CompilingError(
            "{function} cannot be compiled: {problem}", function=name, problem=_problem_of(error)
        ) from error
    if hasattr(done, "stats") and not sum(done.stats.cache_hits.values()):
        compiled.append(name)
        codes: Any = getattr(done, "overloads", {})
        if kept and any(code.library.has_dynamic_globals for code in codes.values()):
            uncacheable.append(name)
    return done


def _problem_of(error: Exception) -> str:
    """Return an error's type and first line; Numba's messages can run to pages."""
    words = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {words}{settings()}"


def settings() -> str:
    """Return the environment variables that set Numba's options, in parentheses."""
    given = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if "NUMBA_" in name]
    return f" ({' '.join(given)})" if given else ""


# Passing kernels to the search as values is experimental in Numba; tests cover it.
warnings.filterwarnings("ignore", message="First-class function type")
warnings.filterwarnings("ignore", message="Cannot cache compiled function")  # see `uncacheable`
