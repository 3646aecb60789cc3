"""The workers that play the games of a match: processes, or this one.

Processes, not threads: one player's computing in Python must not take time from another's clock,
and a fault in compiled code must not end the match. Each costs a second, once. When they are to
leave, or this process is killed, they close their players first, engines included.
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
"""Units: seconds; the time that players have to close when a match is aborted, and to kill programs
that do not quit when they are asked. Guess."""


class Workers(Protocol):
    """Workers that play games."""

    count: int
    """The number of games played at once."""

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Have a worker play a game."""

    def close(self) -> None:
        """Abort the games that are being played."""


class Here:
    """The worker that is this process and thread, for one game after the other."""

    count = 1

    def __init__(self, match: Match, opener: Opener) -> None:
        self._match, self._opener = match, opener

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Play a game now."""
        done: Future[Played] = Future()
        try:
            done.set_result(play_fixture(self._match, fixture, self._opener))
        except Exception as error:  # in the future, as from a process
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Do nothing: no game is being played."""


class Processes:
    """Processes that play a game each."""

    def __init__(self, match: Match, opener: Opener, count: int) -> None:
        self.count = count
        self._pool = WorkerPool(count, begin=partial(_begin, match, opener), part=_part)

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Have a worker play a game."""
        return self._pool.submit(partial(_play, fixture))

    def close(self) -> None:
        """Abort the games that are being played."""
        self._pool.close()


# --- in the processes ----------------------------------------------------------------------------


class _Work:
    """The state of a process."""

    match: Match
    opener: Opener
    players: Final[list[Player]] = []
    """The players of the present game."""
    stop: Final = Stop()
    """Set when the process is to leave."""
    opening: Final = threading.Lock()
    """Held while a player is opened."""


def _begin(match: Match, opener: Opener) -> None:
    _Work.match, _Work.opener = match, opener


def _part() -> None:
    """Close the players."""
    # Wait for a player that is being opened, so that it is closed too; later ones are not opened.
    _Work.opening.acquire(timeout=PARTING)
    _Work.stop.set()
    # Not daemons: the process must not end before them when the game fails by this.
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
    """Open a player, and keep it in the state of the process."""
    with _Work.opening:
        player = _Work.opener(words, game, settings, show)
        _Work.players.append(player)
    return player


def _play(fixture: Fixture) -> Played:
    try:
        return play_fixture(_Work.match, fixture, _open, _Work.stop)
    finally:
        _Work.players.clear()
