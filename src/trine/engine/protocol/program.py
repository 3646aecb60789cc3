"""A subprocess with line-based input and output that may crash, hang, flood or lie.

Three threads read its output and its error stream, and write its input, so that callers never wait
longer than their timeout.
"""

import os
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from threading import Lock, Thread
from typing import IO, Final

from trine.core.errors import FileError, MalformedError, system_words
from trine.core.text.sentence import join, quoted, text, verbatim
from trine.engine.players.player import ForfeitError

MAX_LINE_BYTES: Final = 1 << 16  # bytes; the rest of a longer line is dropped
MAX_UNREAD_LINES: Final = 10_000  # lines; with more unread output the program blocks
TRANSCRIPT_LINES: Final = 300  # lines; a transcript has the last lines, up to this number
MAX_WIDTH: Final = 240  # characters; longer lines of a transcript are cut


def split_command(words: str) -> list[str]:
    """Split a command line as a shell does.

    Raises:
        MalformedError: a quotation mark is not closed, or there is no word.

    >>> split_command("python3 'my engine.py'")
    ['python3', 'my engine.py']
    """
    try:
        command = shlex.split(words)
    except ValueError:
        command = []
    if not command:
        raise MalformedError("{given} is not a command", given=quoted(words))
    return command


class Program:
    """A running program."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program; raises `FileError`."""
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a process group, to kill all its children
            )
        except (OSError, ValueError) as error:
            raise FileError(
                "cannot start {command}: {problem}",
                command=shlex.join(command),
                problem=system_words(error),
            ) from None
        self._transcript: deque[str] = deque(maxlen=TRANSCRIPT_LINES)
        self._lock = Lock()
        self._unread: Queue[str | None] = Queue(MAX_UNREAD_LINES)
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._closing = False
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        self._errors = Thread(target=self._read_errors, args=(process.stderr,), daemon=True)
        self._threads = (
            Thread(target=self._read_output, args=(process.stdout,), daemon=True),
            Thread(target=self._write_input, args=(process.stdin,), daemon=True),
            self._errors,
        )
        for thread in self._threads:
            thread.start()

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    @property
    def transcript(self) -> str:
        """The last lines: ``>`` to the program, ``<`` from it, ``!`` on its error stream."""
        with self._lock:
            return "\n".join(self._transcript)

    def send(self, line: str) -> None:
        self._note(f"> {line}")
        self._outgoing.put(f"{line}\n".encode())

    def receive(self, timeout: float | None) -> str | None:
        """Return the next line, stripped; None after ``timeout`` seconds, empty after `wake`.

        Raises:
            ForfeitError: the program has ended, or has closed its output.
        """
        try:
            line = self._unread.get(timeout=None if timeout is None else max(0.0, timeout))
        except Empty:
            return None
        if line is None:
            self._unread.put(None)  # for further calls
            raise self.forfeit_of_ended()
        return line

    def wake(self) -> None:
        """Make a blocked `receive` return; `receive` never blocks while lines are unread."""
        with suppress(Full):
            self._unread.put_nowait("")

    def forfeit_of_ended(self) -> ForfeitError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)  # the output can be closed shortly before the process ends
        self._errors.join(0.5)  # read the rest of stderr
        code = self._process.poll()
        if code is None:
            message = text("it has closed its output")
        elif code < 0:
            message = text("it was ended by signal {number}", number=-code)
        else:
            message = text("it has ended with code {number}", number=code)
        transcript = self.transcript
        if errors := [line[2:] for line in transcript.splitlines() if line.startswith("! ")]:
            message = join([message, verbatim(f": {quoted(errors[-1])}")], "")
        return ForfeitError(message, transcript)

    def close(self, timeout: float) -> None:
        """Close the program's input, wait for it to exit, then kill it with its child processes."""
        if self._closing:
            return
        self._closing = True
        self._outgoing.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout)
        self._kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)  # a stray grandchild can hold a stream open: do not wait for it

    def _kill(self) -> None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    # --- the threads -----------------------------------------------------------------------------

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            while line := _read_line(stream):
                words = line.decode("utf-8", "replace").strip()
                if words:
                    self._note(f"< {words}")
                    self._put(words)
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Put a line in the queue when it is not full; give up when the program is closed."""
        while not self._closing:
            try:
                self._unread.put(line, timeout=0.1)
                return
            except Full:
                continue

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            while line := _read_line(stream):
                self._note(f"! {line.decode('utf-8', 'replace').rstrip()}")

    def _write_input(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while line := self._outgoing.get():
                stream.write(line)
                stream.flush()

    def _note(self, line: str) -> None:
        with self._lock:
            self._transcript.append(line if len(line) <= MAX_WIDTH else f"{line[:MAX_WIDTH]}…")


def _read_line(stream: IO[bytes]) -> bytes:
    line = stream.readline(MAX_LINE_BYTES)
    rest = line
    while len(rest) == MAX_LINE_BYTES and not rest.endswith(b"\n"):
        rest = stream.readline(MAX_LINE_BYTES)
    return line


class Deadline:
    """A deadline of a number of seconds.

    >>> Deadline(10).left > 9
    True
    """

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Units: seconds; the time left, 0 after the deadline."""
        return max(0.0, self._until - time.monotonic())
