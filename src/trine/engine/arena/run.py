"""Playing a match: the order of its games, the records of their results, and its end."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.core.work.workers import Shared, Underway, Workers
from trine.core.work.workplace import HERE, Workplace
from trine.engine.arena.ledger import Ledger
from trine.engine.arena.match import Match, Played
from trine.engine.arena.schedule import Fixture
from trine.engine.arena.standings import Standings
from trine.engine.arena.workers import part, play_game_of
from trine.engine.players.opener import Opener
from trine.engine.protocol.players import open_player


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
    workplace: Workplace = HERE,
    opener: Opener = open_player,
) -> Generator[Event, None, None]:
    """Play the missing games of a match, and yield an event for each that begins or is over.

    A game whose end is yielded is in the ledger and in the standings. Closing the generator aborts
    the games that are being played; another run plays them anew.

    Args: ``workplace`` is where the games are played, as many at once as it has workers.

    Raises:
        FileError: a game cannot be written to the ledger.
        TrineError: the words of an entrant name no player, a worker has died, or a game failed.
    """
    missing = standings.missing()
    if not missing:
        return
    with closing(workplace.open(len(missing), part)) as workers:
        terms = workers.share((match, opener))
        yield from _play_all(workers, terms, missing, standings, ledger)


def _play_all(
    workers: Workers,
    terms: Shared[tuple[Match, Opener]],
    missing: list[Fixture],
    standings: Standings,
    ledger: Ledger,
) -> Generator[Event, None, None]:
    waiting = iter(missing)
    playing: Underway[Fixture, Played] = Underway(workers)
    try:
        while True:
            while playing.has_room and (fixture := next(waiting, None)):
                yield Started(fixture)
                playing.submit(fixture, partial(play_game_of, terms, fixture))
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
                    game.result()  # raises the error of the game, after all results are kept
            if standings.verdict:
                return
    except BrokenExecutor:
        raise TrineError(
            text(
                "a process that was playing a game has died; with --out, the same command goes on "
                "with the match"
            )
        ) from None


@contextmanager
def _named(fixture: Fixture, ledger: Ledger) -> Iterator[None]:
    """Within the block, have faults of our own name their game."""
    try:
        yield
    except (TrineError, BrokenExecutor):
        raise
    except Exception as error:
        raise ledger.keep_fault(fixture.number, error) from error
