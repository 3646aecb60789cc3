"""Those who play the games of a match: processes, or this one.

Processes, not threads: what one player computes in Python must not take time from another who has a
clock, and a fault in compiled code must not end the match. They cost a second each, once. When they
are to leave, or this process is killed, they close their players first, engines among them.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from trine.arena.match import Match, Played, play_fixture
from trine.arena.schedule import Fixture
from trine.core.ahead import Show
from trine.core.pool import WorkerPool
from trine.core.stop import Stop
from trine.engine.opener import Opener, Settings
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
        try:
            done.set_result(play_fixture(self._match, fixture, self._opener))
        except Exception as error:  # as it comes from a process
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Nothing is being played."""


class Processes:
    """Processes that play a game each."""

    def __init__(self, match: Match, opener: Opener, count: int) -> None:
        self.count = count
        self._pool = WorkerPool(count, begin=partial(_begin, match, opener), part=_part)

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Have a game played."""
        return self._pool.submit(partial(_play, fixture))

    def close(self) -> None:
        """Break off what is being played."""
        self._pool.close()


# --- in the processes ----------------------------------------------------------------------------


class _Work:
    """What a process works with."""

    match: Match
    opener: Opener
    players: Final[list[Player]] = []
    """Those who are at the board."""
    stop: Final = Stop()
    """Set when the process is to leave."""
    opening: Final = threading.Lock()
    """Held while one is opened."""


def _begin(match: Match, opener: Opener) -> None:
    _Work.match, _Work.opener = match, opener


def _part() -> None:
    """Close the players."""
    # Who is being opened is waited for, lest he be overlooked; and nobody is opened any more.
    _Work.opening.acquire(timeout=PARTING)
    _Work.stop.set()
    # Not daemons: what the end of the match does to the game must not end the process before them.
    partings = [
        threading.Thread(target=_part_from, args=(player,)) for player in list(_Work.players)
    ]
    for parting in partings:
        parting.start()
    for parting in partings:
        parting.join(PARTING)


def _part_from(player: Player) -> None:
    with suppress(Exception):
        player.close()


def _open(words: str, game: str, settings: Settings, show: Show | None = None) -> Player:
    """Open a player, and remember it."""
    with _Work.opening:
        player = _Work.opener(words, game, settings, show)
        _Work.players.append(player)
    return player


def _play(fixture: Fixture) -> Played:
    try:
        return play_fixture(_Work.match, fixture, _open, _Work.stop)
    finally:
        _Work.players.clear()
