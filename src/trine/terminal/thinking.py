"""Waiting for somebody who thinks: one line tells meanwhile what is known, and Ctrl-C hurries."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import Final, TypeVar

from rich.live import Live
from rich.style import Style
from rich.text import Text as RichText

from trine.core.stop import Stop
from trine.core.text import Text, join, text
from trine.search.info import Info, Told
from trine.terminal.screen import Screen, visible

PERIOD: Final = 0.2
"""Units: seconds; how often the line changes. What is done sooner has none. Guess."""
SOON: Final = 1.5
"""Units: seconds; Ctrl-C that comes so soon after another means to stop altogether. Guess."""
TOO_LATE: Final = 2.0
"""Units: seconds; Ctrl-C that comes so soon after a thought was meant to hurry it. Guess."""
ENDING: Final = 1.0
"""Units: seconds; work that is broken off is waited for no longer. Guess."""
MOVE_NOW: Final = text("Ctrl-C makes it move now")
TELL_NOW: Final = text("Ctrl-C makes it tell what it knows now")
WAIT_NO_MORE: Final = text("Ctrl-C: wait no longer")

Result = TypeVar("Result")


class Thinking:
    """Runs what thinks in a thread of its own, so that the person at the screen stays heard."""

    def __init__(self, screen: Screen, *, heeds_pipes: bool = False) -> None:
        """A screen to show it on; ``heeds_pipes``, also where it is none Ctrl-C only hurries."""
        self._screen = screen
        self._heeds_pipes = heeds_pipes
        self._interrupted = -math.inf
        self._began = -math.inf
        self._ended = -math.inf
        """When something ended that could be hurried."""
        self._waiting = False
        self._missed = False
        """Whether a Ctrl-C came when it could no longer hurry anything."""

    @property
    def interrupted(self) -> bool:
        """Whether there has been a Ctrl-C."""
        return self._interrupted > -math.inf

    def run(
        self,
        work: Callable[[Told, Stop], Result],
        beginning: Text | Callable[[], Text],
        show: Callable[[Info], Text] | None = None,
        left: float = math.inf,
        hurry: Text | None = None,
    ) -> Result:
        """Do some work, and show what is told of it.

        Args: ``work`` is given a function to tell what it knows, and a stop, which is set by Ctrl-C
        and when the seconds that are ``left`` are over; ``beginning`` is shown until something is
        told, anew each time if it is a function; ``hurry`` says what Ctrl-C does, until it was
        pressed.

        Raises:
            KeyboardInterrupt: Ctrl-C; at a terminal the first one only stops the work.
        """
        known: list[Info] = []
        future: Future[Result] = Future()

        def told(info: Info) -> None:
            if info.rank == 1:
                known[:] = [info]

        if self._missed:
            self._missed = False
            self._heed_interrupt(self._began)  # of the thought before, which it was meant for
        self._began = began = time.monotonic()
        with Stop().after(left) as stop, ExitStack() as stack:

            def working() -> None:
                try:
                    future.set_result(work(told, stop))
                except BaseException as error:
                    future.set_exception(error)

            # Not of a pool: the end of the program must not wait for a program that hangs.
            Thread(target=working, daemon=True).start()
            live: Live | None = None
            while True:
                try:
                    self._waiting = True
                    if self._missed:  # while the line was written
                        self._missed = False
                        raise KeyboardInterrupt
                    wait([future], None if self._screen.plain else PERIOD)
                    self._waiting = False
                    if future.done():
                        return future.result()
                    if not self._screen.plain:
                        live = live or stack.enter_context(self._line())
                        words = show(known[0]) if show and known else _words(beginning)
                        if hurry and self._interrupted < began:
                            words = join([hurry, words], "; ")
                        self._update(live, words)
                except KeyboardInterrupt:
                    self._waiting = False
                    stop.set()
                    try:
                        self._heed_interrupt(began)
                    except KeyboardInterrupt:
                        wait([future], ENDING)  # no search goes on when the game is over
                        raise

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Inside, at a terminal, Ctrl-C does nothing but hurry what is thought about.

        One that comes too late for that, before what was found is shown, is kept for `missed`.
        """
        if self._screen.plain:
            yield
            return

        def heed(number: int, frame: object) -> None:
            if self._waiting:
                raise KeyboardInterrupt
            self._missed = True

        before = signal.signal(signal.SIGINT, heed)
        try:
            yield
        finally:
            self._ended = time.monotonic()
            signal.signal(signal.SIGINT, before)

    def missed(self) -> bool:
        """Whether there has been a Ctrl-C that was too late to hurry anything; it is forgotten."""
        missed, self._missed = self._missed, False
        if missed:
            self._ended = -math.inf  # the next one is not forgiven
        return missed

    def forgives(self) -> bool:
        """Whether a Ctrl-C at the prompt was meant to hurry what had just ended; only once."""
        ended, self._ended = self._ended, -math.inf
        return time.monotonic() < ended + TOO_LATE

    def _heed_interrupt(self, began: float) -> None:
        """Let the first Ctrl-C pass at a terminal, in work that began at a time."""
        before, self._interrupted = self._interrupted, time.monotonic()
        breaks_off = self._screen.plain and not self._heeds_pipes
        if breaks_off or before > began or self._interrupted < before + SOON:
            raise KeyboardInterrupt

    def _line(self) -> Live:
        return Live(
            console=self._screen.console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def _update(self, live: Live, told: Text) -> None:
        words = self._screen.language.say(told)
        style = Style() if self._screen.bare else Style(dim=True)
        shown = RichText(visible(words), style=style, no_wrap=True, overflow="ellipsis")
        live.update(shown, refresh=True)


def _words(beginning: Text | Callable[[], Text]) -> Text:
    return beginning() if callable(beginning) else beginning
