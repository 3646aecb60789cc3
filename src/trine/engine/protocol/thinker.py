"""Thinking in the background: a worker thread owns the player, while another reads lines."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, RLock, Thread, Timer
from typing import Final

from trine.core.clock import Limits
from trine.core.compiled.ahead import CompileProgress
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, Info, Player, PlayerFactory, PlayerResources
from trine.engine.players.stand_in import ERROR_RATES, StandIn
from trine.engine.players.timing import allot
from trine.games import open_room

REPORT_AFTER: Final = 2.0  # seconds; shorter waits, as for cached code, are not reported. Guess
REPORT_INTERVAL: Final = 5.0  # seconds; the interval between reports about a longer wait. Guess
STOP_GRACE: Final = 0.8
"""Units: seconds; after a stop, the wait for a player that is still being opened. Guess."""
STAND_IN_TIME: Final = 1.0
"""Units: seconds; the longest time of a stand-in for a turn. Measured: 0.9 in Arimaa."""


@dataclass
class ThinkTask:
    """A position to think about, with callbacks for the results."""

    play: Play
    limits: Limits
    on_info: Callable[[Info], None]
    on_decision: Callable[[Decision], None]
    ponders: bool = False
    """Whether the task is to ponder: its result is not awaited, and is held back until a stop."""
    until_stop: bool = False  # whether the result is held back until a stop
    on_time: bool = True
    """Whether the time runs from the request on, not from when the player is ready."""
    asked: float = field(default_factory=time.monotonic)
    stop: Stop = field(default_factory=Stop)
    dropped: bool = False  # whether the answer is not to be sent
    begun: Event = field(default_factory=Event)
    """Set when the player, or a stand-in, begins to think."""
    done: Event = field(default_factory=Event)


@dataclass
class _Callback:
    """A callback that runs once, when a player is open."""

    call: Callable[[], None]
    wanted: tuple[str, PlayerResources]  # the game and the settings of the player to wait for
    called: Event = field(default_factory=Event)


class Thinker:
    """A player that is opened on first use, and thinks about positions one after the other.

    Guarantee: only `finish` and `close` wait for the player.
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
        """Can be changed at any time; the next task gets a player with the new settings."""
        self._factory, self._remark, self._failed = factory, remark, failed
        self._lock = lock
        """Held while an answer is sent, so that each answer is either sent or dropped."""
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._player: Player | None = None
        self._opened: tuple[str, PlayerResources] | None = None
        self._fresh = True  # whether the next task is the first of a game
        self._tasks: list[ThinkTask] = []
        """The tasks that may not be done; all except the last are stopped or dropped."""
        self._callbacks: list[_Callback] = []
        self._worker = Thread(target=self._work, name="thinker", daemon=True)
        self._worker.start()

    # --- called by the listening thread ----------------------------------------------------------

    @property
    def thinking(self) -> ThinkTask | None:
        """The running or waiting task that is not stopped, if any."""
        return next((one for one in self._open_tasks() if not one.stop.is_set), None)

    def _open_tasks(self) -> list[ThinkTask]:
        return [task for task in self._tasks if not task.done.is_set()]

    def new_game(self) -> None:
        self._fresh = True

    def when_ready(self, call: Callable[[], None], within: float | None = None) -> None:
        """Call back once the player is open or thinking, or after ``within`` seconds."""
        wanted = self.game, self.settings
        thinks = self._opened and any(task.begun.is_set() for task in self._open_tasks())
        if self._opened == wanted or thinks:
            call()
            return
        callback = _Callback(call, wanted)
        self._callbacks = [*self._pending_callbacks(), callback]

        def job() -> None:
            self._open()
            self._run_callback(callback)

        self._jobs.put(job)
        if within is not None:
            timer = Timer(
                within, self._run_callback, (callback, "still getting ready; a turn waits for that")
            )
            timer.daemon = True
            timer.start()

    def _pending_callbacks(self) -> list[_Callback]:
        return [callback for callback in self._callbacks if not callback.called.is_set()]

    def _run_callback(self, callback: _Callback, words: str = "") -> None:
        with self._lock:
            if not callback.called.is_set():
                if words:
                    self._remark(words)
                callback.call()
                callback.called.set()

    def think(self, task: ThinkTask) -> None:
        """Start a task after all earlier tasks have ended."""
        self._tasks = [*self._open_tasks(), task]
        self._jobs.put(lambda: self._think(task))
        if self._opened != (self.game, self.settings) and open_room(self.game).handbook.strategists:
            Thread(target=self._stand_in, args=(task,), daemon=True).start()

    def stop(self) -> None:
        """Stop all thinking, pondering too; the answer follows soon after."""
        for task in self._open_tasks():
            task.ponders = False
            task.stop.set()

    def finish(self, timeout: float) -> None:
        """Stop all thinking, and wait up to ``timeout`` seconds for the pending answers."""
        self.drop(only_pondering=True)
        self.stop()
        until = time.monotonic() + timeout
        owed = [task.done for task in self._open_tasks() if not task.dropped]
        for answer in (*owed, *(callback.called for callback in self._pending_callbacks())):
            answer.wait(max(0.0, until - time.monotonic()))

    def drop(self, *, only_pondering: bool = False) -> bool:
        """Stop the thinking without an answer; return whether an answer was pending."""
        awaited = False
        with self._lock:
            for task in self._open_tasks():
                if task.ponders or not only_pondering:
                    awaited |= not (task.dropped or task.ponders)
                    task.dropped = True
                    task.stop.set()
        return awaited

    def close(self, timeout: float) -> bool:
        """Stop thinking and close the player; return whether ``timeout`` seconds were enough."""
        self.drop()
        self._jobs.put(None)
        self._worker.join(timeout)
        return not self._worker.is_alive()

    # --- called by the worker thread -------------------------------------------------------------

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
        for callback in self._pending_callbacks():
            if callback.wanted == wanted:
                self._run_callback(callback)
        return self._player

    def _think(self, task: ThinkTask) -> None:
        try:
            player = self._open()
        except BaseException:
            task.done.set()
            raise
        if self._claim(task):
            if self._fresh:
                self._fresh = False
                player.begin(task.play)
            self._answer(task, player)

    def _stand_in(self, task: ThinkTask) -> None:
        play = task.play
        left = allot(task.limits, play.mover).hard if task.on_time else None
        if task.stop.wait(None if left is None else max(left / 2, left - STAND_IN_TIME)):
            task.begun.wait(STOP_GRACE)
        if self._claim(task):
            self._remark("not ready to think yet; a simple strategy chooses this turn")
            level = min(self.settings.level, max(ERROR_RATES))
            try:
                self._answer(task, StandIn(play.room, level, self.settings.seed))
            except Exception as error:  # any error must be reported to the controller
                self._failed(error)

    def _claim(self, task: ThinkTask) -> bool:
        """Claim a task; return False if it is dropped, or already claimed."""
        with self._lock:
            if task.dropped:
                task.done.set()
            if task.begun.is_set() or task.dropped:
                return False
            task.begun.set()
            return True

    def _answer(self, task: ThinkTask, player: Player) -> None:
        try:
            waited = time.monotonic() - task.asked if task.on_time else 0.0
            limits = replace(task.limits, used=task.limits.used + waited)
            decision = player.choose(task.play, limits, task.on_info, task.stop)
            if task.ponders or task.until_stop:
                task.stop.wait()
            with self._lock:
                if not task.dropped:
                    task.done.set()  # before the answer, since the next command can follow at once
                    task.on_decision(decision)
        finally:
            task.done.set()


class _Remarks:
    """Progress reports while code is compiled."""

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
        """Report that the player is ready after a long wait."""
        if time.monotonic() - self._began > REPORT_AFTER:
            self._remark(f"ready to think after {time.monotonic() - self._began:.1f} s")
