"""Command lines that start at once: forks of a process that has loaded what takes long to load.

A fork is a process like any other, with an environment, a folder, streams and an end of its own. What
a real start does besides is shown by the tests that start one.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Final

HOUSE: Final = Path(__file__).resolve().parent.parent
REQUEST: Final = 1 << 20
"""Units: bytes; the longest request."""
READY: Final = b"ready"
LOADING: Final = 600
"""Units: seconds; on a machine that has not compiled the kernels yet, loading takes a minute or two."""


class Forks:
    """The process that is forked."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": str(HOUSE / "src")},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._socket.settimeout(LOADING)
        assert self._socket.recv(len(READY)) == READY

    def run(
        self,
        arguments: Sequence[str | bytes | Path],
        folder: Path,
        environment: Mapping[str, str],
        lines: bytes,
        timeout: float,
    ) -> tuple[int, bytes, bytes]:
        """Run a command line to its end: its exit code, and what it says.

        Raises:
            TimeoutError: it takes too long.
        """
        request = json.dumps([list(map(os.fsdecode, arguments)), str(folder), dict(environment)])
        ends = [os.pipe() for _ in range(3)]
        (theirs_in, ours_in), (ours_out, theirs_out), (ours_error, theirs_error) = ends
        theirs = [theirs_in, theirs_out, theirs_error]
        said: dict[int, bytes] = {}

        def feed() -> None:
            try:
                with os.fdopen(ours_in, "wb") as stream:
                    stream.write(lines)
            except BrokenPipeError:
                pass  # it has not read everything

        def listen(end: int) -> None:
            with os.fdopen(end, "rb") as stream:
                said[end] = stream.read()

        socket.send_fds(self._socket, [request.encode()], theirs)
        for end in theirs:
            os.close(end)
        threads = [
            Thread(target=feed),
            *(Thread(target=listen, args=[end]) for end in (ours_out, ours_error)),
        ]
        for thread in threads:
            thread.start()
        self._socket.settimeout(timeout)
        try:
            status = int(self._socket.recv(64))
        except TimeoutError:
            self._process.kill()
            forks.cache_clear()
            raise
        for thread in threads:
            thread.join(timeout)
        return status, said[ours_out], said[ours_error]

    def close(self) -> None:
        """Have the process leave, and wait for it, so that its time counts as that of the tests."""
        self._socket.close()
        self._process.wait()


@cache
def forks() -> Forks:
    """The one of this process."""
    made = Forks()
    atexit.register(made.close)
    return made


def load() -> None:
    """Import what takes long and hangs on no environment: all that commands need, but not them."""
    import polib
    import prompt_toolkit

    from trine.cli.commands import COMMANDS
    from trine.engine.players import bot
    from trine.games import ROOMS, open_heuristics, open_kernel
    from trine.play.record import formats

    assert polib and prompt_toolkit and bot and formats
    if find_spec("duckdb"):
        import_module("duckdb")
    for name in ROOMS:
        open_kernel(name)
        open_heuristics(name)
    for command in COMMANDS:
        import_module(f"trine.cli.commands.{command}")
    # Their words are in the language of the user, and so are made in each fork.
    for module in [name for name in sys.modules if name.startswith("trine.cli.commands")]:
        del sys.modules[module]


def serve(requests: socket.socket) -> None:
    """Fork for each request; returns, in the fork, when that is to run."""
    while True:
        request, streams, *_ = socket.recv_fds(requests, REQUEST, 3)
        if not request:
            sys.exit()
        if not (child := os.fork()):
            break
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())
    requests.close()
    arguments, folder, environment = json.loads(request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.argv = ["trine", *arguments]
    encoding, _, errors = environment["PYTHONIOENCODING"].partition(":")
    sys.stdin = open(0, encoding=encoding, errors=errors or "strict")  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, errors=errors or "strict", newline="\n")  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding=encoding, errors="backslashreplace")  # noqa: SIM115


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    load()
    gc.freeze()  # so that forks need not copy what they only look at
    with warnings.catch_warnings(), socket.socket(fileno=int(sys.argv[1])) as ours:
        warnings.simplefilter("ignore")  # threads of libraries do nothing yet
        ours.send(READY)
        serve(ours)
    try:
        runpy.run_module("trine", run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    # Taking a process with all these libraries apart takes longer than most commands.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
