"""Reading lines from a terminal, with history, completion and a running clock, or from a pipe."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer
    from prompt_toolkit.document import Document

Candidates = Callable[[str], Iterable[str]]
"""A function from an unfinished line to the completions of its last word."""


class TimeUpError(Exception):
    """The time of the player to move ran out while a line was being typed."""


class LineReader(Protocol):
    """A source of lines."""

    def read(self, prompt: str, left: float = ...) -> str:
        """Return the next line; raises `EOFError` at the end, `TimeUpError` after ``left`` s."""


def at_a_terminal() -> bool:
    """Return whether standard input and output are both a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def forget_typed() -> None:
    """Discard input that was typed at the terminal and not read yet."""
    if sys.stdin is not None and sys.stdin.isatty():
        from termios import TCIFLUSH, tcflush

        tcflush(sys.stdin, TCIFLUSH)


class PipeReader:
    """Lines from a pipe or a file; each is echoed after its prompt, as in a transcript.

    Reading from a pipe cannot be interrupted, so the caller checks the clock after each line.
    """

    def read(self, prompt: str, left: float = float("inf")) -> str:
        print(prompt, end="", flush=True)
        if sys.stdin is None:
            raise EOFError
        # Read as bytes, so that a line that cannot be decoded does not affect later lines.
        line = sys.stdin.buffer.readline().decode("utf-8", "replace")
        if not line:
            print(flush=True)
            raise EOFError
        line = line.strip()
        encoding = sys.stdout.encoding or "utf-8"
        print(line.encode(encoding, "replace").decode(encoding), flush=True)
        return line


class TerminalReader:
    """Lines from a person at a terminal."""

    def __init__(
        self, candidates: Candidates, toolbar: Callable[[], str], history: Path | None = None
    ) -> None:
        self._candidates = candidates
        self._toolbar = toolbar
        self._history = history

    @cached_property
    def _session(self) -> PromptSession[str]:
        # Created for the first line, so that the import does not delay the first board.
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory, InMemoryHistory

        return PromptSession(
            history=FileHistory(str(self._history)) if self._history else InMemoryHistory(),
            completer=_completer(self._candidates),
            complete_while_typing=False,
            refresh_interval=0.5,
        )

    def read(self, prompt: str, left: float = float("inf")) -> str:
        from prompt_toolkit.patch_stdout import patch_stdout

        def watch_the_clock() -> None:
            if left != float("inf"):
                self._session.app.create_background_task(self._interrupt_after(left))

        with patch_stdout(raw=True):
            line = self._session.prompt(
                prompt,
                bottom_toolbar=self._toolbar if self._toolbar() else None,
                pre_run=watch_the_clock,
            )
        return line.strip()

    async def _interrupt_after(self, seconds: float) -> None:
        await asyncio.sleep(max(seconds, 0) + 0.05)
        self._session.app.exit(exception=TimeUpError())


def _completer(candidates: Candidates) -> Completer:
    from prompt_toolkit.completion import Completer, Completion

    class LegalCompleter(Completer):
        """A completer of the last word of the line."""

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterator[Completion]:
            line = document.text_before_cursor
            last = line.rpartition(" ")[2]
            for word in candidates(line):
                yield Completion(word, start_position=-len(last))

    return LegalCompleter()
