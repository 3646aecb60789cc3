"""Where an engine says things: whole lines, from any thread, and a log of all that was said."""

from __future__ import annotations

import sys
import time
import traceback
from threading import RLock
from typing import TextIO


class Channel:
    """What an engine says to its controller; both sides go to a log, if there is one.

    >>> Channel(sys.stdout).say("readyok")
    readyok
    """

    def __init__(self, output: TextIO, log: TextIO | None = None) -> None:
        self.lock = RLock()
        """Held while something is said; who holds it can look and speak in one."""
        self._output = output
        self._log = log
        self._began = time.monotonic()

    def say(self, line: str) -> None:
        """Say a line; nothing happens where nobody listens any more."""
        line = " ".join(line.splitlines())
        with self.lock:
            self._keep(f"< {line}")
            try:
                self._output.write(f"{line}\n")
                self._output.flush()
            except (OSError, ValueError):  # the other end is gone, or the stream closed
                self._keep("! nobody listens")

    def heard(self, line: str) -> None:
        """Keep in the log what the controller has said."""
        with self.lock:
            self._keep(f"> {line}")

    def explain(self, error: BaseException) -> None:
        """Keep a traceback: in the log, or else on the error stream; never on the channel."""
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
