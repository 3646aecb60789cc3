"""Waiting for somebody who thinks: one line tells meanwhile what is known, and Ctrl-C hurries."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import ExitStack
from threading import Thread
from typing import Final, TypeVar

from rich.live import Live
from rich.style import Style
from rich.text import Text as RichText

from trine.core.text import Text, text
from trine.search.info import Info, Told
from trine.terminal.screen import Screen, visible

PERIOD: Final = 0.2
"""Units: seconds; how often the line changes. What is done sooner has none. Guess."""
SOON: Final = 1.5
"""Units: seconds; Ctrl-C that comes so soon after another means to stop altogether. Guess."""

Result = TypeVar("Result")


class Thinking:
    """Runs what thinks in a thread of its own, so that the person at the screen stays heard."""

    def __init__(self, screen: Screen, *, heeds_pipes: bool = False) -> None:
        """A screen to show it on; ``heeds_pipes``, also where it is none Ctrl-C only hurries."""
        self._screen = screen
        self._heeds_pipes = heeds_pipes
        self._interrupted = -math.inf

    @property
    def interrupted(self) -> bool:
        """Whether there has been a Ctrl-C."""
        return self._interrupted > -math.inf

    def run(
        self,
        work: Callable[[Told], Result],
        stop: Callable[[], None],
        beginning: Text,
        show: Callable[[Info], Text] | None = None,
        left: Callable[[], float] | None = None,
    ) -> Result:
        """Do some work, and show what is told of it.

        Args: ``work`` is given what it is to tell; ``stop`` lets it end soon, also when the time
        that is ``left`` is up; ``beginning`` is shown until something is told.

        Raises:
            KeyboardInterrupt: Ctrl-C; at a terminal the first one only stops the work.
        """
        known: list[Info] = []
        future: Future[Result] = Future()

        def told(info: Info) -> None:
            if info.rank == 1:
                known[:] = [info]

        def working() -> None:
            try:
                future.set_result(work(told))
            except BaseException as error:
                future.set_exception(error)

        # Not of a pool: the end of the program must not wait for a program that hangs.
        Thread(target=working, daemon=True).start()
        began = time.monotonic()
        with ExitStack() as stack:
            live: Live | None = None
            while True:
                try:
                    wait([future], PERIOD)
                    if future.done():
                        return future.result()
                    if left and left() < 0:
                        stop()
                    if not self._screen.plain:
                        live = live or stack.enter_context(self._line())
                        self._update(live, show(known[0]) if show and known else beginning)
                except KeyboardInterrupt:
                    stop()
                    self._heed_interrupt(began)

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
        if not self.interrupted:
            told = text("Ctrl-C stops; {told}", told=told)
        words = self._screen.language.say(told)
        style = Style() if self._screen.bare else Style(dim=True)
        shown = RichText(visible(words), style=style, no_wrap=True, overflow="ellipsis")
        live.update(shown, refresh=True)
