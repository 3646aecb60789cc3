"""Waiting for a thinking player: one line shows its results so far, and Ctrl-C hurries it.

While a clock runs, its time is recorded regularly.

A Ctrl-C meanwhile sets a flag and raises nothing: raised while the lock of the result is being
taken, it would leave that locked for ever.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from typing import Any, Final, TypeVar

from rich.live import Live
from rich.style import Style
from rich.text import Text as RichText

from trine.cli.terminal.reader import forget_typed
from trine.cli.terminal.screen import Screen, visible
from trine.core.text.sentence import Text, join, text
from trine.core.work.stop import Stop
from trine.engine.search.info import Info, OnInfo
from trine.play.session.game import Game

UPDATE_INTERVAL: Final = 0.2
"""Units: seconds; the interval at which the line changes. Shorter work has none. Guess."""
DOUBLE_PRESS_WINDOW: Final = 1.5
"""Units: seconds; a Ctrl-C within this time after another stops the program. Guess."""
LATE_PRESS_WINDOW: Final = 2.0
"""Units: seconds; a Ctrl-C within this time after a thought was meant to hurry it. Guess."""
ABORT_TIMEOUT: Final = 1.0
"""Units: seconds; the longest wait for aborted work to end. Guess."""
HEARTBEAT_INTERVAL: Final = 1.0
"""Units: seconds; the interval of the pulse, and so the most refunded time after a crash."""
MOVE_NOW: Final = text("Ctrl-C makes it move now")
TELL_NOW: Final = text("Ctrl-C makes it tell what it knows now")
WAIT_NO_MORE: Final = text("Ctrl-C: wait no longer")

Result = TypeVar("Result")


class InterruptibleRunner:
    """A runner of thinking in a thread of its own, so that Ctrl-C works meanwhile."""

    def __init__(self, screen: Screen, *, heeds_pipes: bool = False) -> None:
        """Take the screen to show it on; with ``heeds_pipes`` Ctrl-C only hurries in a pipe too."""
        self._screen = screen
        self._heeds_pipes = heeds_pipes
        self._interrupted = -math.inf
        self._began = -math.inf
        self._ended = -math.inf
        """The time at which the last work ended that could be hurried."""
        self._pressed = False
        """Whether there has been a Ctrl-C that has had no effect yet."""

    @property
    def interrupted(self) -> bool:
        return self._interrupted > -math.inf

    def run(
        self,
        work: Callable[[OnInfo, Stop], Result],
        beginning: Text | Callable[[], Text],
        show: Callable[[Info], Text] | None = None,
        left: float = math.inf,
        hurry: Text | None = None,
    ) -> Result:
        """Do some work, and show its results so far.

        Args: ``work`` gets a function to report results, and a stop, which is set by Ctrl-C and
        after ``left`` seconds; ``beginning`` is shown until the first report, and called at each
        update if it is a function; ``hurry`` tells the effect of Ctrl-C, until it is pressed.

        Raises:
            KeyboardInterrupt: Ctrl-C; at a terminal the first one only stops the work.
        """
        last_info: list[Info] = []
        future: Future[Result] = Future()

        def on_info(info: Info) -> None:
            if info.rank == 1:
                last_info[:] = [info]

        self._heed_pressed(self._began)  # at the previous work, which it was meant for
        self._began = began = time.monotonic()
        with self._heeding(), Stop().after(left) as stop, ExitStack() as stack:

            def working() -> None:
                try:
                    future.set_result(work(on_info, stop))
                except BaseException as error:
                    future.set_exception(error)

            # Not from a pool: the end of this program must not wait for a player that hangs.
            Thread(target=working, daemon=True).start()
            live: Live | None = None
            while True:
                wait([future], UPDATE_INTERVAL)
                if self._pressed:
                    stop.set()
                    try:
                        self._heed_pressed(began)
                    except KeyboardInterrupt:
                        wait([future], ABORT_TIMEOUT)  # no search goes on when the game is over
                        raise
                if future.done():
                    return future.result()
                if not self._screen.plain:
                    live = live or stack.enter_context(self._line())
                    if show and last_info:
                        status = show(last_info[0])
                    else:
                        status = beginning() if callable(beginning) else beginning
                    if hurry and self._interrupted < began:
                        status = join([hurry, status], "; ")
                    self._update(live, status)

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Within the block, at a terminal, let Ctrl-C only hurry the thinking.

        One that comes too late for that, before the result is shown, is kept for `missed`. What
        else is typed meanwhile was typed at another position, and is forgotten.
        """
        if self._screen.plain:
            yield
            return

        with self._heeding():
            try:
                yield
            finally:
                self._ended = time.monotonic()
                forget_typed()

    @contextmanager
    def _heeding(self) -> Iterator[None]:
        """Within the block, let a Ctrl-C raise nothing, but be noted."""

        def heed(number: int, frame: object) -> None:
            self._pressed = True

        before = signal.signal(signal.SIGINT, heed)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def missed(self) -> bool:
        """Return whether a Ctrl-C came too late to hurry anything, and forget it."""
        missed, self._pressed = self._pressed, False
        if missed:
            self._ended = -math.inf  # the next one is not forgiven
        return missed

    def forgives(self) -> bool:
        """Return whether a Ctrl-C at the prompt was meant for work that just ended; only once."""
        ended, self._ended = self._ended, -math.inf
        return time.monotonic() < ended + LATE_PRESS_WINDOW

    def _heed_pressed(self, began: float) -> None:
        """Tolerate the first Ctrl-C at a terminal, if any, in work that began at a time."""
        if not self._pressed:
            return
        self._pressed = False
        before, self._interrupted = self._interrupted, time.monotonic()
        breaks_off = self._screen.plain and not self._heeds_pipes
        if breaks_off or before > began or self._interrupted < before + DOUBLE_PRESS_WINDOW:
            raise KeyboardInterrupt

    def _line(self) -> Live:
        return Live(
            console=self._screen.console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def _update(self, live: Live, status: Text) -> None:
        line = self._screen.language.say(status)
        style = Style() if self._screen.bare else Style(dim=True)
        styled = RichText(visible(line), style=style, no_wrap=True, overflow="ellipsis")
        live.update(styled, refresh=True)


@contextmanager
def heartbeat(game: Game[Any], period: float = HEARTBEAT_INTERVAL) -> Iterator[None]:
    """Within the block, record regularly that time passes in a game on the clock."""
    if not game.clock:
        yield
        return
    over = Event()

    def beat() -> None:
        while not over.wait(period):
            game.record_heartbeat()

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
