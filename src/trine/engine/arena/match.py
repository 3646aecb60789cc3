"""A match: many games between players, in parallel, stopped when a test is decided.

The terms of the match and the number of a game determine its opening, its seats, and the seeds of
the players, which are opened for each game. So a game does not depend on where and when it is
played, or on other games: with limits on nodes or depth, a match can be repeated exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from trine.core.clock import Limits, TimeControl, format_time_control
from trine.core.compiled.ahead import Show
from trine.core.contract.position import Seat
from trine.core.contract.record import Record
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.core.work.stop import Stop
from trine.engine.arena.budget import format_budget
from trine.engine.arena.challenge_match import challenge_lineups, challenge_schedule
from trine.engine.arena.contest import MARGIN, Forfeited, Seated, play_game
from trine.engine.arena.ledger import ROUND
from trine.engine.arena.opening_book import Openings, rng_for
from trine.engine.arena.schedule import (
    Fixture,
    Lineup,
    check_lineup,
    everyone_against_everyone,
    schedule,
)
from trine.engine.players.player import ForfeitError, Player
from trine.engine.players.player_factory import PlayerFactory, PlayerResources
from trine.engine.protocol.players import fingerprint, open_player
from trine.games import open_room
from trine.play.record.agreed_terms import check_clock
from trine.play.tournament.plan import Plan


@dataclass(frozen=True)
class Entrant:
    """A participant of a match."""

    name: str
    words: str
    """The specification for a `PlayerFactory`."""
    limits: Limits


@dataclass(frozen=True)
class Match:
    """The terms of a match, which determine its games."""

    entrants: tuple[Entrant, ...]
    openings: Openings
    lineups: tuple[Lineup, ...] = ()
    """The lineups that play; empty: a round robin."""
    control: TimeControl | None = None
    """The time control of the whole game, the same for all players."""
    seed: int = 0
    hash_mb: int = 64
    """Units: MiB, for each player."""
    margin: float = MARGIN
    max_turns: int = 0
    """Units: turns; see `trine.engine.arena.contest.play_game`."""
    event: str = "match"
    today: str = ""
    """The date in all records."""
    plan: Plan | None = None
    """The plan of a Challenge of the first player against the others, if any."""

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        for name in names:
            if names.count(name) > 1:
                raise MalformedError(
                    "two players are called {name}; write NAME=PLAYER", name=quoted(name)
                )
        if self.control:
            check_clock(open_room(self.openings.game), self.control)
        if self.plan:
            object.__setattr__(self, "lineups", challenge_lineups(len(self.entrants)))
        if not self.lineups:
            everyone = everyone_against_everyone(len(self.entrants), len(self.seats))
            object.__setattr__(self, "lineups", tuple(everyone))
        for lineup in self.lineups:
            check_lineup(lineup, len(self.seats))

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.openings.seats

    def open(
        self,
        entrant: Entrant,
        seed: int,
        factory: PlayerFactory = open_player,
        show: Show | None = None,
    ) -> Player:
        """Open a player; raises `ForfeitError` if silent, `TrineError` if it does not exist."""
        game = f"{self.openings.game}/{self.openings.rules}"
        settings = PlayerResources(self.hash_mb, seed=seed)
        return factory(entrant.words, game, settings, show)

    def schedule(self, games: int) -> list[Fixture]:
        if self.plan:
            return challenge_schedule(self.plan, len(self.entrants), self.seats)
        return schedule(self.lineups, games)

    def terms(self) -> dict[str, Any]:
        """Return the terms that must not change when a match is resumed, as JSON."""
        openings = self.openings
        weights = [fingerprint(entrant.words) for entrant in self.entrants]
        return {
            "game": f"{openings.game}/{openings.rules}",
            "players": [[entrant.name, entrant.words] for entrant in self.entrants],
            "limits": [format_budget(entrant.limits, self.control) for entrant in self.entrants],
            "meetings": [list(lineup) for lineup in self.lineups],
            "openings": {
                "kind": openings.title,
                "turns": openings.turns,
                "options": dict(openings.options),
                "book": rng_for(0, *openings.book).getrandbits(64) if openings.book else 0,
            },
            "seed": self.seed,
            "hash": self.hash_mb,
            "longest": self.max_turns,
            **({"weights": weights} if any(weights) else {}),
            **({"challenge": list(map(list, self.plan.handicaps))} if self.plan else {}),
        }


@dataclass(frozen=True)
class Played:
    """A finished game of a match."""

    fixture: Fixture
    record: Record
    forfeits: tuple[Forfeited, ...] = ()


def play_fixture(
    match: Match,
    fixture: Fixture,
    factory: PlayerFactory = open_player,
    stop: Stop | None = None,
) -> Played:
    """Play one game of a match; raises `TrineError` if an entrant names no player."""
    openings = match.openings.with_options(fixture.options)
    play = openings.begin(match.seed, fixture.opening)
    opening_turns = len(play.turns)
    players = [_open(match, fixture, number, factory) for number in fixture.lineup]
    entrants = [match.entrants[number] for number in fixture.lineup]
    seated = [
        Seated(entrant.name, player, entrant.limits)
        for entrant, player in zip(entrants, players, strict=True)
    ]
    try:
        finished = play_game(
            play,
            seated,
            control=match.control,
            margin=match.margin,
            max_turns=match.max_turns,
            stop=stop,
        )
    finally:
        for player in players:
            if not isinstance(player, ForfeitError):
                with suppress(Exception):  # an error while closing must not end the match
                    player.close()
    tags = _tags(match, fixture, entrants) | {"OpeningTurns": str(opening_turns)}
    return Played(fixture, finished.record(tags), tuple(finished.forfeits))


def _tags(match: Match, fixture: Fixture, entrants: Sequence[Entrant]) -> dict[str, str]:
    tags = {"Event": match.event, ROUND: str(fixture.number)}
    tags |= {seat.tag: entrant.name for seat, entrant in zip(match.seats, entrants, strict=True)}
    if match.today:
        tags["Date"] = match.today
    if match.control:
        tags["Clock"] = format_time_control(match.control)
    budgets = [format_budget(entrant.limits, match.control) for entrant in entrants]
    tags["TimeControl"] = budgets[0] if len(set(budgets)) == 1 else " - ".join(budgets)
    tags["Opening"] = f"{match.openings.title} {fixture.opening + 1}"
    return tags


def _open(
    match: Match, fixture: Fixture, number: int, factory: PlayerFactory
) -> Player | ForfeitError:
    entrant = match.entrants[number]
    # The seed depends on the player and the game, not on the seat.
    seed = rng_for(match.seed, "player", fixture.number, entrant.name).getrandbits(31)
    try:
        return match.open(entrant, seed, factory)
    except ForfeitError as error:
        return error
