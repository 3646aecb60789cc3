"""Waiting for somebody who thinks: what is shown meanwhile, and what Ctrl-C does."""

import os
import pty
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, wait
from select import select
from threading import Event

import pytest

from cli.terminal.computers import terminal_screen
from playing import plain_screen, shown
from trine.cli.terminal import thinking as thinking_module
from trine.cli.terminal.opponents import compiling_text
from trine.cli.terminal.thinking import (
    DOUBLE_PRESS_WINDOW,
    LATE_PRESS_WINDOW,
    MOVE_NOW,
    InterruptibleRunner,
)
from trine.core.compiled.ahead import CompileProgress
from trine.core.contract.score import Score
from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import Text, text, verbatim
from trine.core.work.stop import Stop
from trine.engine.search.info import Info, OnInfo
from trine.play.session.seats import bot_display_name
from waiting import wait_until

LONG = 120.0
"""Units: seconds; what comes only after so long has failed."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_progress_of_compiling_is_in_view_at_80_columns(code: str) -> None:
    language = open_language(code)
    progress = CompileProgress(done=123, modules=456, compiled=1, left=7)
    line = f"Silver ({language.say(bot_display_name('bot:10'))}): "
    line += language.say(compiling_text("Arimaa", progress))
    assert line.index("456") < 77


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(thinking_module, "time", clock)
    return clock


@pytest.fixture
def thinking() -> InterruptibleRunner:
    return InterruptibleRunner(terminal_screen()[0])


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class Thinker:
    """Thinks until it is stopped, and can press Ctrl-C when something is shown meanwhile."""

    def __init__(
        self, *, presses: int = 0, heeds: bool = True, shown: Callable[[], bool] = lambda: True
    ) -> None:
        self.stopped = False
        self._ended = Event()
        self._presses, self._heeds, self._shown = presses, heeds, shown

    def think(self, told: OnInfo, stop: Stop) -> str:
        told(Info(2, Score(0), (), 10, 0.1))
        for done in range(self._presses):
            # Two at a time would be one.
            wait_until(lambda done=done: stop.is_set == bool(done))  # type: ignore[misc]
            wait_until(lambda: self._shown())
            interrupt()
        assert (stop if self._heeds else self._ended).wait(LONG)
        self.stopped = stop.is_set
        return "done"

    def think_until_shown(self, told: OnInfo, stop: Stop) -> None:
        wait_until(self._shown)

    def end(self) -> None:
        self._ended.set()


def show(info: Info) -> Text:
    return text("depth {depth} is known", depth=info.depth)


def test_the_result_comes_back_and_errors_too() -> None:
    thinking = InterruptibleRunner(plain_screen())
    assert thinking.run(lambda told, stop: 7, verbatim("")) == 7

    def failing(told: OnInfo, stop: Stop) -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        thinking.run(failing, verbatim(""))


def test_what_is_known_stands_in_one_line_that_vanishes() -> None:
    screen, file = terminal_screen(width=30)
    thinking = InterruptibleRunner(screen)
    thinker = Thinker(presses=1, shown=lambda: "depth 2 is" in file.getvalue())
    thinking.run(thinker.think, verbatim("thinking"), show)
    assert "depth 2 is" in file.getvalue()
    assert file.getvalue().count("\n") <= 2  # cut to the width, never two lines
    assert file.getvalue().rstrip("\x1b[?25h\r\n").endswith("\x1b[2K")  # erased


def test_nothing_is_shown_over_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(told: OnInfo, stop: Stop) -> None:
        assert looked.wait(LONG)

    def look(futures: list[Future[None]], timeout: float | None) -> None:
        """Time for a line has passed; the next time the work is over."""
        if not looked.is_set():
            looked.set()
        else:
            wait(futures, LONG)

    monkeypatch.setattr(thinking_module, "wait", look)
    screens = plain_screen(), terminal_screen()[0]
    for screen in screens:
        looked = Event()
        assert InterruptibleRunner(screen).run(work, verbatim("thinking")) is None
    assert shown(screens[0]) == "" and "thinking" in shown(screens[1])


def test_the_first_ctrl_c_stops_the_thinking_and_what_is_known_counts(
    thinking: InterruptibleRunner,
) -> None:
    thinker = Thinker(presses=1)
    assert thinking.run(thinker.think, verbatim(""), show) == "done"
    assert thinker.stopped
    assert thinking.interrupted


def test_a_ctrl_c_breaks_into_no_waiting_which_holds_a_lock(
    thinking: InterruptibleRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(futures: list[Future[str]], timeout: float | None) -> None:
        if not unbroken:
            interrupt()
            unbroken.append(True)
        wait(futures, timeout)

    unbroken = list[bool]()
    monkeypatch.setattr(thinking_module, "wait", look)
    assert thinking.run(Thinker().think, verbatim("")) == "done"
    assert unbroken


def run_twice(clock: Clock, pause: float) -> Callable[[], object]:
    """Two works of one person who presses Ctrl-C in both."""
    thinking = InterruptibleRunner(terminal_screen()[0])
    first, second = Thinker(presses=1), Thinker(presses=1)

    def run() -> object:
        thinking.run(first.think, verbatim(""))
        clock.now += pause
        return thinking.run(second.think, verbatim(""))

    return run


def test_the_second_ctrl_c_breaks_off_if_it_is_soon_after_the_first(clock: Clock) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_twice(clock, 0.0)()
    assert run_twice(clock, 2 * DOUBLE_PRESS_WINDOW)() == "done"


def test_the_second_ctrl_c_breaks_off_what_does_not_stop(thinking: InterruptibleRunner) -> None:
    thinker = Thinker(presses=2, heeds=False)
    with pytest.raises(KeyboardInterrupt):
        thinking.run(thinker.think, verbatim(""))
    thinker.end()


def test_the_line_says_what_ctrl_c_does_until_it_was_pressed() -> None:
    screen, file = terminal_screen()
    thinking = InterruptibleRunner(screen)
    words = "Ctrl-C: move now; depth 2 is known"
    thinker = Thinker(presses=1, shown=lambda: words in file.getvalue())
    thinking.run(thinker.think, verbatim(""), show, key_hint=MOVE_NOW)
    assert words in file.getvalue()
    before = len(file.getvalue())
    second = Thinker(shown=lambda: "move now" in file.getvalue()[before:])
    thinking.run(second.think_until_shown, verbatim(""), show, key_hint=MOVE_NOW)
    assert "Ctrl-C: move now" in file.getvalue()[before:]


def test_a_ctrl_c_that_is_too_late_is_kept_until_it_is_asked_for(
    thinking: InterruptibleRunner,
) -> None:
    with thinking.interruptible():
        thinking.run(lambda told, stop: None, verbatim(""))
        interrupt()
    assert thinking.take_missed_press()
    assert not thinking.take_missed_press()
    assert not thinking.is_late_press()
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_what_is_typed_while_a_player_thinks_is_forgotten(
    thinking: InterruptibleRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, terminal = pty.openpty()
    with open(person, "wb", 0) as keys, open(terminal) as typed:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", typed)
        keys.write(b"resign\n")
        assert select([typed], [], [], LONG)[0]
        with thinking.interruptible():
            keys.write(b"resign\n")
        assert not select([typed], [], [], 0)[0]


def test_a_ctrl_c_between_two_thoughts_does_not_hurry_the_second(
    thinking: InterruptibleRunner,
) -> None:
    thinker = Thinker(presses=1)
    with thinking.interruptible():
        interrupt()
        assert thinking.run(lambda told, stop: "done", verbatim("")) == "done"
        assert not thinker.stopped
        with pytest.raises(KeyboardInterrupt):  # it came soon after another
            thinking.run(thinker.think, verbatim(""))


def test_a_second_ctrl_c_before_the_next_thought_breaks_off_however_late(
    thinking: InterruptibleRunner, clock: Clock
) -> None:
    thinker = Thinker(presses=1)
    with thinking.interruptible():
        assert thinking.run(thinker.think, verbatim("")) == "done"
        clock.now += 2 * DOUBLE_PRESS_WINDOW
        interrupt()
        with pytest.raises(KeyboardInterrupt):
            thinking.run(lambda told, stop: None, verbatim(""))


def test_one_ctrl_c_soon_after_a_thought_is_forgiven(
    thinking: InterruptibleRunner, clock: Clock
) -> None:
    assert not thinking.is_late_press()
    with thinking.interruptible():
        pass
    assert thinking.is_late_press()
    assert not thinking.is_late_press()
    with thinking.interruptible():
        pass
    clock.now += 2 * LATE_PRESS_WINDOW
    assert not thinking.is_late_press(), "it was not meant for the thought"


@pytest.mark.parametrize("also_over_pipes", [False, True])
def test_over_a_pipe_ctrl_c_ends_the_program_by_default(also_over_pipes: bool) -> None:
    thinking = InterruptibleRunner(plain_screen(), also_over_pipes=also_over_pipes)
    thinker = Thinker(presses=1)
    if also_over_pipes:
        assert thinking.run(thinker.think, verbatim("")) == "done"
    else:
        with pytest.raises(KeyboardInterrupt):
            thinking.run(thinker.think, verbatim(""))


def test_when_the_time_is_up_the_thinking_is_stopped() -> None:
    thinking = InterruptibleRunner(plain_screen())
    assert thinking.run(Thinker().think, verbatim(""), left=0.2) == "done"
