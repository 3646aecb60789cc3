"""Players, controllers and engines for tests of the protocols."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Condition, Event

from trine.core.clock import Limits
from trine.core.compiled.ahead import Show
from trine.core.contract.position import Action
from trine.core.contract.score import Score
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, Info, OnInfo, PlayerFactory, PlayerResources
from trine.engine.protocol.aei import AeiEngine
from trine.engine.protocol.engine_session import Channel, EngineSession
from trine.engine.protocol.ugi import UgiEngine
from waiting import PATIENCE

HERE = Path(__file__).resolve().parent
FAKE_ENGINE = f"{sys.executable} {HERE / 'fake_engine.py'}"
"""The command of an engine that answers like ours, but plays by chance."""


def random_turn(play: Play, rng: Random) -> tuple[Action, ...]:
    """The rest of a turn, by chance; in a setup of a whole side, quickly."""
    ahead, actions = play.copy(), list[Action]()
    while not ahead.outcome and len(ahead.turns) == len(play.turns):
        action = rng.choice(ahead.legal_actions())
        ahead.act_unchecked(action)
        actions.append(action)
    return tuple(actions)


class FakePlayer:
    """Plays by chance, notes what it is asked, and thinks as long as a test wants."""

    def __init__(self, seed: int = 0, *, endless: bool = False, told: bool = False) -> None:
        self.name = "fake"
        self.seed = seed
        self.endless, self.tells = endless, told
        self.begun: list[str] = []
        self.asked: list[Limits] = []
        self.closed = False
        self.thinks = Event()
        self._rng = Random(seed)

    def begin(self, play: Play) -> None:
        self.begun.append(play.turn_tag)

    def choose(
        self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        self.asked.append(limits)
        self.thinks.set()
        actions = random_turn(play, self._rng)
        if told and self.tells:
            told(Info(2, Score(35), actions, 77, 0.25))
        if self.endless or limits.endless:
            assert stop and stop.wait(PATIENCE)
        self.thinks.clear()
        return Decision(actions)

    def close(self) -> None:
        self.closed = True


class ScriptedPlayer(FakePlayer):
    """Plays turns that are known before, given as a person types them."""

    def __init__(self, *turns: str, told: bool = False) -> None:
        super().__init__(told=told)
        self._turns = list(turns)

    def choose(
        self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        self.asked.append(limits)
        words = self._turns.pop(0)
        if words == "resigns":
            return Decision((), resigns=True)
        actions = play.interpret(words).actions
        if told and self.tells:
            told(Info(len(actions), Score(-35), actions, 77, 0.25))
        ahead = play.copy()
        for number, action in enumerate(actions, 1):
            ahead.act(action)
            if len(ahead.turns) > len(play.turns):
                return Decision(actions[:number])
        return Decision((*actions, play.room.rules.end))


class FailingPlayer(FakePlayer):
    def choose(
        self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        raise ZeroDivisionError("a fault\nin two lines")


class Output(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self._written = Condition()

    def write(self, words: str) -> int:
        with self._written:
            self._written.notify_all()
            return super().write(words)

    def lines(self) -> list[str]:
        return self.getvalue().splitlines()

    def wait_for(self, begins: str, times: int = 1) -> str:
        """The line that begins so for the n-th time."""

        def found() -> list[str]:
            return [line for line in self.lines() if line.startswith(begins)]

        with self._written:
            said = self._written.wait_for(lambda: len(found()) >= times, PATIENCE)
        assert said, f"never said {begins!r}: {self.lines()}"
        return found()[times - 1]


class Talk:
    def __init__(
        self, engine: EngineSession, output: Output, opened: list[tuple[str, PlayerResources]]
    ) -> None:
        self.engine = engine
        self.output = output
        self.opened = opened
        """Of which games and with which settings players were opened."""

    def say(self, *lines: str) -> Talk:
        for line in lines:
            self.engine.handle(line + "\n")
        return self

    def end(self) -> list[str]:
        assert self.engine.thinker.close(PATIENCE)
        return self.output.lines()

    def wait_for(self, begins: str, times: int = 1) -> str:
        return self.output.wait_for(begins, times)


def opening(
    players: Sequence[FakePlayer], opened: list[tuple[str, PlayerResources]]
) -> PlayerFactory:
    """Opens one player after the other; the last again and again."""
    waiting = list(players)

    def factory(
        words: str, game: str, settings: PlayerResources, show: Show | None = None
    ) -> FakePlayer:
        opened.append((game, settings))
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    return factory


def aei(*players: FakePlayer, log: io.StringIO | None = None) -> Talk:
    output, opened = Output(), list[tuple[str, PlayerResources]]()
    factory = opening(players or (FakePlayer(),), opened)
    talk = Talk(AeiEngine(Channel(output, log), factory=factory), output, opened).say("aei")
    output.seek(0)
    output.truncate()
    return talk


def ugi(game: str, *players: FakePlayer, rules: str = "", log: io.StringIO | None = None) -> Talk:
    output, opened = Output(), list[tuple[str, PlayerResources]]()
    factory = opening(players or (FakePlayer(),), opened)
    return Talk(UgiEngine(Channel(output, log), game, factory, rules), output, opened)
