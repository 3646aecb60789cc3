"""Command lines that start instantly: forks of a process that has loaded the slow modules.

A fork has its own environment, folder, streams and exit code, like any process. Other tests start
real processes, and so cover the rest of a start.
"""

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
"""Units: bytes; the greatest length of a request."""
READY: Final = b"ready"
LOADING: Final = 600
"""Units: seconds; if the kernels are not compiled yet, loading takes a minute or two."""


class Forks:
    """The process that forks for each command line."""

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
        """Run a command line to its end; return its exit code, output and errors.

        Raises:
            TimeoutError: the command takes too long.
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
                pass  # the command did not read all lines

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
        """End the process, and wait for it, so that its CPU time counts among the tests'."""
        self._socket.close()
        self._process.wait()


@cache
def forks() -> Forks:
    made = Forks()
    atexit.register(made.close)
    return made


def load() -> None:
    """Import slow modules that do not depend on the environment: all but the commands themselves."""
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
    for command in COMMANDS.values():
        import_module(f"trine.cli.commands.{command.partition('.')[0]}")
    # Texts of commands are in the user's language, so each fork imports the commands again.
    for module in [name for name in sys.modules if name.startswith("trine.cli.commands")]:
        del sys.modules[module]


def serve(requests: socket.socket) -> None:
    """Fork for each request; return only in the fork, which then runs the command."""
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
    gc.freeze()  # a collection would write to, and so copy, pages that forks share
    with warnings.catch_warnings(), socket.socket(fileno=int(sys.argv[1])) as ours:
        warnings.simplefilter("ignore")  # the threads of libraries are idle
        ours.send(READY)
        serve(ours)
    try:
        runpy.run_module("trine", run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    # A full interpreter shutdown with all these libraries takes longer than most commands.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
