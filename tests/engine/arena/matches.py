"""Small matches for tests."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.arena.players import open_fake
from trine.core.clock import Limits
from trine.core.contract.record import format_record, read_records
from trine.core.play import Play
from trine.core.work.workers import Backend
from trine.engine.arena.elo import Sprt
from trine.engine.arena.match import Entrant, Match
from trine.engine.arena.opening_book import Openings, parse_openings
from trine.engine.arena.run import Event, Ledger, run_match
from trine.engine.arena.standings import Standings
from trine.engine.players.player import PlayerFactory


def small_match(
    *kinds: str,
    game: str = "tzaar",
    openings: str = "auto",
    seconds: float | None = None,
    seed: int = 1,
    **options: str,
) -> Match:
    """A match between fakes, called A, B, C; the same one every time."""
    limits = Limits(hard=seconds) if seconds else Limits(nodes=100)
    entrants = [Entrant(name, kind, limits) for name, kind in zip("ABCDEFGH", kinds, strict=False)]
    name, _, rules = game.partition("/")
    given = {tag.capitalize(): value for tag, value in options.items()}
    rules = rules or {"tzaar": "official", "corridor": "quoridor", "arimaa": "official"}[name]
    return Match(tuple(entrants), parse_openings(openings, name, rules, given), seed=seed)


@dataclass(frozen=True)
class BrokenOpenings(Openings):
    """Whose third opening fails."""

    def begin(self, seed: int, number: int) -> Play:
        if number == 2:
            raise LookupError("page torn out")
        return super().begin(seed, number)


def play_through(
    match: Match,
    games: int,
    path: Path | None = None,
    *,
    processes: int = 0,
    backend: Backend | None = None,
    test: Sprt | None = None,
    at_most: int | None = None,
    factory: PlayerFactory = open_fake,
) -> tuple[Standings, list[Event]]:
    """Play a match, or go on with it; break off after so many finished games."""
    standings = Standings(match.fixtures(games), match.seats, test)
    ledger = Ledger.open(path, match.terms()) if path else Ledger.in_memory()
    place = backend or Backend(processes)
    running = run_match(match, standings, ledger, backend=place, factory=factory)
    events = []
    with closing(ledger), closing(running):
        standings.load(ledger.records)
        before = len(standings.points)
        for event in running:
            events.append(event)
            if at_most is not None and len(standings.points) - before >= at_most:
                break
    return standings, events


def records_by_number(path: Path) -> dict[int, str]:
    records = read_records(path.read_text(encoding="utf-8").splitlines(keepends=True))
    return {int(record.tags["Round"]): format_record(record) for record in records}
