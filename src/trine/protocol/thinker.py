"""Thinking beside the talk: a worker thread that owns the player, while another one listens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, RLock, Thread
from typing import Final

from trine.core.ahead import Progress
from trine.core.limits import Limits
from trine.core.play import Play
from trine.core.stop import Stop
from trine.engine.opener import Opener, Settings
from trine.engine.player import Decision, Info, Player
from trine.games import open_room

SOON: Final = 2.0
"""Units: seconds; what takes less is not worth a word, and from the cache it does. Guess."""
EVERY: Final = 5.0
"""Units: seconds; how often it is said that it takes longer still. Guess."""


@dataclass
class Thought:
    """A position to think about, and what to do with what comes out of it."""

    play: Play
    limits: Limits
    told: Callable[[Info], None]
    decided: Callable[[Decision], None]
    ponders: bool = False
    """Whether its outcome is of no interest to anybody."""
    asked: float = field(default_factory=time.monotonic)
    stop: Stop = field(default_factory=Stop)
    dropped: bool = False
    """Whether the answer is no longer wanted."""
    done: Event = field(default_factory=Event)


class Thinker:
    """Opens a player when it is first needed, and lets it think about one thing after another.

    Guarantee: none of the methods waits for the player, but `finish` and `close`.
    """

    def __init__(
        self,
        game: str,
        settings: Settings,
        opener: Opener,
        say: Callable[[str], None],
        failed: Callable[[Exception], None],
        lock: RLock,
    ) -> None:
        self.game, self.settings = game, settings
        """May be changed at any time; the next thought is thought by a player of the new ones."""
        self._opener, self._say, self._failed = opener, say, failed
        self._lock = lock
        """Held while an answer is given, so that an answer is given or dropped, nothing between."""
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._player: Player | None = None
        self._opened: tuple[str, Settings] | None = None
        self._fresh = True
        """Whether the next thought is the first of a game."""
        self._thoughts: list[Thought] = []
        """All that were asked for and may not be done; none but the last is neither stopped nor
        dropped."""
        self._worker = Thread(target=self._work, name="thinker", daemon=True)
        self._worker.start()

    # --- asked by who listens --------------------------------------------------------------------

    @property
    def thinking(self) -> Thought | None:
        """What is being thought about, or waits for it; nothing that has been stopped."""
        return next((one for one in self._undone() if not one.stop.is_set), None)

    def _undone(self) -> list[Thought]:
        return [thought for thought in self._thoughts if not thought.done.is_set()]

    def new_game(self) -> None:
        """Let the next thought be the first of a game."""
        self._fresh = True

    def when_ready(self, answer: Callable[[], None]) -> None:
        """Call back when the player is open; at once if it is, or is thinking."""
        if self._opened == (self.game, self.settings) or self._undone():
            answer()
            return

        def job() -> None:
            self._open()
            answer()

        self._jobs.put(job)

    def think(self, thought: Thought) -> None:
        """Think, after all that is being thought about has ended."""
        self._thoughts = [*self._undone(), thought]
        self._jobs.put(lambda: self._think(thought))

    def stop(self) -> None:
        """Let the thinking end; its answer comes soon."""
        for thought in self._undone():
            thought.stop.set()

    def finish(self, patience: float) -> None:
        """Stop all thinking, and wait for the answers that somebody waits for, so many seconds."""
        self.stop()
        until = time.monotonic() + patience
        for thought in self._undone():
            if not (thought.dropped or thought.ponders):
                thought.done.wait(max(0.0, until - time.monotonic()))

    def drop(self) -> bool:
        """Let the thinking end without an answer.

        Returns: whether somebody could have waited for one.
        """
        awaited = False
        with self._lock:
            for thought in self._undone():
                awaited |= not (thought.dropped or thought.ponders)
                thought.dropped = True
        self.stop()
        return awaited

    def close(self, patience: float) -> bool:
        """End all thinking, and give the player back.

        Returns: whether that was possible within so many seconds.
        """
        self.drop()
        self._jobs.put(None)
        self._worker.join(patience)
        return not self._worker.is_alive()

    # --- the worker ------------------------------------------------------------------------------

    def _work(self) -> None:
        while job := self._jobs.get():
            try:
                job()
            except Exception as error:  # whatever it is, the controller must hear of it
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
        remarks = _Remarks(game, self._say)
        self._player = self._opener("bot", game, settings, remarks.show)
        remarks.end()
        self._opened, self._fresh = wanted, True
        return self._player

    def _think(self, thought: Thought) -> None:
        try:
            player = self._open()
            if thought.dropped:
                return
            if self._fresh:
                self._fresh = False
                player.begin(thought.play)
            waited = time.monotonic() - thought.asked
            limits = replace(thought.limits, used=thought.limits.used + waited)
            decision = player.choose(thought.play, limits, thought.told, thought.stop)
            with self._lock:
                if not thought.dropped:
                    thought.done.set()  # before it is said: the next order may follow at once
                    thought.decided(decision)
        finally:
            thought.done.set()


class _Remarks:
    """What is said while code is compiled, now and then."""

    def __init__(self, game: str, say: Callable[[str], None]) -> None:
        self._title, self._say = open_room(game).title, say
        self._began = time.monotonic()
        self._said = self._began - EVERY + SOON

    def show(self, progress: Progress) -> None:
        """Say how far it is."""
        if progress.compiled and time.monotonic() - self._said > EVERY:
            self._said = time.monotonic()
            done = f"{progress.done} of {progress.modules} parts"
            self._say(f"compiling {self._title}, once on this machine: {done}")

    def end(self) -> None:
        """Say that it is ready, if anybody had to wait for that."""
        if time.monotonic() - self._began > SOON:
            self._say(f"ready to think after {time.monotonic() - self._began:.1f} s")
