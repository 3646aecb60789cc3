"""Ratings that may have been farmed: what looks like it, for administrators, who judge it.

Nobody is accused: good players win often, too, and a small club meets the same people each day.
"""

from __future__ import annotations

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
from trine.house.games.events import read_events
from trine.house.games.records import entries_of
from trine.house.games.tables import seats_of_games
from trine.house.moderation.tables import AuditRow, add_audit, names_of
from trine.house.people.browsers import are_near
from trine.house.people.tables import Person
from trine.house.ratings import recount
from trine.house.ratings.ratings import EARLY_TURNS, turns_of
from trine.house.ratings.tables import (
    AnnulmentRow,
    RatingRow,
    last_annulments,
    rating_before,
    ratings_since,
)
from trine.house.store.store import Store

PERIODS: Final = {days: ntext("{count} day", "{count} days", days) for days in (1, 7, 30)}
"""The periods that can be looked at, by their days."""
MOST_ROWS: Final = 20_000
"""The number of ratings that are looked at."""
LEAST_RISE: Final = 30.0
"""Units: rating points; who gains less by wins is shown only for neighbours. Guess."""
ONE_SIDED: Final = 3
"""The number of games that one of two must have won, and lost none, to be noticed. Guess."""
LEAST_SHORT: Final = 3
"""The number of short games, or of fast ones, by which a winner is noticed. Guess."""
FAST: Final = 1.0
"""Units: seconds for each turn; games played faster are hardly played by people. Guess."""
CLUSTER, CLUSTER_TIME = 4, 600.0
"""The number of wins within a time in seconds by which a winner is noticed. Guess."""
SUSPECT: Final = 2
"""The score of suspicion from which on somebody is shown. Guess."""
MOST_JOURNALS: Final = 1000
"""The number of games that are replayed for their length and pace."""
SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Won:
    """A rated game between two people, for one of them."""

    game: str
    at: float
    """Units: seconds since 1970; when it ended."""
    score: float
    rise: float
    """The points won, or lost."""
    short: bool = False
    """Whether it was much shorter than games of any rule set usually are."""
    fast: bool = False
    """Whether it was played faster than people play."""


@dataclass
class Against:
    """The games of a person against another."""

    person: str
    name: str = ""
    near: bool = False
    """Whether both have been used from one address or browser."""
    loses_to_one: bool = False
    """Whether the other has lost all rated games of the time, and to nobody else."""
    games: list[Won] = field(default_factory=list)

    @property
    def won(self) -> int:
        return sum(one.score == 1 for one in self.games)

    @property
    def rise(self) -> float:
        return sum(one.rise for one in self.games)

    @property
    def one_sided(self) -> bool:
        """Whether one of the two won ever again."""
        return len(self.games) >= ONE_SIDED and self.won == len(self.games)

    @property
    def told(self) -> Text:
        return ntext(
            "{won} of {count} game won, {rise} points",
            "{won} of {count} games won, {rise} points",
            len(self.games),
            won=self.won,
            rise=f"{self.rise:+.0f}",
        )


@dataclass
class Climber:
    """A person whose rating rose in a way that an administrator should look at."""

    person: str
    name: str = ""
    against: list[Against] = field(default_factory=list)

    @property
    def rise(self) -> float:
        return sum(one.rise for one in self.against)

    @property
    def gain(self) -> float:
        return sum(game.rise for one in self.against for game in one.games if game.score == 1)

    @property
    def suspicion(self) -> int:
        return sum(weight for weight, _ in self._weighed)

    @property
    def reasons(self) -> list[Text]:
        return [told for _, told in self._weighed]

    @property
    def _weighed(self) -> list[tuple[int, Text]]:
        """Return the reasons with their weights."""
        told = []
        wins = [game for one in self.against for game in one.games if game.score == 1]
        sided = [one for one in self.against if one.one_sided]
        rises = self.gain >= LEAST_RISE
        won = sum(one.won for one in sided)
        if rises and sided and 2 * won >= len(wins):
            words = ntext(
                "all games won ({won}) against {count} opponent",
                "all games won ({won}) against {count} opponents",
                len(sided),
                won=won,
            )
            told.append((2, words))
        losers = sum(one.loses_to_one for one in self.against)
        if rises and losers > 1:
            words = ntext(
                "{count} opponent has won nothing, and lost only to this person",
                "{count} opponents have won nothing, and lost only to this person",
                losers,
            )
            told.append((1 if losers == 2 else 2, words))
        short = sum(game.short for game in wins)
        if short >= LEAST_SHORT:
            words = ntext(
                "{count} win in less than {turns} turns",
                "{count} wins in less than {turns} turns",
                short,
                turns=EARLY_TURNS,
            )
            told.append((2, words))
        fast = sum(game.fast for game in wins)
        if fast >= LEAST_SHORT:
            words = ntext(
                "{count} win faster than people play", "{count} wins faster than people play", fast
            )
            told.append((1, words))
        times = sorted(game.at for game in wins)
        row = max(
            (bisect_right(times, at + CLUSTER_TIME) - n for n, at in enumerate(times)), default=0
        )
        if rises and row >= CLUSTER:
            words = ntext("{count} win within ten minutes", "{count} wins within ten minutes", row)
            told.append((1, words))
        near = [one for one in self.against if one.near and one.won]
        if near:
            words = ntext(
                "{count} opponent with the same address or browser",
                "{count} opponents with the same address or browser",
                len(near),
            )
            told.append((2, words))
        return told


def climbers(connection: Connection, since: float, now: float) -> list[Climber]:
    """Return those who rose in a way to be looked at, the most suspicious first.

    Limits: games of two people; the last `MOST_ROWS` ratings since a moment; `MOST_JOURNALS` wins
    are replayed.
    """
    games: defaultdict[tuple[str, str], list[Won]] = defaultdict(list)
    for person, met, won in _rated(connection, since):
        games[person, met].append(won)
    found: dict[str, Climber] = {}
    for (person, met), played in games.items():
        climber = found.setdefault(person, Climber(person))
        between = Against(met, games=played)
        between.near = between.won > 0 and are_near(connection, person, met, now)
        climber.against.append(between)
    for climber in found.values():
        for other in climber.against:
            theirs = found[other.person].against
            other.loses_to_one = len(theirs) == 1 and other.won == len(other.games)
    _replay(connection, found.values())
    looked_at = [one for one in found.values() if one.suspicion >= SUSPECT]
    looked_at.sort(key=lambda one: (-one.suspicion, -one.rise))
    del looked_at[SHOWN:]
    people = {one.person for one in looked_at}
    people |= {other.person for one in looked_at for other in one.against}
    names = names_of(connection, people)
    for one in looked_at:
        one.name = names.get(one.person, "?")
        for other in one.against:
            other.name = names.get(other.person, "?")
            other.games.sort(key=lambda won: -won.at)
        one.against.sort(key=lambda other: -other.rise)
    return looked_at


def _replay(connection: Connection, people: Iterable[Climber]) -> None:
    """Note which wins of those who rose were short or fast, of those who rose most first."""
    rose = sorted((one for one in people if one.gain >= LEAST_RISE), key=lambda one: -one.gain)
    wins = (
        (other.games, number)
        for one in rose
        for other in one.against
        for number, game in enumerate(other.games)
        if game.score == 1
    )
    for games, number in islice(wins, MOST_JOURNALS):
        if entries := entries_of(read_events(connection, games[number].game)):
            turns, time = turns_of(entries), entries[-1].at - entries[0].at
            games[number] = replace(
                games[number], short=turns < EARLY_TURNS, fast=time < FAST * turns
            )


def _rated(connection: Connection, since: float) -> Iterable[tuple[str, str, Won]]:
    """Yield the games of two that were rated: a person, the other, and the game for the first."""
    by_game: defaultdict[str, list[tuple[RatingRow, float]]] = defaultdict(list)
    before: dict[tuple[str, str], float] = {}
    for number, row in ratings_since(connection, since, MOST_ROWS):
        own = row.person, row.discipline
        if own not in before:
            known = rating_before(connection, *own, number)
            before[own] = 1500.0 if known is None else known
        by_game[row.game].append((row, row.rating - before[own]))
        before[own] = row.rating
    for rows in by_game.values():
        if len(rows) != 2:
            continue
        for (row, rise), (other, _) in (rows, rows[::-1]):
            yield row.person, other.person, Won(row.game, row.at, row.score, rise)


@dataclass(frozen=True)
class Farming:
    """Farmed ratings, as administrators see and undo them."""

    store: Store

    async def climbers(self, days: int) -> Sequence[Climber]:
        now = self.store.now()
        return await self.store.fetch(climbers, now - days * DAY, now)

    async def uncounted(self) -> Sequence[tuple[AnnulmentRow, str, list[str]]]:
        return await self.store.fetch(_last_uncounted)

    async def between(self, person: str, other: str | None, days: int) -> list[str]:
        since = self.store.now() - days * DAY
        return await in_thread(partial(games_between, self.store, person, other, since))

    async def annul(self, admin: Person, games: Collection[str]) -> list[str]:
        """Let games count for nobody; return those that did count."""
        return await in_thread(partial(annul, self.store, games, admin.id, self.store.now()))

    async def allow(self, admin: Person, games: Collection[str]) -> list[str]:
        """Let games count again; return those that did not."""
        return await in_thread(partial(allow, self.store, games, admin.id, self.store.now()))


def annul(store: Store, games: Collection[str], actor: str | None, now: float) -> list[str]:
    """Let games count for nobody, and log it; return those that did count."""
    return recount.annul(store, games, actor, now, _log("games annulled", actor, now))


def allow(store: Store, games: Collection[str], actor: str | None, now: float) -> list[str]:
    """Let games count again, and log it; return those that did not."""
    return recount.allow(store, games, _log("games allowed", actor, now))


def _log(what: str, actor: str | None, now: float) -> recount.Log:
    """Return the write of the log, for the transaction in which games change."""

    def write(connection: Connection, games: Sequence[str]) -> None:
        add_audit(
            connection, AuditRow(at=now, actor=actor, what=what, person=None, told=" ".join(games))
        )

    return write


def games_between(store: Store, person: str, other: str | None, since: float) -> list[str]:
    """Return the rated games of a person since a moment, against another or against all people."""
    rows = store.read(ratings_since, since)
    theirs = {row.game for _, row in rows if row.person != person and other in (None, row.person)}
    return [row.game for _, row in rows if row.person == person and row.game in theirs]


def _last_uncounted(connection: Connection) -> list[tuple[AnnulmentRow, str, list[str]]]:
    """Return the last annulments, each with who made it, if a person, and who played."""
    rows = last_annulments(connection, SHOWN)
    seats = seats_of_games(connection, [row.game for row in rows])
    names: Mapping[str, str] = names_of(connection, {row.actor for row in rows if row.actor})
    return [
        (row, names.get(row.actor or "", ""), [seat.name for seat in seats.get(row.game, [])])
        for row in rows
    ]
