"""Waiting for somebody who thinks: what is shown meanwhile, and what Ctrl-C does."""

from __future__ import annotations

import os
import pty
import signal
import sys
import time
from collections.abc import Callable
from select import select
from threading import Event

import pytest

from playing import plain_screen, shown
from terminal.computers import terminal_screen
from trine.core.score import Score
from trine.core.stop import Stop
from trine.core.text import Text, text, verbatim
from trine.search.info import Info, Told
from trine.terminal.thinking import MOVE_NOW, Thinking

LONG = 20.0
"""Units: seconds; what comes only after so long has failed."""


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class Thinker:
    """Thinks until it is stopped, and can press Ctrl-C meanwhile."""

    def __init__(self, *, presses: int = 0, heeds: bool = True) -> None:
        self.stopped = False
        self._ended = Event()
        self._presses, self._heeds = presses, heeds

    def think(self, told: Told, stop: Stop) -> str:
        told(Info(2, Score(0), (), 10, 0.1))
        for _ in range(self._presses):
            time.sleep(0.3)
            interrupt()
        assert (stop if self._heeds else self._ended).wait(LONG)
        self.stopped = stop.is_set
        return "done"

    def think_for_a_moment(self, told: Told, stop: Stop) -> None:
        time.sleep(0.5)

    def end(self) -> None:
        self._ended.set()


def show(info: Info) -> Text:
    return text("depth {depth} is known", depth=info.depth)


def test_the_result_comes_back_and_errors_too() -> None:
    thinking = Thinking(plain_screen())
    assert thinking.run(lambda told, stop: 7, verbatim("")) == 7

    def failing(told: Told, stop: Stop) -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        thinking.run(failing, verbatim(""))


def test_what_is_known_stands_in_one_line_that_vanishes() -> None:
    screen, file = terminal_screen(width=30)
    thinker = Thinker(presses=1)
    Thinking(screen).run(thinker.think, verbatim("thinking"), show)
    assert "depth 2 is" in file.getvalue()
    assert file.getvalue().count("\n") <= 2  # cut to the width, never two lines
    assert file.getvalue().rstrip("\x1b[?25h\r\n").endswith("\x1b[2K")  # erased


def test_nothing_is_shown_over_a_pipe() -> None:
    screen = plain_screen()
    assert Thinking(screen).run(lambda told, stop: time.sleep(0.5), verbatim("x")) is None
    assert shown(screen) == ""


def test_the_first_ctrl_c_stops_the_thinking_and_what_is_known_counts() -> None:
    thinker = Thinker(presses=1)
    thinking = Thinking(terminal_screen()[0])
    assert thinking.run(thinker.think, verbatim(""), show) == "done"
    assert thinker.stopped
    assert thinking.interrupted


def run_twice(wait: float) -> Callable[[], object]:
    """Two works of one person who presses Ctrl-C in both."""
    thinking = Thinking(terminal_screen()[0])
    first, second = Thinker(presses=1), Thinker(presses=1)

    def run() -> object:
        thinking.run(first.think, verbatim(""))
        time.sleep(wait)
        return thinking.run(second.think, verbatim(""))

    return run


def test_the_second_ctrl_c_soon_after_breaks_off() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_twice(0.0)()


def test_a_ctrl_c_long_after_another_is_a_first_one_again() -> None:
    assert run_twice(2.0)() == "done"


def test_the_second_ctrl_c_breaks_off_what_does_not_stop() -> None:
    thinker = Thinker(presses=2, heeds=False)
    with pytest.raises(KeyboardInterrupt):
        Thinking(terminal_screen()[0]).run(thinker.think, verbatim(""))
    thinker.end()


def test_the_line_says_what_ctrl_c_does_until_it_was_pressed() -> None:
    screen, file = terminal_screen()
    thinker = Thinker(presses=1)
    thinking = Thinking(screen)
    thinking.run(thinker.think, verbatim(""), show, hurry=MOVE_NOW)
    assert "Ctrl-C makes it move now; depth 2 is known" in file.getvalue()
    before, second = len(file.getvalue()), Thinker()
    thinking.run(second.think_for_a_moment, verbatim(""), show, hurry=MOVE_NOW)
    assert "Ctrl-C makes it move now" in file.getvalue()[before:]


def test_a_ctrl_c_that_is_too_late_is_kept_until_it_is_asked_for() -> None:
    thinking = Thinking(terminal_screen()[0])
    with thinking.hurried():
        thinking.run(lambda told, stop: None, verbatim(""))
        interrupt()
    assert thinking.missed()
    assert not thinking.missed()
    assert not thinking.forgives()
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_what_is_typed_while_a_player_thinks_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Thinking(terminal_screen()[0])
    person, terminal = pty.openpty()
    with open(person, "wb", 0) as keys, open(terminal) as typed:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", typed)
        keys.write(b"resign\n")
        assert select([typed], [], [], 1)[0]
        with thinking.hurried():
            keys.write(b"resign\n")
        assert not select([typed], [], [], 0)[0]


def test_a_ctrl_c_between_two_thoughts_does_not_hurry_the_second() -> None:
    thinker = Thinker(presses=1)
    thinking = Thinking(terminal_screen()[0])
    with thinking.hurried():
        interrupt()
        assert thinking.run(lambda told, stop: "done", verbatim("")) == "done"
        assert not thinker.stopped
        with pytest.raises(KeyboardInterrupt):  # it came soon after another
            thinking.run(thinker.think, verbatim(""))


def test_a_second_ctrl_c_before_the_next_thought_breaks_off_however_late() -> None:
    thinker = Thinker(presses=1)
    thinking = Thinking(terminal_screen()[0])
    with thinking.hurried():
        assert thinking.run(thinker.think, verbatim("")) == "done"
        time.sleep(2.0)
        interrupt()
        with pytest.raises(KeyboardInterrupt):
            thinking.run(lambda told, stop: None, verbatim(""))


def test_one_ctrl_c_soon_after_a_thought_is_forgiven() -> None:
    thinking = Thinking(terminal_screen()[0])
    assert not thinking.forgives()
    with thinking.hurried():
        pass
    assert thinking.forgives()
    assert not thinking.forgives()


@pytest.mark.parametrize("heeds_pipes", [False, True])
def test_over_a_pipe_ctrl_c_breaks_off_unless_pipes_are_heeded(heeds_pipes: bool) -> None:
    thinker = Thinker(presses=1)
    thinking = Thinking(plain_screen(), heeds_pipes=heeds_pipes)
    if heeds_pipes:
        assert thinking.run(thinker.think, verbatim("")) == "done"
    else:
        with pytest.raises(KeyboardInterrupt):
            thinking.run(thinker.think, verbatim(""))


def test_when_the_time_is_up_the_thinking_is_stopped() -> None:
    thinker = Thinker()
    result = Thinking(plain_screen()).run(thinker.think, verbatim(""), left=0.2)
    assert result == "done"
