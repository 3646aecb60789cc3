"""The output of an engine: whole lines from any thread, and a log of both directions."""

from __future__ import annotations

import sys
import time
import traceback
from threading import RLock
from typing import TextIO


class Channel:
    """Sends lines of an engine to its controller; both directions are logged, if there is a log.

    >>> Channel(sys.stdout).send("readyok")
    readyok
    """

    def __init__(self, output: TextIO, log: TextIO | None = None) -> None:
        self.lock = RLock()
        """Held while a line is sent; a holder can check a state and send atomically."""
        self._output = output
        self._log = log
        self._began = time.monotonic()

    def send(self, line: str) -> None:
        """Send a line; do nothing if the other end is closed."""
        line = " ".join(line.splitlines())
        with self.lock:
            self._keep(f"< {line}")
            try:
                self._output.write(f"{line}\n")
                self._output.flush()
            except (OSError, ValueError):  # the other end is gone, or the stream closed
                self._keep("! nobody listens")

    def log_received(self, line: str) -> None:
        """Log a line of the controller."""
        with self.lock:
            self._keep(f"> {line}")

    def explain(self, error: BaseException) -> None:
        """Write a traceback to the log, without one to standard error; never to the channel."""
        lines = "".join(traceback.format_exception(error)).rstrip().splitlines()
        with self.lock:
            for line in lines:
                if self._log:
                    self._keep(f"! {line}")
                else:
                    print(line, file=sys.stderr)

    def _keep(self, line: str) -> None:
        if not self._log:
            return
        try:
            self._log.write(f"{time.monotonic() - self._began:10.3f} {line}\n")
            self._log.flush()
        except (OSError, ValueError):  # a full disk must not end a game
            self._log = None
