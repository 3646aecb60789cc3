"""Detection of farmed ratings: suspicious results are listed, and administrators judge them.

A listed player is not accused: good players win often, too, and members of a small club meet daily.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import DAY
from trine.core.text.sentence import Text, ntext
from trine.core.work.cpu_account import in_thread
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of
from trine.house.games.storage.tables import seats_of_games
from trine.house.moderation.tables import AuditRow, add_audit, names_of
from trine.house.people.browsers import are_linked
from trine.house.people.tables import Person
from trine.house.ratings import recount, tables
from trine.house.ratings.ratings import EARLY_TURNS, turns_of
from trine.house.store.store import Store

PERIODS: Final = {days: ntext("{count} day", "{count} days", days) for days in (1, 7, 30)}
"""The periods that an administrator can choose, by their number of days."""
MAX_ROWS: Final = 20_000  # ratings examined
MIN_RISE: Final = 30.0
"""Units: rating points; players who win fewer are listed only for linked accounts. Guess."""
MIN_ONE_SIDED: Final = 3
"""The minimum number of games against one opponent, all won, that is suspicious. Guess."""
MIN_SHORT: Final = 3  # minimum number of short wins, or of fast ones, that is suspicious. Guess
FAST_TURN: Final = 1.0  # seconds per turn; people hardly play faster; guess
CLUSTER, CLUSTER_TIME = 4, 600.0
"""The minimum number of wins that is suspicious within a time in seconds. Guesses."""
MIN_SUSPICION: Final = 2  # the lowest suspicion score that is listed; guess
MAX_JOURNALS: Final = 1000  # games replayed for their length and pace
MAX_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A rated game between two people, from the view of one of them."""

    game: str
    at: float  # seconds since 1970; the end of the game
    score: float
    rise: float  # the rating points won, or lost if negative
    short: bool = False  # whether the game was much shorter than usual under any rule set
    fast: bool = False  # whether the game was played faster than people play


@dataclass
class OpponentResults:
    """The games of a person against one opponent."""

    person: str
    name: str = ""
    near: bool = False  # whether both accounts were used from one address or browser
    loses_to_one: bool = False
    """Whether the opponent has played only this person in the period, and lost all games."""
    games: list[RatedResult] = field(default_factory=list)

    @property
    def won(self) -> int:
        return sum(game.score == 1 for game in self.games)

    @property
    def rise(self) -> float:
        return sum(game.rise for game in self.games)

    @property
    def one_sided(self) -> bool:
        """Whether the person has won all games, and at least `MIN_ONE_SIDED`."""
        return len(self.games) >= MIN_ONE_SIDED and self.won == len(self.games)

    @property
    def summary(self) -> Text:
        return ntext(
            "{won} of {count} game won, {rise} points",
            "{won} of {count} games won, {rise} points",
            len(self.games),
            won=self.won,
            rise=f"{self.rise:+.0f}",
        )


@dataclass
class Climber:
    """A person whose rating may have risen suspiciously."""

    person: str
    name: str = ""
    against: list[OpponentResults] = field(default_factory=list)

    @property
    def rise(self) -> float:
        return sum(opponent.rise for opponent in self.against)

    @property
    def gain(self) -> float:
        wins = (game for opponent in self.against for game in opponent.games if game.score == 1)
        return sum(game.rise for game in wins)

    @property
    def suspicion(self) -> int:
        return sum(weight for weight, _ in self._weighed)

    @property
    def reasons(self) -> list[Text]:
        return [reason for _, reason in self._weighed]

    @property
    def _weighed(self) -> list[tuple[int, Text]]:
        """The reasons for suspicion, each with its weight."""
        wins = [game for opponent in self.against for game in opponent.games if game.score == 1]
        sided = [opponent for opponent in self.against if opponent.one_sided]
        won = sum(opponent.won for opponent in sided)
        losers = sum(opponent.loses_to_one for opponent in self.against)
        short, fast = sum(game.short for game in wins), sum(game.fast for game in wins)
        times = sorted(game.at for game in wins)
        row = max(
            (bisect_right(times, at + CLUSTER_TIME) - n for n, at in enumerate(times)), default=0
        )
        near = sum(opponent.near and opponent.won > 0 for opponent in self.against)
        rises = self.gain >= MIN_RISE
        all_won = ntext(
            "all games won ({won}) against {count} opponent",
            "all games won ({won}) against {count} opponents",
            len(sided),
            won=won,
        )
        all_lost = ntext(
            "{count} opponent has won nothing, and lost only to this person",
            "{count} opponents have won nothing, and lost only to this person",
            losers,
        )
        too_short = ntext(
            "{count} win in less than {turns} turns",
            "{count} wins in less than {turns} turns",
            short,
            turns=EARLY_TURNS,
        )
        too_fast = ntext(
            "{count} win faster than people play", "{count} wins faster than people play", fast
        )
        in_a_row = ntext("{count} win within ten minutes", "{count} wins within ten minutes", row)
        linked = ntext(
            "{count} opponent with the same address or browser",
            "{count} opponents with the same address or browser",
            near,
        )
        reasons = (
            (rises and bool(sided) and 2 * won >= len(wins), 2, all_won),
            (rises and losers > 1, 1 if losers == 2 else 2, all_lost),
            (short >= MIN_SHORT, 2, too_short),
            (fast >= MIN_SHORT, 1, too_fast),
            (rises and row >= CLUSTER, 1, in_a_row),
            (near > 0, 2, linked),
        )
        return [(weight, reason) for applies, weight, reason in reasons if applies]


def climbers(connection: Connection, since: float, now: float) -> list[Climber]:
    """Return the people whose ratings rose suspiciously, the most suspicious first.

    Limits: only games of two people; the last `MAX_ROWS` ratings since a time; at most
    `MAX_JOURNALS` wins are replayed.
    """
    games: defaultdict[tuple[str, str], list[RatedResult]] = defaultdict(list)
    for person, met, won in _rated_games(connection, since):
        games[person, met].append(won)
    found: dict[str, Climber] = {}
    for (person, met), played in games.items():
        climber = found.setdefault(person, Climber(person))
        between = OpponentResults(met, games=played)
        between.near = between.won > 0 and are_linked(connection, person, met, now)
        climber.against.append(between)
    for climber in found.values():
        for opponent in climber.against:
            met_by_opponent = found[opponent.person].against
            opponent.loses_to_one = len(met_by_opponent) == 1 and opponent.won == len(
                opponent.games
            )
    _replay(connection, found.values())
    suspects = [climber for climber in found.values() if climber.suspicion >= MIN_SUSPICION]
    suspects.sort(key=lambda climber: (-climber.suspicion, -climber.rise))
    del suspects[MAX_SHOWN:]
    people = {suspect.person for suspect in suspects}
    people |= {opponent.person for suspect in suspects for opponent in suspect.against}
    names = names_of(connection, people)
    for suspect in suspects:
        suspect.name = names.get(suspect.person, "?")
        for opponent in suspect.against:
            opponent.name = names.get(opponent.person, "?")
            opponent.games.sort(key=lambda won: -won.at)
        suspect.against.sort(key=lambda opponent: -opponent.rise)
    return suspects


def _replay(connection: Connection, people: Iterable[Climber]) -> None:
    """Mark which wins were short or fast, beginning with the people who gained most."""
    rose = [climber for climber in people if climber.gain >= MIN_RISE]
    rose.sort(key=lambda climber: -climber.gain)
    wins = (
        (opponent.games, number)
        for climber in rose
        for opponent in climber.against
        for number, game in enumerate(opponent.games)
        if game.score == 1
    )
    for games, number in islice(wins, MAX_JOURNALS):
        if entries := entries_of(read_events(connection, games[number].game)):
            turns, time = turns_of(entries), entries[-1].at - entries[0].at
            games[number] = replace(
                games[number], short=turns < EARLY_TURNS, fast=time < FAST_TURN * turns
            )


def _rated_games(connection: Connection, since: float) -> Iterable[tuple[str, str, RatedResult]]:
    """Yield rated games of two people, once for each: the person, the opponent, and the game."""
    by_game: defaultdict[str, list[tuple[tables.RatingRow, float]]] = defaultdict(list)
    before: dict[tuple[str, str], float] = {}
    for number, row in tables.ratings_since(connection, since, MAX_ROWS):
        own = row.person, row.discipline
        if own not in before:
            last = tables.rating_before(connection, *own, number)
            before[own] = 1500.0 if last is None else last
        by_game[row.game].append((row, row.rating - before[own]))
        before[own] = row.rating
    for rows in by_game.values():
        if len(rows) != 2:
            continue
        for (row, rise), (other, _) in (rows, rows[::-1]):
            yield row.person, other.person, RatedResult(row.game, row.at, row.score, rise)


@dataclass(frozen=True)
class Farming:
    """Lists suspicious ratings for administrators, and annuls or reinstates games."""

    store: Store

    async def climbers(self, days: int) -> Sequence[Climber]:
        now = self.store.now()
        return await self.store.fetch(climbers, now - days * DAY, now)

    async def uncounted(self) -> Sequence[tuple[tables.AnnulmentRow, str, list[str]]]:
        return await self.store.fetch(_last_uncounted)

    async def between(self, person_id: str, other: str | None, days: int) -> list[str]:
        since = self.store.now() - days * DAY
        return await in_thread(partial(games_between, self.store, person_id, other, since))

    async def annul(self, admin: Person, games: Collection[str]) -> list[str]:
        return await in_thread(partial(annul, self.store, games, admin.id, self.store.now()))

    async def reinstate(self, admin: Person, games: Collection[str]) -> list[str]:
        return await in_thread(partial(reinstate, self.store, games, admin.id, self.store.now()))


def annul(store: Store, games: Collection[str], actor: str | None, now: float) -> list[str]:
    """Annul games, and log it; return those that counted until now."""
    return recount.annul(store, games, actor, now, _log("games annulled", actor, now))


def reinstate(store: Store, games: Collection[str], actor: str | None, now: float) -> list[str]:
    """Reinstate annulled games, and log it; return those that were annulled."""
    return recount.reinstate(store, games, _log("games allowed", actor, now))


def _log(what: str, actor: str | None, now: float) -> recount.Log:
    """Return the write of an audit log entry, for the transaction that changes games."""

    def write(connection: Connection, games: Sequence[str]) -> None:
        row = AuditRow(at=now, actor=actor, what=what, person=None, detail=" ".join(games))
        add_audit(connection, row)

    return write


def games_between(store: Store, person_id: str, other: str | None, since: float) -> list[str]:
    """Return the rated games of a person since a time, against one opponent or, if None, all."""
    rows = store.read(tables.ratings_since, since)
    met = {row.game for _, row in rows if row.person != person_id and other in (None, row.person)}
    return [row.game for _, row in rows if row.person == person_id and row.game in met]


def _last_uncounted(connection: Connection) -> list[tuple[tables.AnnulmentRow, str, list[str]]]:
    """Return the last annulments, each with its administrator, or "", and the players' names."""
    rows = tables.last_annulments(connection, MAX_SHOWN)
    seats = seats_of_games(connection, [row.game for row in rows])
    names: Mapping[str, str] = names_of(connection, {row.actor for row in rows if row.actor})
    return [
        (row, names.get(row.actor or "", ""), [seat.name for seat in seats.get(row.game, [])])
        for row in rows
    ]
