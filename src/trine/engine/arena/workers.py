"""The workers that play the games of a match: processes, this one, or those of a cluster.

Processes, not threads: one player's computing in Python must not take time from another's clock,
and a fault in compiled code must not end the match. Each costs a second, once. When they are to
leave, or this process is killed, they close their players first, engines included.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from typing import Final

from trine.core.compiled.ahead import Show
from trine.core.work.stop import Stop
from trine.core.work.workers import Shared
from trine.engine.arena.match import Match, Played, play_fixture
from trine.engine.arena.schedule import Fixture
from trine.engine.players.opener import Opener, Settings
from trine.engine.players.player import Player

PARTING: Final = 10.0
"""Units: seconds; the time that players have to close when a match is aborted, and to kill programs
that do not quit when they are asked. Guess."""


def play_game_of(terms: Shared[tuple[Match, Opener]], fixture: Fixture) -> Played:
    """Play a game of a match: the job of a worker."""
    match, opener = terms.get()
    try:
        return play_fixture(match, fixture, partial(_open, opener), _Work.stop)
    finally:
        _Work.players.clear()


class _Work:
    """The state of a process."""

    players: Final[list[Player]] = []
    """The players of the present game."""
    stop: Final = Stop()
    """Set when the process is to leave."""
    opening: Final = threading.Lock()
    """Held while a player is opened."""


def part() -> None:
    """Close the players of this process, which is to leave."""
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


def _open(
    opener: Opener, words: str, game: str, settings: Settings, show: Show | None = None
) -> Player:
    """Open a player, and keep it in the state of the process."""
    with _Work.opening:
        player = opener(words, game, settings, show)
        _Work.players.append(player)
    return player
