"""A house that is served by a process of its own, with bots that need no compiling.

``python served.py FOLDER PORT CREDITS DATABASE [bots]`` serves until it is told to stop; with
``bots``, the true ones think; with ``cold``, some are never ready to; with ``free`` nobody is held off. DATABASE is a URL, or empty
for a file in the folder, where ``archive`` is the archive if it is there. The figures are told to
whoever has `TOKEN`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
TOKEN = "figures"
VARIABLE, KEY = "TRINE_KEY", "ab" * 32
"""The key of a house that is not in a folder, which all its processes have."""
FREE = 10**9
"""More than anybody asks for."""


@dataclass
class Served:
    """A house in another process."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(180)


def start(
    folder: Path,
    port: int = 0,
    address_credits: int = 2000,
    *,
    bots: bool = False,
    cold: bool = False,
    free: bool = False,
    database: str = "",
) -> Served:
    from databases import url_in  # not found from here when this is the process itself

    database = database or url_in(folder)
    env = {**os.environ, **({VARIABLE: KEY} if database else {})}
    wishes = {"bots": bots, "cold": cold, "free": free}
    wished = [name for name, wanted in wishes.items() if wanted]
    given = [str(folder), str(port), str(address_credits), database, *wished]
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, __file__, *given],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=env,
        )
    assert process.stdout
    address = process.stdout.readline().strip()
    assert address.startswith("http://"), (folder / "log").read_text()
    return Served(process, address)


@contextmanager
def a_server(
    folder: Path,
    port: int = 0,
    address_credits: int = 2000,
    *,
    bots: bool = False,
    cold: bool = False,
    free: bool = False,
    database: str = "",
) -> Iterator[Served]:
    folder.mkdir(parents=True, exist_ok=True)
    served = start(
        folder, port, address_credits, bots=bots, cold=cold, free=free, database=database
    )
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.stop()
        if served.process.stdout:
            served.process.stdout.close()


def main() -> None:
    sys.path.insert(0, str(TESTS))
    from house.houses import Cold, FirstActions, quick_passwords
    from trine.core.compiled.ahead import Progress
    from trine.house.server import Serving, serve
    from trine.web import guard

    def opened(address: str) -> None:
        print(address, flush=True)

    folder, port, most = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    try:
        archive = folder / "archive"
        serving = Serving(
            folder,
            port=port,
            address_credits=most,
            metrics_token=TOKEN,
            database=sys.argv[4],
            archive=archive if archive.exists() else None,
        )
        bots = None if "bots" in sys.argv else FirstActions()
        if "cold" in sys.argv:
            bots = Cold(Progress(3, 14, 40, 21.5))
        if "free" in sys.argv:
            guard.PLAYER = guard.WATCHER = guard.SOCKETS = FREE
            serving = replace(serving, address_credits=FREE)
        serve(serving, opened, bots, quick_passwords())
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
