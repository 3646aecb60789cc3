"""A session of an engine, common to all protocols: a game, a play, a thinker, an exit code."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from trine.core.contract import Room
from trine.core.errors import FileError, TrineError, system_words
from trine.core.play import Play
from trine.engine.players.player_factory import PlayerFactory, PlayerResources
from trine.engine.protocol.channel import Channel
from trine.engine.protocol.thinker import Thinker
from trine.games import open_room

ANSWER_TIMEOUT: Final = 12.0
"""Units: seconds; the wait for pending answers after ``quit``. A stopped search answers at once,
but the engine may still be getting ready. Guess."""
QUIT_TIMEOUT: Final = 2.0
"""Units: seconds; the further wait for the engine to stop thinking. Guess."""


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
        self.play: Play | None = None
        """The play to think about next; created on first use."""
        self.status = 0
        """The exit code."""
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
