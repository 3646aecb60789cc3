"""Running a match: workers play its games, results go to the ledger, a test can end it.

Workers are processes, this process, or a cluster. They are not threads: Python code of one player
must not take time from another's clock, and a crash of compiled code must not end the match.
Starting a process takes a second. Before processes exit, or if this one is killed, they close their
players, engines included.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from trine.core.compiled.ahead import Show
from trine.core.errors import TrineError
from trine.core.work.stop import Stop
from trine.core.work.workers import IN_PROCESS, Backend, PendingJobs, Workers
from trine.engine.arena.ledger import Ledger
from trine.engine.arena.match import Match, Played, play_fixture
from trine.engine.arena.schedule import Fixture
from trine.engine.arena.standings import Standings
from trine.engine.players.player import Player
from trine.engine.players.player_factory import PlayerFactory, PlayerResources
from trine.engine.protocol.players import open_player

CLOSE_TIMEOUT: Final = 10.0
"""Units: seconds; the time for players to close when a match is aborted, which includes killing
programs that do not quit. Guess."""


def play_game_of(match: Match, factory: PlayerFactory, fixture: Fixture) -> Played:
    try:
        return play_fixture(match, fixture, partial(_open, factory), _Work.stop)
    finally:
        _Work.players.clear()


class _Work:
    """The state of a worker process."""

    players: Final[list[Player]] = []
    stop: Final = Stop()
    """Set when the process has to exit."""
    lock: Final = threading.Lock()
    """Held while a player is opened."""


def close_players() -> None:
    """Close the players of this process before it exits."""
    # Wait for a player that is being opened, to close it too; then no player can be opened.
    _Work.lock.acquire(timeout=CLOSE_TIMEOUT)
    _Work.stop.set()
    # Not daemons: the game may fail by this, and the process must not exit before they end.
    threads = [threading.Thread(target=_close, args=(player,)) for player in list(_Work.players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(CLOSE_TIMEOUT)


def _close(player: Player) -> None:
    with suppress(Exception):
        player.close()


def _open(
    factory: PlayerFactory,
    words: str,
    game: str,
    settings: PlayerResources,
    show: Show | None = None,
) -> Player:
    with _Work.lock:
        player = factory(words, game, settings, show)
        _Work.players.append(player)
    return player


@dataclass(frozen=True)
class Started:
    """Event: a game has begun."""

    fixture: Fixture


Event = Started | Played


def run_match(
    match: Match,
    standings: Standings,
    ledger: Ledger,
    *,
    backend: Backend = IN_PROCESS,
    factory: PlayerFactory = open_player,
) -> Generator[Event, None, None]:
    """Play the missing games of a match; yield an event when a game begins and ends.

    When the end of a game is yielded, the game is in the ledger and in the standings. Closing the
    generator aborts running games; another run plays them again. ``backend`` plays as many games in
    parallel as it has workers.

    Raises:
        FileError: a game cannot be written to the ledger.
        TrineError: an entrant names no player, a worker died, or a game failed.
    """
    missing = standings.missing()
    if not missing:
        return
    with closing(backend.open(len(missing), close_players)) as workers:
        play = partial(play_game_of, match, factory)
        yield from _play_all(workers, play, missing, standings, ledger)


def _play_all(
    workers: Workers,
    play: Callable[[Fixture], Played],
    missing: list[Fixture],
    standings: Standings,
    ledger: Ledger,
) -> Generator[Event, None, None]:
    waiting = iter(missing)
    playing: PendingJobs[Fixture, Played] = PendingJobs(workers)
    try:
        while True:
            while playing.has_capacity and (fixture := next(waiting, None)):
                yield Started(fixture)
                playing.submit(fixture, partial(play, fixture))
            done = sorted(playing.wait(), key=lambda one: one[0].number)
            if not done:
                return
            for fixture, game in done:
                if not game.exception():
                    with _named(fixture, ledger):
                        played = game.result()
                        ledger.add(played.fixture.number, played.record, played.forfeits)
                        standings.add(played.fixture.number, played.record)
                    yield played
            for fixture, game in done:
                with _named(fixture, ledger):
                    game.result()  # raises the error of the game, after all results are stored
            if standings.verdict:
                return
    except BrokenExecutor:
        raise TrineError(
            "a process that was playing a game has died; with --out, the same command goes on "
            "with the match"
        ) from None


@contextmanager
def _named(fixture: Fixture, ledger: Ledger) -> Iterator[None]:
    """Within the block, add the game to our own errors."""
    try:
        yield
    except (TrineError, BrokenExecutor):
        raise
    except Exception as error:
        raise ledger.keep_fault(fixture.number, error) from error
