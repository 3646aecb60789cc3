"""Players for tests of matches: honest ones that do not think, and those that do wrong."""

import os
import subprocess
import time
from pathlib import Path
from random import Random

from trine.core.clock import Limits
from trine.core.compiled.ahead import Show
from trine.core.contract.score import Score
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.work.stop import Stop
from trine.engine.players.player import (
    Decision,
    ForfeitError,
    Info,
    OnInfo,
    Player,
    PlayerResources,
)
from waiting import wait_until


class Fake:
    """A player of a kind: ``random``, ``first``, or one that does wrong from a turn of its own on.

    ``slow:0.3`` takes seconds for each turn, unless it is stopped; ``crash:2`` fails with its third
    turn, as ``illegal``, ``short``, ``long``, ``silent`` and ``resign`` do in their ways. ``program``
    is slow, and holds a program that has to be ended by force, which takes a while.
    ``marked:0.3:FOLDER`` is slow, and leaves the number of its process in a folder. While a file
    ``killed`` is beside the folder, it waits until three processes have played.
    """

    def __init__(self, words: str, seed: int) -> None:
        self.name = words
        self.kind, _, number = words.partition(":")
        number, _, self.folder = number.partition(":")
        self.number = float(number or 0)
        self.seed = seed
        self.stopped = False
        self.program: subprocess.Popen[bytes] | None = None
        if self.kind == "program":
            self.program = subprocess.Popen(
                ["sleep", "600"], stderr=subprocess.DEVNULL, start_new_session=True
            )

    def begin(self, play: Play) -> None:
        self.rng = Random(self.seed)
        self.turns = 0

    def choose(
        self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        if self.folder:
            Path(self.folder).mkdir(exist_ok=True)
            Path(self.folder, str(os.getpid())).touch()
            killed = Path(self.folder).with_name("killed")
            wait_until(lambda: not killed.exists() or len([*Path(self.folder).iterdir()]) >= 3)
        if self.kind in ("slow", "program", "marked"):
            self.stopped = (stop or Stop()).wait(self.number)
        elif self.kind not in ("random", "first") and self.turns >= self.number:
            return self._do_wrong(play)
        self.turns += 1
        ahead, actions = play.copy(), []
        while len(ahead.turns) == len(play.turns) and not ahead.outcome:
            legal = ahead.legal_actions()
            actions.append(legal[0] if self.kind == "first" else self.rng.choice(legal))
            ahead.act_unchecked(actions[-1])
        info = Info(len(actions), Score(self.rng.randrange(-99, 99)), (), self.turns, 0.0)
        return Decision(tuple(actions), info)

    def _do_wrong(self, play: Play) -> Decision:
        legal = play.legal_actions()
        if self.kind == "crash":
            raise ZeroDivisionError("by accident")
        if self.kind == "silent":
            raise ForfeitError(text("no answer"), ">> go\n<< \n")
        if self.kind == "illegal":
            return Decision((legal[0],) * 9)
        if self.kind == "short":
            return Decision(())
        if self.kind == "garbage":
            return Decision(("no action",))
        if self.kind == "long":
            ahead, actions = play.copy(), []
            while len(ahead.turns) < len(play.turns) + 2 and not ahead.outcome:
                actions.append(ahead.legal_actions()[0])
                ahead.act_unchecked(actions[-1])
            return Decision(tuple(actions))
        if self.kind == "die":
            os._exit(9)
        assert self.kind == "resign"
        return Decision((), resigns=True)

    def close(self) -> None:
        if self.program:
            time.sleep(0.3)
            self.program.kill()
            self.program.wait()
        if self.kind == "illegal":
            raise OSError("already gone")


def open_fake(words: str, game: str, settings: PlayerResources, show: Show | None = None) -> Player:
    if words == "absent":
        raise ForfeitError(text("no such program"))
    if words == "unknown":
        raise MalformedError(text("nobody of that name"))
    return Fake(words, settings.seed)
