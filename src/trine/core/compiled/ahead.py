"""Ahead-of-time compilation, in parallel background processes.

Each kernel module is compiled in a process once the modules that it calls are compiled; compiled
code is shared through the cache on disk (`trine.core.compiled.jit`). A leader process finds the
modules and distributes them. It ends, with all its processes, when its standard input is closed,
which also happens if this process is killed. All of them ignore Ctrl-C.
"""

import ast
import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing, suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import Final, NamedTuple

from trine.core.errors import CompilingError, FileError, TrineError
from trine.core.text.sentence import Text, text
from trine.core.work.stop import Stop

PACKAGE: Final = Path(__file__).resolve().parents[2]
COMPILER: Final = "trine.core.compiled.jit"  # the module that every compiled module imports
MAX_PROCESSES: Final = 8  # more processes would be idle, since modules depend on each other. Guess
LEAD: Final = "from trine.core.compiled.ahead import lead; lead()"
NICENESS: Final = 5
"""Niceness of background compilation: of a contended core it gets a third, play the rest. Guess."""
READY: Final = "ready"
FAILED: Final = "failed"
"""The first word of a leader's last line after a failure; a pickled `Text` follows."""


ENDED: Final = text("the process that compiles has ended too early")


class CompileProgress(NamedTuple):
    """The progress of a compilation."""

    done: int  # modules
    modules: int
    compiled: int  # functions that were not in the cache
    left: float = 0.0  # seconds; estimated from the modules compiled so far


Show = Callable[[CompileProgress], None]
"""A callback for the progress after each step, called in its own thread."""


class Compilation:
    """A background compilation of modules and of all that they import, at a ``niceness``.

    The compilation begins at `start` or `wait`. Several threads can wait for it.
    """

    def __init__(self, modules: Iterable[str], *, niceness: int = 0) -> None:
        self.progress = CompileProgress(0, 0, 0)
        self.problem: Text | None = None
        """The error once the compilation has ended; None if it succeeded."""
        self._modules = tuple(modules)
        self._niceness = niceness
        self._ended = Stop()
        self._lock = Lock()
        self._leader: subprocess.Popen[str] | None = None
        self._shows: list[Show] = []

    def start(self) -> None:
        with self._lock:
            if self._leader or self._ended.is_set:
                return
            try:
                self._leader = subprocess.Popen(
                    [sys.executable, "-P", "-c", LEAD, str(self._niceness), *self._modules],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,  # so that a terminal's Ctrl-C does not reach it
                )
            except OSError:  # the modules are compiled on import
                self._ended.set()
                return
        Thread(target=self._listen, args=(self._leader,), daemon=True).start()

    @property
    def is_over(self) -> bool:
        return self._ended.is_set

    def wait(self, show: Show | None = None, stop: Stop | None = None) -> bool:
        """Wait until the compilation has ended, or for a stop; return whether it has ended."""
        self.start()
        with (stop or Stop()).child() as either, self._ended.calls(either.set):
            if show:
                self._shows.append(show)
            try:
                either.wait()
            finally:
                if show:
                    self._shows.remove(show)
        return self._ended.is_set

    def close(self) -> None:
        with self._lock:
            self._ended.set()
            leader, self._leader = self._leader, None
        if leader and leader.stdin:
            with suppress(OSError):
                leader.stdin.close()
            leader.wait()

    def _listen(self, leader: subprocess.Popen[str]) -> None:
        assert leader.stdout
        problem: Text | None = ENDED
        with leader.stdout as lines, suppress(ValueError):
            for line in lines:
                match line.split():
                    case [word] if word == READY:
                        problem = None
                    case [word, pickled] if word == FAILED:
                        problem = pickle.loads(bytes.fromhex(pickled))
                    case done, modules, compiled, left:
                        numbers = int(done), int(modules), int(compiled)
                        self.progress = CompileProgress(*numbers, float(left))
                        for show in list(self._shows):
                            show(self.progress)
        if not self._ended.is_set:  # otherwise it was closed
            self.problem = problem
        self._ended.set()


def compile_now(modules: Sequence[str], show: Show | None = None) -> Text | None:
    """Compile modules in other processes, if they are not cached and a cache can be written.

    Returns: the error, if any; the modules are then compiled on import, if at all.
    """
    from trine.core.compiled import jit  # imports Numba, which is needed soon

    if not jit.can_cache() or all(map(jit.is_compiled, modules)):
        return None
    with closing(Compilation(modules)) as compilation:
        compilation.wait(show)
        return compilation.problem


def plan(modules: Iterable[str]) -> dict[str, set[str]]:
    """Return the kernel modules that modules need, each with those to be compiled before it.

    >>> plan(["trine.core.compiled.bits"])
    {'trine.core.compiled.bits': set()}
    """
    needed = sorted(set().union(*(_with_imports(module) for module in modules)))
    kernels = [module for module in needed if _has_kernels(module)]
    return {module: {*_with_imports(module)}.intersection(kernels) - {module} for module in kernels}


def _has_kernels(module: str) -> bool:
    """Return whether importing a module compiles functions: it is in ``compiled`` or ``kernel``."""
    _, *folders, _ = module.split(".")
    return folders[-1:] in (["compiled"], ["kernel"]) and COMPILER in _with_imports(module) - {
        module
    }


@cache
def _with_imports(module: str) -> frozenset[str]:
    """Return a module and everything that it imports, recursively."""
    found, new = {module}, [module]
    while new:
        for other in _imports(new.pop()) - found:
            found.add(other)
            new.append(other)
    return frozenset(found)


@cache
def _imports(module: str) -> frozenset[str]:
    path = _file(module)
    if path is None:
        return frozenset()
    found = set()
    for line in ast.parse(path.read_bytes()).body:
        if isinstance(line, ast.Import):
            found |= {alias.name for alias in line.names}
        elif isinstance(line, ast.ImportFrom) and line.module:
            found |= {line.module, *(f"{line.module}.{alias.name}" for alias in line.names)}
    return frozenset(name for name in found if _file(name))


def _file(module: str) -> Path | None:
    package, *names = module.split(".")
    path = PACKAGE.joinpath(*names)
    if package != PACKAGE.name:
        return None
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if names and file.is_file():
            return file
    return None


def lead() -> None:
    """Compile the modules on the command line at a niceness, and print each step."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_when_orphaned, daemon=True).start()
    niceness, *modules = sys.argv[1:]
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    from trine.core.compiled import jit, packed

    if jit.can_cache() and not all(map(jit.is_compiled, modules)):
        with suppress(FileError, OSError):  # `trine warm` reports why a bundle does not fit
            packed.install_bundled()
    if jit.can_cache() and not all(map(jit.is_compiled, modules)):
        if problem := _compile_all(plan(modules)):
            print(FAILED, pickle.dumps(problem).hex(), flush=True)
            return
        for module in modules:
            jit.mark_compiled(module)
    print(READY, flush=True)


def _exit_when_orphaned() -> None:
    with suppress(OSError, ValueError):
        sys.stdin.read()
    os._exit(0)


def _compile_all(waiting: Mapping[str, set[str]]) -> Text | None:
    """Compile modules in dependency order; return the first error, if any."""
    from trine.core.work.pool import WorkerPool

    left = {module: set(before) for module, before in waiting.items()}
    weights = _weights(waiting)
    running: dict[Future[int], str] = {}
    processes, compiled = min(_cores(), MAX_PROCESSES, len(left)), 0
    sizes = {module: _size(module) for module in waiting}
    began = time.monotonic()
    with closing(WorkerPool(processes)) as pool:
        while left or running:
            ready = [module for module, before in left.items() if not before]
            for module in sorted(ready, key=lambda one: -weights[one])[: processes - len(running)]:
                try:
                    running[pool.submit(partial(_compile, module))] = module
                except BrokenExecutor:
                    return _find_crashing(running.values())
                del left[module]
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                error = future.exception()
                if isinstance(error, BrokenExecutor):
                    return _find_crashing(running.values())
                module = running.pop(future)
                if error:
                    return _problem_of(module, error)
                compiled += future.result()
                for before in left.values():
                    before.discard(module)
            number = len(waiting) - len(left) - len(running)
            rest = sum(sizes[module] for module in [*left, *running.values()])
            speed = (sum(sizes.values()) - rest) / (time.monotonic() - began)
            print(number, len(waiting), compiled, f"{rest / speed:.3g}", flush=True)
    return None


def _find_crashing(modules: Iterable[str]) -> Text:
    """Find the module that crashed its process, by compiling one module at a time."""
    from trine.core.work.pool import WorkerPool

    for module in sorted(modules):
        with closing(WorkerPool(1)) as pool:
            if error := pool.submit(partial(_compile, module)).exception():
                return _problem_of(module, error)
    return ENDED


def _problem_of(module: str, error: BaseException) -> Text:
    if isinstance(error, TrineError):
        return error.text
    problem = f"{type(error).__name__}: {error}"
    return text("{module} cannot be compiled: {problem}", module=module, problem=problem)


def _compile(module: str) -> int:
    """Import a module, and return the number of functions compiled; raises `CompilingError`."""
    from trine.core.compiled import jit

    gc.disable()  # saves a twelfth of the time; this process only compiles, and ends soon
    before = len(jit.compiled)
    import_module(module)
    for name in jit.uncacheable:
        raise CompilingError(
            "the compiled code of {function} cannot be kept{settings}",
            function=name,
            settings=jit.settings(),
        )
    return len(jit.compiled) - before


def _weights(waiting: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the length of each module's critical path, in bytes of source."""
    weights: dict[str, int] = {}

    def weight(module: str) -> int:
        if module not in weights:
            after = (weight(other) for other, before in waiting.items() if module in before)
            weights[module] = _size(module) + max(after, default=0)
        return weights[module]

    return {module: weight(module) for module in waiting}


def _size(module: str) -> int:
    """Return a module's source size in bytes, a rough measure of its compile time."""
    file = _file(module)
    return file.stat().st_size if file else 0


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
