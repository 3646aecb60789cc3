"""A match: many games between players, in parallel, stopped when a test is decided.

The terms of the match and the number of a game determine its opening, its seats, and the seeds of
the players, which are opened for each game. So a game does not depend on where and when it is
played, or on other games: with limits on nodes or depth, a match can be repeated exactly.
"""

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from trine.core.clock import Limits, TimeControl, format_time_control, parse_time_control
from trine.core.compiled.ahead import Show
from trine.core.contract.position import Seat
from trine.core.contract.record import Record
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, join, ntext, number, quoted, text, verbatim
from trine.core.work.stop import Stop
from trine.engine.arena import schedule
from trine.engine.arena.contest import MARGIN, Forfeited, Seated, play_game
from trine.engine.arena.opening_book import Openings, rng_for
from trine.engine.players.player import ForfeitError, Player, PlayerFactory, PlayerResources
from trine.engine.protocol.players import fingerprint, open_player
from trine.games import open_room
from trine.play.record.agreed_terms import check_clock
from trine.play.tournament.tournament import Plan

_SECONDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)s(?:/turn)?")
_NUMBER: Final = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
_BOTH_SECONDS: Final = re.compile(rf"(?=.*\.){_NUMBER}\+{_NUMBER}")


def format_budget(limits: Limits, control: TimeControl | None = None) -> str:
    """Return the limits of a turn, and the clock of the game, in the notation of records.

    >>> format_budget(Limits(nodes=20_000, hard=0.5))
    '0.5s/turn, 20000 nodes'
    """
    parts = [
        format_time_control(control) if control else "",
        f"{limits.hard:g}s/turn" if limits.hard else "",
        f"{limits.nodes} nodes" if limits.nodes else "",
        f"depth {limits.depth}" if limits.depth else "",
    ]
    return ", ".join(filter(None, parts)) or "no limit"


def budget_text(limits: Limits, control: TimeControl | None = None) -> Text:
    parts = [verbatim(format_time_control(control))] if control else []
    if limits.hard:
        parts.append(text("{seconds}s/turn", seconds=number(f"{limits.hard:g}")))
    if limits.nodes:
        parts.append(ntext("{count} node", "{count} nodes", limits.nodes))
    if limits.depth:
        parts.append(text("depth {depth}", depth=limits.depth))
    return join(parts) if parts else text("no limit")


def parse_budget(
    time: str = "", nodes: int | None = None, depth: int | None = None
) -> tuple[Limits, TimeControl | None]:
    """Read limits; ``time`` is ``0.5s`` for each turn, or a time control for the whole game.

    In ``5+3`` the 5 are minutes, as elsewhere in this program; with a decimal point, as in
    ``10+0.1``, both numbers are seconds, as in chess match programs.

    Raises:
        MalformedError: the time is neither of these, or is zero.

    >>> parse_budget("0.5s")[0].hard, parse_budget("0.5s/turn")[0].hard
    (0.5, 0.5)
    >>> parse_budget("15s/2m") == parse_budget("0:15/2")
    True
    >>> format_budget(*parse_budget("10+0.1")), format_budget(*parse_budget("10+1"))
    ('0.1s/10s', '0:01/10')
    """
    limits, words = Limits(depth, nodes), time.strip()
    if not time:
        return limits, None
    if found := _SECONDS.fullmatch(words):
        if not math.isclose(seconds := float(found[1]), 0):
            return replace(limits, hard=seconds), None
    elif found := _BOTH_SECONDS.fullmatch(words):
        control = parse_time_control(f"{found[2]}s/{found[1]}s")
        if not control.untimed:
            return limits, control
    else:
        control = parse_time_control(words)
        limited = nodes or depth or control.turn_time or control.total
        if limited or not control.untimed:
            return limits, control
    raise MalformedError("{given} leaves no time to think", given=quoted(time))


@dataclass(frozen=True)
class Entrant:
    """A participant of a match."""

    name: str
    words: str  # the specification for a `PlayerFactory`
    limits: Limits


@dataclass(frozen=True)
class Match:
    """The terms of a match, which determine its games."""

    entrants: tuple[Entrant, ...]
    openings: Openings
    lineups: tuple[schedule.Lineup, ...] = ()  # the lineups that play; empty: a round robin
    control: TimeControl | None = None
    """The time control of the whole game, the same for all players."""
    seed: int = 0
    hash_mb: int = 64  # MiB, for each player
    margin: float = MARGIN
    max_turns: int = 0  # turns; see `trine.engine.arena.contest.play_game`
    event: str = "match"
    today: str = ""  # the date in all records; empty for none
    plan: Plan | None = None
    """The plan if the match is a Challenge of the first player against the others; else None."""

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
            object.__setattr__(self, "lineups", schedule.challenge_lineups(len(self.entrants)))
        if not self.lineups:
            everyone = schedule.everyone_against_everyone(len(self.entrants), len(self.seats))
            object.__setattr__(self, "lineups", tuple(everyone))
        for lineup in self.lineups:
            schedule.check_lineup(lineup, len(self.seats))

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

    def fixtures(self, games: int) -> list[schedule.Fixture]:
        if self.plan:
            return schedule.challenge_schedule(self.plan, len(self.entrants), self.seats)
        return schedule.schedule(self.lineups, games)

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

    fixture: schedule.Fixture
    record: Record
    forfeits: tuple[Forfeited, ...] = ()


def play_fixture(
    match: Match,
    fixture: schedule.Fixture,
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


def _tags(match: Match, fixture: schedule.Fixture, entrants: Sequence[Entrant]) -> dict[str, str]:
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
    match: Match, fixture: schedule.Fixture, number: int, factory: PlayerFactory
) -> Player | ForfeitError:
    entrant = match.entrants[number]
    # The seed depends on the player and the game, not on the seat.
    seed = rng_for(match.seed, "player", fixture.number, entrant.name).getrandbits(31)
    try:
        return match.open(entrant, seed, factory)
    except ForfeitError as error:
        return error


ROUND: Final = "Round"  # the tag of the number of a game
