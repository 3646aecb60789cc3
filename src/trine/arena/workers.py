"""Those who play the games of a match: processes, or this one.

Processes, not threads: what one player computes in Python must not take time from another who has a
clock, and a fault in compiled code must not end the match. They are started afresh (*spawn*), which
works alike on all systems, and cost a second each, once.

All hold one end of a pipe, the lifeline, whose other end only this process has. When it is closed,
or this process is killed, they close their players, engines among them, and are gone.
"""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final, Protocol

from trine.arena.match import Match, Opener, Played, play_fixture
from trine.arena.schedule import Fixture
from trine.engine.player import Player

PARTING: Final = 10.0
"""Units: seconds; the longest that players have to close when a match is broken off, and to end by
force programs that do not go when they are asked. Guess."""


class Workers(Protocol):
    """Those who play."""

    count: int
    """How many games are played at once."""

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Have a game played."""

    def close(self) -> None:
        """Break off what is being played."""


class Here:
    """Our own process and thread, one game after the other."""

    count = 1

    def __init__(self, match: Match, opener: Opener) -> None:
        self._match, self._opener = match, opener

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Play a game now."""
        done: Future[Played] = Future()
        done.set_result(play_fixture(self._match, fixture, self._opener))
        return done

    def close(self) -> None:
        """Nothing is being played."""


class Processes:
    """Processes that play a game each."""

    def __init__(self, match: Match, opener: Opener, count: int) -> None:
        self.count = count
        context = get_context("spawn")
        end, self._lifeline = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            count, mp_context=context, initializer=_begin_work, initargs=(match, opener, end)
        )
        self._begun = False

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Have a game played."""
        if self._begun or threading.current_thread() is not threading.main_thread():
            return self._executor.submit(_play, fixture)
        # The processes begin now. Ctrl-C is for this one alone, which tells them by the lifeline.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return self._executor.submit(_play, fixture)
        finally:
            self._begun = True
            signal.signal(signal.SIGINT, before)

    def close(self) -> None:
        """Break off what is being played."""
        self._lifeline.close()
        self._executor.shutdown(cancel_futures=True)


# --- in the processes ----------------------------------------------------------------------------


class _Work:
    """What a process works with."""

    match: Match
    opener: Opener
    players: Final[list[Player]] = []
    """Those who are at the board."""
    opening: Final = threading.Lock()
    """Held while one is opened."""


def _begin_work(match: Match, opener: Opener, lifeline: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Work.match, _Work.opener = match, opener
    threading.Thread(target=_go_when_cut, args=(lifeline,), daemon=True).start()


def _go_when_cut(lifeline: Connection) -> None:
    """Wait for the end of the lifeline, close the players and leave."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    # Who is being opened is waited for, lest he be overlooked; and nobody is opened any more.
    _Work.opening.acquire(timeout=PARTING)
    # Not daemons: what the end of the match does to the game must not end the process before them.
    partings = [
        threading.Thread(target=_part_from, args=(player,)) for player in list(_Work.players)
    ]
    for parting in partings:
        parting.start()
    for parting in partings:
        parting.join(PARTING)
    os._exit(0)


def _part_from(player: Player) -> None:
    with suppress(Exception):
        player.stop()
    with suppress(Exception):
        player.close()


def _open(words: str, game: str, *, hash_mb: int, threads: int, seed: int) -> Player:
    """Open a player, and remember it."""
    with _Work.opening:
        player = _Work.opener(words, game, hash_mb=hash_mb, threads=threads, seed=seed)
        _Work.players.append(player)
    return player


def _play(fixture: Fixture) -> Played:
    try:
        return play_fixture(_Work.match, fixture, _open)
    finally:
        _Work.players.clear()
