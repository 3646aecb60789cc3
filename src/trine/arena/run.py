"""Playing a match: the order of its games, the records of their results, and its end."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass

from trine.arena.ledger import Ledger
from trine.arena.match import Match, Played
from trine.arena.schedule import Fixture
from trine.arena.standings import Standings
from trine.arena.workers import Here, Processes, Workers
from trine.core.errors import TrineError
from trine.core.text import text
from trine.engine.opener import Opener
from trine.protocol.players import open_player


@dataclass(frozen=True)
class Started:
    """The event that a game has begun."""

    fixture: Fixture


Event = Started | Played


def run_match(
    match: Match,
    standings: Standings,
    ledger: Ledger,
    *,
    processes: int = 1,
    opener: Opener = open_player,
) -> Generator[Event, None, None]:
    """Play the missing games of a match, and yield an event for each that begins or is over.

    A game whose end is yielded is in the ledger and in the standings. Closing the generator aborts
    the games that are being played; another run plays them anew.

    Args: ``processes`` is the number of games played at once; 0 plays them in this process.

    Raises:
        FileError: a game cannot be written to the ledger.
        TrineError: the words of an entrant name no player, a process has died, or a game failed.
    """
    missing = standings.missing()
    if not missing:
        return
    workers: Workers = (
        Processes(match, opener, min(processes, len(missing))) if processes else Here(match, opener)
    )
    with closing(workers):
        yield from _play_all(workers, missing, standings, ledger)


def _play_all(
    workers: Workers, missing: list[Fixture], standings: Standings, ledger: Ledger
) -> Generator[Event, None, None]:
    waiting = iter(missing)
    playing: dict[Future[Played], Fixture] = {}
    try:
        while True:
            while len(playing) < workers.count and (fixture := next(waiting, None)):
                yield Started(fixture)
                playing[workers.submit(fixture)] = fixture
            if not playing:
                return
            done = sorted(wait(playing, return_when=FIRST_COMPLETED).done, key=_number(playing))
            broken = [one for one in done if one.exception()]
            for one in done:
                if one not in broken:
                    with _named(playing[one], ledger):
                        played = one.result()
                        ledger.add(played.fixture.number, played.record, played.forfeits)
                        standings.add(played.fixture.number, played.record)
                    yield played
            for one in broken:
                with _named(playing[one], ledger):
                    one.result()  # raises the error of the game, after all results are kept
            for one in done:
                del playing[one]
            if standings.verdict:
                return
    except BrokenProcessPool:
        raise TrineError(
            text(
                "a process that was playing a game has died; with --out, the same command goes on "
                "with the match"
            )
        ) from None


def _number(playing: Mapping[Future[Played], Fixture]) -> Callable[[Future[Played]], int]:
    return lambda one: playing[one].number


@contextmanager
def _named(fixture: Fixture, ledger: Ledger) -> Iterator[None]:
    """Within the block, have faults of our own name their game."""
    try:
        yield
    except (TrineError, BrokenProcessPool):
        raise
    except Exception as error:
        raise ledger.keep_fault(fixture.number, error) from error
