"""Thinking in the background: a worker thread owns the player, while another thread listens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, RLock, Thread, Timer
from typing import Final

from trine.core.compiled.ahead import CompileProgress
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, Info, Player
from trine.engine.players.player_factory import PlayerFactory, PlayerResources
from trine.engine.players.stand_in import MISTAKES, StandIn
from trine.engine.players.timing import allot
from trine.games import open_room

REPORT_AFTER: Final = 2.0
"""Units: seconds; shorter waits, as for code from the cache, are not reported. Guess."""
REPORT_INTERVAL: Final = 5.0
"""Units: seconds; the interval of reports about a longer wait. Guess."""
STOP_GRACE: Final = 0.8
"""Units: seconds; the wait for a player that is nearly ready, after a stop. Guess."""
STAND_IN_TIME: Final = 1.0
"""Units: seconds; the time that a stand-in needs for a turn, at most. Measured: of Arimaa, 0.9."""


@dataclass
class ThinkTask:
    """A position to think about, and the functions that get the results."""

    play: Play
    limits: Limits
    on_info: Callable[[Info], None]
    on_decision: Callable[[Decision], None]
    ponders: bool = False
    """Whether nobody waits for its result, which is held back until a stop asks for it."""
    until_stop: bool = False
    """Whether its result is held back until a stop."""
    on_time: bool = True
    """Whether its time runs from now on, and not only once the player is ready."""
    asked: float = field(default_factory=time.monotonic)
    stop: Stop = field(default_factory=Stop)
    dropped: bool = False
    """Whether the answer is no longer wanted."""
    begun: Event = field(default_factory=Event)
    """Set when the player, or a stand-in, begins to think."""
    done: Event = field(default_factory=Event)


@dataclass
class _Promise:
    """A call that is owed to the controller when a player is open, and given once."""

    call: Callable[[], None]
    wanted: tuple[str, PlayerResources]
    """The game and the settings of the player."""
    kept: Event = field(default_factory=Event)


class Thinker:
    """A player that is opened when it is first needed, and thinks about one position after another.

    Guarantee: no method waits for the player, except `finish` and `close`.
    """

    def __init__(
        self,
        game: str,
        settings: PlayerResources,
        factory: PlayerFactory,
        remark: Callable[[str], None],
        failed: Callable[[Exception], None],
        lock: RLock,
    ) -> None:
        self.game, self.settings = game, settings
        """May be changed at any time; the next thought uses a player with the new settings."""
        self._factory, self._remark, self._failed = factory, remark, failed
        self._lock = lock
        """Held while an answer is given, so that each answer is either given or dropped."""
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._player: Player | None = None
        self._opened: tuple[str, PlayerResources] | None = None
        self._fresh = True
        """Whether the next thought is the first of a game."""
        self._thoughts: list[ThinkTask] = []
        """The thoughts that may not be done; all but the last are stopped or dropped."""
        self._promises: list[_Promise] = []
        self._worker = Thread(target=self._work, name="thinker", daemon=True)
        self._worker.start()

    # --- called by the listening thread ----------------------------------------------------------

    @property
    def thinking(self) -> ThinkTask | None:
        """The thought that is going on or waiting, unless it has been stopped."""
        return next((one for one in self._undone() if not one.stop.is_set), None)

    def _undone(self) -> list[ThinkTask]:
        return [thought for thought in self._thoughts if not thought.done.is_set()]

    def new_game(self) -> None:
        self._fresh = True

    def when_ready(self, call: Callable[[], None], within: float | None = None) -> None:
        """Call back once the player is open or thinking, or when ``within`` seconds have passed."""
        wanted = self.game, self.settings
        thinks = self._opened and any(thought.begun.is_set() for thought in self._undone())
        if self._opened == wanted or thinks:
            call()
            return
        promise = _Promise(call, wanted)
        self._promises = [*self._unkept(), promise]

        def job() -> None:
            self._open()
            self._keep(promise)

        self._jobs.put(job)
        if within is not None:
            timer = Timer(
                within, self._keep, (promise, "still getting ready; a turn waits for that")
            )
            timer.daemon = True
            timer.start()

    def _unkept(self) -> list[_Promise]:
        return [promise for promise in self._promises if not promise.kept.is_set()]

    def _keep(self, promise: _Promise, words: str = "") -> None:
        with self._lock:
            if not promise.kept.is_set():
                if words:
                    self._remark(words)
                promise.call()
                promise.kept.set()

    def think(self, thought: ThinkTask) -> None:
        """Think, after all earlier thoughts have ended."""
        self._thoughts = [*self._undone(), thought]
        self._jobs.put(lambda: self._think(thought))
        if self._opened != (self.game, self.settings) and open_room(self.game).book.strategists:
            Thread(target=self._stand_in, args=(thought,), daemon=True).start()

    def stop(self) -> None:
        """Stop the thinking, pondering too; its answer comes soon."""
        for thought in self._undone():
            thought.ponders = False
            thought.stop.set()

    def finish(self, timeout: float) -> None:
        """Stop all thinking, and wait up to ``timeout`` seconds for the answers that are owed."""
        self.drop(only_pondering=True)
        self.stop()
        until = time.monotonic() + timeout
        owed = [thought.done for thought in self._undone() if not thought.dropped]
        for answer in (*owed, *(promise.kept for promise in self._unkept())):
            answer.wait(max(0.0, until - time.monotonic()))

    def drop(self, *, only_pondering: bool = False) -> bool:
        """Stop the thinking without an answer; return whether one was owed."""
        awaited = False
        with self._lock:
            for thought in self._undone():
                if thought.ponders or not only_pondering:
                    awaited |= not (thought.dropped or thought.ponders)
                    thought.dropped = True
                    thought.stop.set()
        return awaited

    def close(self, timeout: float) -> bool:
        """Stop all thinking and close the player; return whether ``timeout`` was enough."""
        self.drop()
        self._jobs.put(None)
        self._worker.join(timeout)
        return not self._worker.is_alive()

    # --- the worker ------------------------------------------------------------------------------

    def _work(self) -> None:
        while job := self._jobs.get():
            try:
                job()
            except Exception as error:  # any error must be reported to the controller
                self._failed(error)
        if self._player:
            self._player.close()

    def _open(self) -> Player:
        wanted = game, settings = self.game, self.settings
        if self._player and self._opened == wanted:
            return self._player
        if self._player:
            self._player.close()
            self._player = self._opened = None
        remarks = _Remarks(game, self._remark)
        self._player = self._factory("bot", game, settings, remarks.show)
        remarks.end()
        self._opened, self._fresh = wanted, True
        for promise in self._unkept():
            if promise.wanted == wanted:
                self._keep(promise)
        return self._player

    def _think(self, thought: ThinkTask) -> None:
        try:
            player = self._open()
        except BaseException:
            thought.done.set()
            raise
        if self._take(thought):
            if self._fresh:
                self._fresh = False
                player.begin(thought.play)
            self._answer(thought, player)

    def _stand_in(self, thought: ThinkTask) -> None:
        play = thought.play
        left = allot(thought.limits, play.mover).hard if thought.on_time else None
        if thought.stop.wait(None if left is None else max(left / 2, left - STAND_IN_TIME)):
            thought.begun.wait(STOP_GRACE)
        if self._take(thought):
            self._remark("not ready to think yet; a simple strategy chooses this turn")
            level = min(self.settings.level, max(MISTAKES))
            try:
                self._answer(thought, StandIn(play.room, level, self.settings.seed))
            except Exception as error:  # any error must be reported to the controller
                self._failed(error)

    def _take(self, thought: ThinkTask) -> bool:
        """Return whether a thought is wanted and nobody has begun with it, and begin with it."""
        with self._lock:
            if thought.dropped:
                thought.done.set()
            if thought.begun.is_set() or thought.dropped:
                return False
            thought.begun.set()
            return True

    def _answer(self, thought: ThinkTask, player: Player) -> None:
        try:
            waited = time.monotonic() - thought.asked if thought.on_time else 0.0
            limits = replace(thought.limits, used=thought.limits.used + waited)
            decision = player.choose(thought.play, limits, thought.on_info, thought.stop)
            if thought.ponders or thought.until_stop:
                thought.stop.wait()
            with self._lock:
                if not thought.dropped:
                    thought.done.set()  # before the answer: the next order may follow it at once
                    thought.on_decision(decision)
        finally:
            thought.done.set()


class _Remarks:
    """Reports, now and then, while code is compiled."""

    def __init__(self, game: str, remark: Callable[[str], None]) -> None:
        self._title, self._remark = open_room(game).title, remark
        self._began = time.monotonic()
        self._said = self._began - REPORT_INTERVAL + REPORT_AFTER

    def show(self, progress: CompileProgress) -> None:
        if progress.compiled and time.monotonic() - self._said > REPORT_INTERVAL:
            self._said = time.monotonic()
            done = f"{progress.done} of {progress.modules} parts"
            self._remark(f"compiling {self._title}, once on this machine: {done}")

    def end(self) -> None:
        """Report that the player is ready, if the wait was long."""
        if time.monotonic() - self._began > REPORT_AFTER:
            self._remark(f"ready to think after {time.monotonic() - self._began:.1f} s")
