"""What engines answer to each message in each state: idle, getting ready, thinking, pondering.

The engine's own loop runs, in a thread; only the player is a fake, opened when the test wants.
"""

from collections.abc import Iterator
from queue import SimpleQueue
from threading import Event, Thread
from typing import Final

import pytest

from engine.protocol.fakes import FakePlayer, Output
from engine.protocol.test_aei import FEW
from trine.core.compiled.ahead import Show
from trine.engine.players.player import PlayerResources
from trine.engine.protocol.aei import AeiEngine
from trine.engine.protocol.engine_session import Channel, EngineSession
from trine.engine.protocol.ugi import UgiEngine
from waiting import PATIENCE, wait_until

IDLE, READYING, THINKING, PONDERING = "idle", "getting ready", "thinking", "pondering"
BROKEN: Final = "thinking is broken off; no bestmove follows"
WAITING: Final = "still getting ready; a turn waits for that"
INSTEAD: Final = "not ready to think yet; a simple strategy chooses this turn"
BUSY: Final = "error: go, but the last one is still being thought about"


class Conversation:
    """A conversation with an engine, whose player thinks until a stop."""

    def __init__(self, protocol: str) -> None:
        self.output, self.opens = Output(), Event()
        self.player = FakePlayer(endless=True)
        self.engine: EngineSession
        channel = Channel(self.output)
        if protocol == "aei":
            self.engine = AeiEngine(channel, self._open)
        else:
            self.engine = UgiEngine(channel, "corridor", self._open)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._asked = self._read = 0
        self._loop = Thread(target=self.engine.serve, args=(self._heard(),), daemon=True)
        self._loop.start()

    def _open(
        self, words: str, game: str, settings: PlayerResources, show: Show | None = None
    ) -> FakePlayer:
        assert self.opens.wait(PATIENCE)
        return self.player

    def _heard(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            yield line
            self._asked -= 1

    def say(self, *lines: str) -> None:
        """Say lines, and wait until the last of them has been heard."""
        for line in lines:
            self._asked += 1
            self._lines.put(line)
        wait_until(lambda: self._asked == 0 or not self._loop.is_alive())

    def said(self) -> list[str]:
        lines = self.output.lines()[self._read :]
        self._read += len(lines)
        told = (line.removeprefix("log ").removeprefix("info string ") for line in lines)
        return [line.split()[0] if line.startswith("bestmove ") else line for line in told]

    def end(self) -> list[str]:
        """Say nothing more; what is said until the end of the engine."""
        self._lines.put(None)
        self.opens.set()
        self._loop.join(PATIENCE)
        assert not self._loop.is_alive()
        return self.said()

    def bring(self, state: str, *begin: str) -> None:
        self.say(*begin)
        if state != READYING:
            self.opens.set()
            self.say("isready")
            self.output.wait_for("readyok")
        if state != IDLE:
            self.say("go ponder" if state == PONDERING else "go")
        if state in (THINKING, PONDERING):
            assert self.player.thinks.wait(PATIENCE)
        self.said()


AEI: Final = [
    (IDLE, "isready", ["readyok"], []),
    (IDLE, "newgame", [], []),
    (IDLE, FEW, [], []),
    (IDLE, "makemove Ed4w", [], []),
    (IDLE, "setoption name depth value 3", [], []),
    (IDLE, "go", [], ["bestmove"]),
    (IDLE, "go ponder", [], []),
    (IDLE, "stop", [], []),
    (IDLE, "quit", [], []),
    (READYING, "isready", [], ["readyok", "bestmove"]),
    (READYING, "newgame", [BROKEN], []),
    (READYING, FEW, [BROKEN], []),
    (READYING, "makemove Ed4w", [BROKEN], []),
    (READYING, "setoption name depth value 3", [], ["bestmove"]),
    (READYING, "go", ["E" + BUSY[1:]], ["bestmove"]),
    (READYING, "stop", [INSTEAD, "bestmove"], []),
    (READYING, "quit", [INSTEAD, "bestmove"], []),
    (THINKING, "isready", ["readyok"], ["bestmove"]),
    (THINKING, "newgame", [BROKEN], []),
    (THINKING, FEW, [BROKEN], []),
    (THINKING, "makemove Ed4w", [BROKEN], []),
    (THINKING, "setoption name depth value 3", [], ["bestmove"]),
    (THINKING, "go", ["E" + BUSY[1:]], ["bestmove"]),
    (THINKING, "stop", ["bestmove"], []),
    (THINKING, "quit", ["bestmove"], []),
    (PONDERING, "isready", ["readyok"], []),
    (PONDERING, "newgame", [], []),
    (PONDERING, FEW, [], []),
    (PONDERING, "makemove Ed4w", [], []),
    (PONDERING, "setoption name depth value 3", [], []),
    (PONDERING, "go", [], ["bestmove"]),
    (PONDERING, "go ponder", [], []),
    (PONDERING, "stop", ["bestmove"], []),
    (PONDERING, "quit", [], []),
]
"""The state, the message, what is said at once, and what until the end of the input."""

POSITION: Final = "position startpos moves e2"
UGI: Final = [
    (IDLE, "isready", ["readyok"], []),
    (IDLE, "uginewgame", [], []),
    (IDLE, POSITION, [], []),
    (IDLE, "setoption name Hash value 9", [], []),
    (IDLE, "query p1turn", ["response true"], []),
    (IDLE, "go", [], ["bestmove"]),
    (IDLE, "stop", [], []),
    (IDLE, "quit", [], []),
    (READYING, "isready", [], ["readyok", "bestmove"]),
    (READYING, "uginewgame", [BROKEN], []),
    (READYING, POSITION, [BROKEN], []),
    (READYING, "setoption name Hash value 9", [], ["bestmove"]),
    (READYING, "query p1turn", ["response true"], ["bestmove"]),
    (READYING, "go", [BUSY], ["bestmove"]),
    (READYING, "stop", [INSTEAD, "bestmove"], []),
    (READYING, "quit", [INSTEAD, "bestmove"], []),
    (THINKING, "isready", ["readyok"], ["bestmove"]),
    (THINKING, "uginewgame", [BROKEN], []),
    (THINKING, POSITION, [BROKEN], []),
    (THINKING, "setoption name Hash value 9", [], ["bestmove"]),
    (THINKING, "query p1turn", ["response true"], ["bestmove"]),
    (THINKING, "go", [BUSY], ["bestmove"]),
    (THINKING, "stop", ["bestmove"], []),
    (THINKING, "quit", ["bestmove"], []),
]
"""As `AEI`; UGI does not ponder."""


@pytest.mark.parametrize(
    ("protocol", "state", "message", "at_once", "later"),
    [*(("aei", *row) for row in AEI), *(("ugi", *row) for row in UGI)],
)
def test_what_is_said_at_once_and_until_the_end_of_the_input(
    protocol: str,
    state: str,
    message: str,
    at_once: list[str],
    later: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if INSTEAD in at_once:
        monkeypatch.setattr("trine.engine.protocol.thinker.STOP_GRACE", 0.0)
    talk = Conversation(protocol)
    talk.bring(state, *([protocol, FEW] if protocol == "aei" else [protocol]))
    talk.say(message)
    first = list[str]()
    # What comes at once may come from the other thread, a moment behind the message.

    def has_come() -> bool:
        first.extend(talk.said())
        return len(first) >= len(at_once)

    wait_until(has_come)
    assert first == at_once
    assert talk.end() == later


def test_readyok_of_aei_comes_before_controllers_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own name for a controller's patience is pyrimaa's."""
    from pyrimaa.aei import INIT_TIME

    from trine.engine.protocol import aei

    assert aei.READY_TIMEOUT < INIT_TIME
    monkeypatch.setattr(aei, "READY_TIMEOUT", 0.0)
    talk = Conversation("aei")
    talk.say("aei", "isready")
    talk.output.wait_for("readyok")
    assert talk.said()[-2:] == [WAITING, "readyok"]
    assert talk.end() == []


@pytest.mark.parametrize("protocol", ["aei", "ugi"])
def test_a_quit_right_behind_isready_is_answered_first(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trine.engine.protocol.engine_session.QUIT_TIMEOUT", 0.0)
    talk = Conversation(protocol)
    talk.say(protocol)
    talk.said()
    finish = talk.engine.thinker.finish

    def ready_at_last(patience: float) -> None:
        talk.opens.set()
        finish(patience)

    monkeypatch.setattr(talk.engine.thinker, "finish", ready_at_last)
    talk.say("isready", "quit")
    assert talk.end() == ["readyok"]


@pytest.mark.parametrize("protocol", ["aei", "ugi"])
def test_a_turn_whose_time_is_up_before_the_player_is_ready_is_played(protocol: str) -> None:
    talk = Conversation(protocol)
    timed = [FEW, "setoption name tcmove value 1", "go"] if protocol == "aei" else ["go movetime 9"]
    talk.say(protocol, *timed)
    talk.output.wait_for("bestmove")
    assert talk.said()[-2:] == [INSTEAD, "bestmove"]
    talk.say("isready")
    talk.opens.set()
    talk.output.wait_for("readyok")
    assert talk.end() == ["readyok"]


def test_a_turn_that_no_clock_hurries_waits_for_the_player() -> None:
    """AEI leaves the time of such a turn to the engine, and it begins when the player is ready."""
    talk = Conversation("aei")
    talk.say("aei", FEW, "go")
    talk.opens.set()
    assert talk.player.thinks.wait(PATIENCE)
    assert talk.player.asked[0].used == 0.0
    talk.end()


def test_a_second_go_does_not_lose_the_answer_of_one_that_was_stopped() -> None:
    talk = Conversation("aei")
    talk.bring(THINKING, "aei", FEW)
    talk.say("stop", "go", "stop")
    talk.output.wait_for("bestmove", 2)
    talk.end()


def test_an_answer_found_while_pondering_is_given_at_the_stop() -> None:
    talk = Conversation("aei")
    talk.player.choose = FakePlayer(talk.player.seed).choose  # type: ignore[method-assign]
    talk.bring(IDLE, "aei", FEW)
    talk.say("go ponder", "isready")
    talk.output.wait_for("readyok", 2)
    assert talk.said() == ["readyok"]
    talk.say("stop")
    talk.output.wait_for("bestmove")
    talk.end()


@pytest.mark.parametrize("refused", ["makemove Ed4x", "setposition g [short]"])
def test_for_a_move_or_position_that_was_refused_no_move_is_played(refused: str) -> None:
    talk = Conversation("aei")
    talk.bring(IDLE, "aei", FEW)
    talk.say(refused)
    talk.said()
    talk.say("go")
    error, answer = talk.said()
    assert error == "Error: go, but the last position or move was refused"
    assert answer == "bestmove"
    talk.say("makemove Ed4w", "go")
    assert talk.end() == ["bestmove"]
