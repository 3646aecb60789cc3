"""A house that is served by a process of its own, with bots that need no compiling.

Under pytest it is a fork of a process that has its libraries loaded already; else, for measurements,
``python served.py FOLDER PORT CREDITS DATABASE [bots]``, which serves until it is told to stop; with
``bots``, the true ones think; with ``cold``, some are never ready to; with ``free`` nobody is held off;
with ``plain`` the library that draws PNG is missing. DATABASE is a URL, or empty
for a file in the folder, where ``archive`` is the archive if it is there. The figures are told to
whoever has `TOKEN`.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
LOADED = [
    "trine.house.server",
    *(f"trine.games.{name}" for name in ("arimaa", "corridor", "tzaar")),
    "house.web.warmed",
    *("jinja2.ext", "sqlalchemy.dialects.sqlite", "uvicorn.lifespan.on"),
]
"""All that a house imports when it opens."""
TOKEN = "figures"
VARIABLE, KEY = "TRINE_KEY", "ab" * 32
"""The key of a house that is not in a folder, which all its processes have."""
FREE = 10**9
"""More than anybody asks for."""


@dataclass
class Served:
    process: subprocess.Popen[str] | ForkServerProcess
    address: str

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    @property
    def pid(self) -> int:
        assert self.process.pid
        return self.process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.wait()

    def stop(self) -> int:
        """Ctrl-C; the exit code."""
        os.kill(self.pid, signal.SIGINT)
        return self.wait()

    def wait(self, patience: float = 180) -> int:
        if isinstance(self.process, subprocess.Popen):
            return self.process.wait(patience)
        self.process.join(patience)
        if self.process.exitcode is None:
            self.process.kill()  # whoever has forked it could not end before it does
            raise AssertionError("it does not end")
        return self.process.exitcode

    @property
    def is_over(self) -> bool:
        if isinstance(self.process, subprocess.Popen):
            return self.process.poll() is not None
        return not self.process.is_alive()


def start(
    folder: Path, port: int = 0, address_credits: int = 2000, *, database: str = "", **wishes: bool
) -> Served:
    from databases import place_in  # not found from here when this is the process itself
    from faults import watch_log

    if not database and isinstance(place := place_in(folder), str):
        database = place
    more = {VARIABLE: KEY} if database else {}
    wished = [name for name, wanted in wishes.items() if wanted]
    given = [str(folder), str(port), str(address_credits), database, *wished]
    watch_log(folder / "log")
    begin = _fork if "PYTEST_VERSION" in os.environ else _begin_afresh
    process, address = begin(given, folder / "log", more)
    assert address.startswith("http://"), (folder / "log").read_text()
    return Served(process, address)


def _begin_afresh(
    given: Sequence[str], log: Path, more: Mapping[str, str]
) -> tuple[subprocess.Popen[str], str]:
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, __file__, *given],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, **more},
        )
    assert process.stdout
    return process, process.stdout.readline().strip()


def _fork(
    given: Sequence[str], log: Path, more: Mapping[str, str]
) -> tuple[ForkServerProcess, str]:
    context = get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    listening, telling = context.Pipe(duplex=False)
    process = context.Process(target=_serve_forked, args=(given, log, more, telling))
    process.start()
    telling.close()
    with listening:
        try:
            return process, listening.recv()
        except EOFError:
            return process, ""


def _serve_forked(
    given: Sequence[str], log: Path, more: Mapping[str, str], telling: Connection
) -> None:
    with log.open("a") as errors:
        os.dup2(errors.fileno(), 2)
    os.environ.update(more)
    with telling:
        serve_house(given, telling.send)


@contextmanager
def a_server(
    folder: Path, port: int = 0, address_credits: int = 2000, *, database: str = "", **wishes: bool
) -> Iterator[Served]:
    """A house; wishes are ``bots``, ``cold``, ``free``, ``plain`` and ``club`` (see below)."""
    folder.mkdir(parents=True, exist_ok=True)
    served = start(folder, port, address_credits, database=database, **wishes)
    try:
        yield served
    finally:
        if not served.is_over:
            served.stop()


def serve_house(given: Sequence[str], opened: Callable[[str], None]) -> None:
    """Serve a house as the words of a command line have it, until Ctrl-C."""
    from house.houses import Cold, FirstActions, quick_passwords
    from trine.core.compiled.ahead import CompileProgress
    from trine.house.server import ServeSettings, serve
    from trine.house.web import rate_limits

    folder, port, most = Path(given[0]), int(given[1]), int(given[2])
    try:
        archive = folder / "archive"
        serving = ServeSettings(
            folder,
            port=port,
            address_credits=most,
            metrics_token=TOKEN,
            share_address="club" in given,
            database=given[3],
            archive=archive if archive.exists() else None,
        )
        bots = None if "bots" in given else FirstActions()
        if "cold" in given:
            bots = Cold(CompileProgress(3, 14, 40, 21.5))
        if "plain" in given:
            sys.modules["resvg_py"] = None  # type: ignore[assignment]
        if "free" in given:
            rate_limits.PLAYER_MESSAGES = rate_limits.WATCHER_MESSAGES = FREE
            rate_limits.MAX_SOCKETS = FREE
            serving = replace(serving, address_credits=FREE)
        serve(serving, opened, bots=bots, passwords=quick_passwords())
    except KeyboardInterrupt:
        sys.exit(0)


def _tell(address: str) -> None:
    print(address, flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    serve_house(sys.argv[1:], _tell)
