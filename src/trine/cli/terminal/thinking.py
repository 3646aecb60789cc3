"""Running a search while a status line shows its progress, and Ctrl-C stops it early.

While a game is on the clock, heartbeats are recorded. During a search Ctrl-C only sets a flag: an
exception raised while the lock of the result is taken would never release it, a deadlock.
"""

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
"""Units: seconds; the interval of updates of the status line; shorter work shows none. Guess."""
DOUBLE_PRESS_WINDOW: Final = 1.5
"""Units: seconds; a second Ctrl-C within this time stops the program. Guess."""
LATE_PRESS_WINDOW: Final = 2.0
"""Units: seconds; a Ctrl-C within this time after a search was meant to stop it. Guess."""
ABORT_TIMEOUT: Final = 1.0  # seconds; the longest wait for a stopped search to end. Guess
HEARTBEAT_INTERVAL: Final = 1.0
"""Units: seconds; the interval of heartbeats, and so the most time refunded after a crash."""
MOVE_NOW: Final = text("Ctrl-C: move now")
TELL_NOW: Final = text("Ctrl-C: show the results so far")
WAIT_NO_MORE: Final = text("Ctrl-C: wait no longer")

Result = TypeVar("Result")


class InterruptibleRunner:
    """Runs a search in its own thread, so that Ctrl-C can stop it."""

    def __init__(self, screen: Screen, *, also_over_pipes: bool = False) -> None:
        """Set the screen of the status line.

        With ``also_over_pipes``, the first Ctrl-C stops only the search over a pipe too.
        """
        self._screen = screen
        self._also_over_pipes = also_over_pipes
        self._interrupted = -math.inf
        self._began = -math.inf
        self._ended = -math.inf
        """The monotonic time when the last search ended that Ctrl-C could stop."""
        self._pressed = False  # whether a Ctrl-C has not been handled yet

    @property
    def interrupted(self) -> bool:
        return self._interrupted > -math.inf

    def run(
        self,
        work: Callable[[OnInfo, Stop], Result],
        beginning: Text | Callable[[], Text],
        show: Callable[[Info], Text] | None = None,
        left: float = math.inf,
        key_hint: Text | None = None,
    ) -> Result:
        """Run a search and show its progress; return its result.

        The function ``work`` gets a function to report results, and a stop, which is set by Ctrl-C
        and after ``left`` seconds; ``beginning`` is shown until the first report, and if it is a
        function it is called at each update; ``key_hint`` is the hint on Ctrl-C, shown until it is
        pressed.

        Raises:
            KeyboardInterrupt: on Ctrl-C; at a terminal the first one only stops the search.
        """
        last_info: list[Info] = []
        future: Future[Result] = Future()

        def on_info(info: Info) -> None:
            if info.rank == 1:
                last_info[:] = [info]

        self._handle_press(self._began)  # a late Ctrl-C for the previous search
        self._began = began = time.monotonic()
        with self._recording_presses(), Stop().after(left) as stop, ExitStack() as stack:

            def working() -> None:
                try:
                    future.set_result(work(on_info, stop))
                except BaseException as error:
                    future.set_exception(error)

            # A daemon thread, not a pool: exiting must not wait for a player that hangs.
            Thread(target=working, daemon=True).start()
            live: Live | None = None
            while True:
                wait([future], UPDATE_INTERVAL)
                if self._pressed:
                    stop.set()
                    try:
                        self._handle_press(began)
                    except KeyboardInterrupt:
                        wait([future], ABORT_TIMEOUT)  # let the search end before the program
                        raise
                if future.done():
                    return future.result()
                if not self._screen.plain:
                    live = live or stack.enter_context(self._line())
                    if show and last_info:
                        status = show(last_info[0])
                    else:
                        status = beginning() if callable(beginning) else beginning
                    if key_hint and self._interrupted < began:
                        status = join([key_hint, status], "; ")
                    self._update(live, status)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Within the block, at a terminal, let Ctrl-C stop only the search.

        `take_missed_press` returns a Ctrl-C after the search, before its result is shown. Other
        input is discarded, because it was typed for another position.
        """
        if self._screen.plain:
            yield
            return

        with self._recording_presses():
            try:
                yield
            finally:
                self._ended = time.monotonic()
                forget_typed()

    @contextmanager
    def _recording_presses(self) -> Iterator[None]:
        """Within the block, let Ctrl-C only set `_pressed`."""

        def record_press(number: int, frame: object) -> None:
            self._pressed = True

        before = signal.signal(signal.SIGINT, record_press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def take_missed_press(self) -> bool:
        """Return whether a Ctrl-C came too late to stop a search; true only once."""
        missed, self._pressed = self._pressed, False
        if missed:
            self._ended = -math.inf  # the next Ctrl-C ends the program
        return missed

    def is_late_press(self) -> bool:
        """Return whether a Ctrl-C at the prompt was meant for the last search; true only once."""
        ended, self._ended = self._ended, -math.inf
        return time.monotonic() < ended + LATE_PRESS_WINDOW

    def _handle_press(self, began: float) -> None:
        """Handle a pending Ctrl-C in a search that began at a time.

        Raises:
            KeyboardInterrupt: it is not the first in this search, or there is no terminal.
        """
        if not self._pressed:
            return
        self._pressed = False
        before, self._interrupted = self._interrupted, time.monotonic()
        ends_program = self._screen.plain and not self._also_over_pipes
        if ends_program or before > began or self._interrupted < before + DOUBLE_PRESS_WINDOW:
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
    """Within the block, record a heartbeat regularly if the game is on the clock."""
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
