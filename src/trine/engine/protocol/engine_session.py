"""A session of an engine, common to all protocols: its output, its settings, a play, a thinker."""

import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from threading import RLock
from typing import Any, Final, TextIO

from trine.core.contract.room import Room
from trine.core.errors import FileError, MalformedError, TrineError, system_words
from trine.core.play import Play
from trine.core.text.sentence import quoted
from trine.engine.players.player import FULL, PlayerFactory, PlayerResources
from trine.engine.protocol.thinker import Thinker
from trine.games import open_room


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
        with self.lock:
            self._keep(f"> {line}")

    def explain(self, error: BaseException) -> None:
        """Write a traceback to the log or, without a log, to standard error; not to the channel."""
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


@dataclass(frozen=True)
class Number:
    """A numeric setting, and its bounds."""

    field: str
    least: int
    most: int

    def parse(self, name: str, value: str) -> int:
        """Read the number; raises `MalformedError` if it is malformed or out of bounds."""
        digits = value.strip()
        if digits.isdecimal() and len(digits) < 20 and self.least <= int(digits) <= self.most:
            return int(digits)
        raise MalformedError(
            "{name}: {given} is no whole number from {least} to {most}",
            name=name,
            given=quoted(value),
            least=self.least,
            most=self.most,
        )


NUMBERS: Final = {
    "hash": Number("hash_mb", 1, 1 << 20),
    "level": Number("level", 1, FULL),
    "seed": Number("seed", 0, (1 << 31) - 1),
}
"""The settings by their names in protocols and on the command line; ``hash`` is in MiB."""


def changed(settings: PlayerResources, name: str, value: str) -> PlayerResources:
    """Return settings with one value changed.

    Raises:
        MalformedError: the value is not a whole number within the bounds.

    >>> changed(PlayerResources(), "hash", "128").hash_mb
    128
    """
    number = NUMBERS[name]
    changes: dict[str, Any] = {number.field: number.parse(name, value)}
    return replace(settings, **changes)


ANSWER_TIMEOUT: Final = 12.0
"""Units: seconds; the wait for pending answers after ``quit``. A stopped search answers at once,
but the engine may still be getting ready. Guess."""
QUIT_TIMEOUT: Final = 2.0  # seconds; the further wait for the engine to stop thinking. Guess


class EngineSession(ABC):
    """The engine's side of a protocol: handles lines, and answers on its channel.

    Guarantee: no line blocks, so lines are answered while the engine thinks.
    """

    def __init__(
        self, channel: Channel, game: str, settings: PlayerResources, factory: PlayerFactory
    ) -> None:
        self.channel = channel
        self.room: Room = open_room(game)
        self.thinker = Thinker(game, settings, factory, self.remark, self.fail, channel.lock)
        self.play: Play | None = None  # the play to think about next; created on first use
        self.status = 0  # the exit code
        self.abandon: Callable[[], None] | None = None
        """Exits the process if the reading thread, which usually does so, is waiting for a line."""
        self.over = False
        self.closed_well = True

    def serve(self, lines: Iterable[str]) -> int:
        """Handle lines until the controller quits, then stop thinking; return the exit code."""
        try:
            for line in lines:
                self.handle(line)
                if self.over:
                    break
            if not self.status:
                self.thinker.finish(ANSWER_TIMEOUT)
                self.break_off()
        finally:
            self.over = True
            self.closed_well = self.thinker.close(QUIT_TIMEOUT)
        return self.status

    def handle(self, line: str) -> None:
        """Handle a line; errors in it are reported on the channel."""
        line = line.strip()
        self.channel.log_received(line)
        if not line:
            return
        try:
            self.answer(line)
        except TrineError as error:
            self.complain(str(error))
        except Exception as error:  # our own error; no traceback on the channel
            self.fail(error)

    def break_off(self) -> None:
        """Abort the thinking without an answer; report the abort if an answer was pending."""
        if self.thinker.drop():
            self.remark("thinking is broken off; no bestmove follows")

    def stop(self, rest: object) -> None:
        """Stop thinking; a late stop is no error, since it can cross the answer."""
        self.thinker.stop()

    def quit(self, rest: object) -> None:
        self.over = True

    def fail(self, error: Exception) -> None:
        """Report an error of our own, and exit: a silent engine would hang games."""
        if self.over:
            return
        self.over, self.status = True, 1
        self.channel.explain(error)
        self.complain(f"{type(error).__name__}: {error}")
        if self.abandon:
            self.abandon()

    @abstractmethod
    def answer(self, line: str) -> None:
        """Answer a non-empty line."""

    @abstractmethod
    def complain(self, words: str) -> None: ...

    @abstractmethod
    def remark(self, words: str) -> None: ...


def open_log(path: Path | None) -> TextIO | None:
    """Open a log for appending; raises `FileError`."""
    if path is None:
        return None
    try:
        return path.open("a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise FileError(
            "cannot write {file}: {problem}", file=str(path), problem=system_words(error)
        ) from None


def standard_lines() -> Iterable[str]:
    """Return the lines of standard input; undecodable bytes become replacement characters."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or ()  # None if it was closed before the start
