"""The tables of tournaments, and the state of a tournament that is read from them.

Units: times are seconds since 1970.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final

import sqlalchemy as sa

from trine.house.games.live.agreement import Agreement
from trine.house.games.storage.events import EVENT
from trine.house.games.storage.tables import GAME, Stage, closed_since
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, PersonKind, read_person
from trine.house.people.takeout import Takeout
from trine.house.store import scheduled_tasks
from trine.house.store.schema import Key, all_of, columns_of, first_of, table_of
from trine.house.store.store import Store
from trine.play.tournament import challenge
from trine.play.tournament.tournament import (
    Pairing,
    Participant,
    Plan,
    Tournament,
    TournamentFormat,
)

TOURNAMENT_DUE: Final = "tournament"
"""The kind of scheduled task that begins a tournament, or ends the pairing of an arena."""
MAX_DUE: Final = 1000


class TournamentStage(StrEnum):
    """The stage of a tournament."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament: its plan, and the terms of its games."""

    id: Key[str]
    name: str
    owner: Annotated[str, "person.id"]
    plan: Mapping[str, Any]
    terms: Mapping[str, Any]
    listed: bool
    """Whether the tournament is in public lists; if not, it is reached only by its link."""
    most: int  # maximum number of participants
    stage: TournamentStage
    created_at: float  # seconds since 1970, as for all times here
    starts_at: float | None  # the starting time; None if the owner begins it by hand
    began_at: float | None = None
    ended_at: float | None = None

    @property
    def agreement(self) -> Agreement:
        """The agreement of all games; random options are drawn anew for each game."""
        return Agreement.from_data(self.terms)


TOURNAMENT: Final = table_of(
    "tournament", TournamentRow, sa.Index(None, "stage", "created_at"), sa.Index(None, "owner")
)


@dataclass(frozen=True, slots=True)
class StoredEntrant:
    """A person or a bot in a tournament."""

    entry: Key[int]  # number in the order of joining, from 1
    number: int | None  # the participant number; None until the tournament begins
    person: Annotated[str, "person.id"] | None
    bot: str  # the bot; empty for a person
    rating: float
    withdrawn: bool


ENTRANT: Final = table_of(
    "entrant",
    StoredEntrant,
    sa.Column("tournament", sa.ForeignKey("tournament.id"), primary_key=True),
    sa.Index(None, "person", "tournament", unique=True),
)


@dataclass(frozen=True, slots=True)
class EntrantRow(StoredEntrant):
    """An entrant, with the person's present name and kind of account."""

    name: str  # the present name of the person, or the bot
    account: bool
    program: bool

    @property
    def who(self) -> str:
        """The id of the person, or the name of the bot."""
        return self.person or self.bot


@dataclass(frozen=True, slots=True)
class StoredPairing:
    """A pairing of a tournament: a game between two participant numbers, or a bye."""

    number: Key[int]  # pairings are numbered from 1
    round: int
    first: int
    second: int | None
    game: Annotated[str, "game.id"] | None
    """The id of the game; None before it is created, and for byes and forfeits."""
    first_points: float | None
    second_points: float | None
    played: bool

    @property
    def pairing(self) -> Pairing:
        seats = (self.first,) if self.second is None else (self.first, self.second)
        points = None
        if self.first_points is not None:
            points = (self.first_points, self.second_points or 0.0)[: len(seats)]
        return Pairing(self.round, seats, points, self.played)


PAIRING: Final = table_of(
    "pairing",
    StoredPairing,
    sa.Column("tournament", sa.ForeignKey("tournament.id"), primary_key=True),
    sa.Index(None, "game", unique=True),
)


@dataclass(frozen=True, slots=True)
class PairingRow(StoredPairing):
    """A pairing, with the stage of its game."""

    stage: Stage | None


def read(connection: sa.Connection, tournament: str) -> TournamentRow | None:
    wanted = sa.select(TOURNAMENT).where(TOURNAMENT.c.id == tournament)
    return first_of(connection, TournamentRow, wanted)


def read_whole(
    connection: sa.Connection, tournament: str
) -> tuple[TournamentRow, list[EntrantRow], list[PairingRow], str, float] | None:
    """Return a tournament, its entrants, its pairings, and the name of its owner.

    The last value is how many seconds the house was closed since the tournament began.
    """
    row = read(connection, tournament)
    if not row:
        return None
    owner = read_person(connection, row.owner)
    closed = closed_since(connection, row.began_at) if row.began_at else 0.0
    return (
        row,
        entrants(connection, tournament),
        pairings(connection, tournament),
        owner.name if owner else "",
        closed,
    )


def drop_unbegun(connection: sa.Connection, before: float) -> int:
    """Delete tournaments created before a time and cancelled without a game; return how many."""
    c = TOURNAMENT.c
    cancelled = (c.stage == TournamentStage.CANCELLED) & (c.created_at < before)
    played = sa.exists().where(PAIRING.c.tournament == c.id)
    gone = list(connection.execute(sa.select(c.id).where(cancelled, ~played)).scalars())
    connection.execute(sa.delete(ENTRANT).where(ENTRANT.c.tournament.in_(gone)))
    return connection.execute(sa.delete(TOURNAMENT).where(c.id.in_(gone))).rowcount


def entrants(connection: sa.Connection, tournament: str) -> list[EntrantRow]:
    """Return the entrants, in the order of joining."""
    found = (
        sa.select(
            *columns_of(ENTRANT, StoredEntrant),
            sa.func.coalesce(PERSON.c.name, ENTRANT.c.bot).label("name"),
            sa.func.coalesce(PERSON.c.kind == PersonKind.ACCOUNT, sa.false()).label("account"),
            sa.func.coalesce(ACCOUNT.c.role == BOT_ROLE, sa.false()).label("program"),
        )
        .outerjoin(PERSON, PERSON.c.id == ENTRANT.c.person)
        .outerjoin(ACCOUNT, ACCOUNT.c.person == ENTRANT.c.person)
        .where(ENTRANT.c.tournament == tournament)
    )
    return all_of(connection, EntrantRow, found.order_by(ENTRANT.c.entry))


def pairings(connection: sa.Connection, tournament: str) -> list[PairingRow]:
    found = (
        sa.select(*columns_of(PAIRING, StoredPairing), GAME.c.stage)
        .outerjoin(GAME, GAME.c.id == PAIRING.c.game)
        .where(PAIRING.c.tournament == tournament)
    )
    return all_of(connection, PairingRow, found.order_by(PAIRING.c.number))


def in_stages(
    connection: sa.Connection,
    stages: Sequence[TournamentStage],
    limit: int = 1000,
    *,
    listed: bool = False,
) -> list[TournamentRow]:
    """Return the newest tournaments in these stages, newest first."""
    wanted = sa.select(TOURNAMENT).where(TOURNAMENT.c.stage.in_(stages))
    if listed:
        wanted = wanted.where(TOURNAMENT.c.listed.is_(True))
    newest = wanted.order_by(TOURNAMENT.c.created_at.desc()).limit(limit)
    return all_of(connection, TournamentRow, newest)


def of_person(connection: sa.Connection, person_id: str, *stages: str) -> list[TournamentRow]:
    """Return a person's tournaments, in any of ``stages`` if given, newest first."""
    joined = sa.select(ENTRANT.c.tournament).where(ENTRANT.c.person == person_id)
    mine = sa.select(TOURNAMENT).where(
        (TOURNAMENT.c.owner == person_id) | TOURNAMENT.c.id.in_(joined)
    )
    if stages:
        mine = mine.where(TOURNAMENT.c.stage.in_(stages))
    return all_of(connection, TournamentRow, mine.order_by(TOURNAMENT.c.created_at.desc()))


def counts(connection: sa.Connection, tournaments: Sequence[str]) -> dict[str, int]:
    found = connection.execute(
        sa.select(ENTRANT.c.tournament, sa.func.count().label("total"))
        .where(ENTRANT.c.tournament.in_(tournaments))
        .group_by(ENTRANT.c.tournament)
    )
    return {row.tournament: row[1] for row in found}


def to_see_to(connection: sa.Connection, now: float) -> set[str]:
    due = scheduled_tasks.tasks_due(connection, TOURNAMENT_DUE, now, MAX_DUE)
    return {*(one.ref for one in due), *with_games_over(connection)}


def with_games_over(connection: sa.Connection) -> list[str]:
    """Return the running tournaments with finished games whose results are not stored yet."""
    running = sa.select(TOURNAMENT.c.id).where(TOURNAMENT.c.stage == TournamentStage.RUNNING)
    found = connection.execute(
        sa.select(PAIRING.c.tournament)
        .distinct()
        .join(GAME, GAME.c.id == PAIRING.c.game)
        .where(
            PAIRING.c.tournament.in_(running),
            PAIRING.c.first_points.is_(None),
            GAME.c.stage == Stage.OVER,
        )
    )
    return list(found.scalars())


def transfer(connection: sa.Connection, guest: str, account: str) -> None:
    """Transfer a guest's tournament entries to an account, except where both take part."""
    entered = sa.select(ENTRANT.c.tournament).where(ENTRANT.c.person == account)
    mine = (ENTRANT.c.person == guest) & ENTRANT.c.tournament.not_in(entered)
    connection.execute(sa.update(ENTRANT).where(mine).values(person=account))


def games_of_tournament(connection: sa.Connection, tournament: str) -> list[str]:
    """Return the games of a tournament that have begun."""
    mine = (PAIRING.c.tournament == tournament) & PAIRING.c.game.is_not(None)
    return list(connection.execute(sa.select(PAIRING.c.game).where(mine)).scalars())


def take_event_off(
    connection: sa.Connection,
    game_id: str,
    tournament_id: str,
    also: Callable[[sa.Connection], None] | None,
) -> None:
    """Replace the tournament's name in the terms and the record of one of its games."""
    for column, here in ((GAME.c.terms, GAME.c.id == game_id), (EVENT.c.data, _first(game_id))):
        data = connection.execute(sa.select(column).where(here)).scalar()
        part = "event" if column is GAME.c.terms else "tags"
        if data and "Event" in data.get(part, {}):
            data = {**data, part: {**data[part], "Event": tournament_id}}
            connection.execute(sa.update(column.table).where(here).values({column.key: data}))
    if also:
        also(connection)


def _first(game_id: str) -> sa.ColumnElement[bool]:
    return (EVENT.c.game == game_id) & (EVENT.c.seq == 1)


def export_person(connection: sa.Connection, person_id: str, takeout: Takeout) -> None:
    takeout.about["tournaments"] = [
        {"id": row.id, "name": row.name, "owner": row.owner == person_id}
        for row in of_person(connection, person_id)
    ]


@dataclass(frozen=True)
class TournamentState:
    """A tournament as it is stored."""

    row: TournamentRow
    entrants: Sequence[EntrantRow]  # the entrants, in the order of joining
    pairings: Sequence[PairingRow]
    owner: str = ""  # name of the person who created it
    closed: float = 0.0  # seconds; how long the house was closed since the tournament began
    made: dict[tuple[str, bool], str | bytes] = field(default_factory=dict, compare=False)
    """A cache of page messages, by language and whether the viewer may join."""

    @cached_property
    def plan(self) -> Plan:
        return plan_from(self.row.plan)

    @cached_property
    def agreement(self) -> Agreement:
        return self.row.agreement

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament as a value, once it has begun."""
        people = (_participant(one, n) for n, one in sorted(self._by_number.items()))
        return Tournament(self.plan, tuple(people), tuple(one.pairing for one in self.pairings))

    @property
    def arena_ends_at(self) -> float | None:
        """The end of a running arena's pairing; its time pauses while the house is closed."""
        if self.row.began_at is None or self.plan.format is not TournamentFormat.ARENA:
            return None
        return self.row.began_at + 60 * self.plan.minutes + self.closed

    @cached_property
    def _by_number(self) -> Mapping[int, EntrantRow]:
        # A substitute's later row has the number of the replaced entrant, and overrides that row.
        return {one.number: one for one in self.entrants if one.number is not None}

    @cached_property
    def vacant(self) -> Sequence[EntrantRow]:
        """The withdrawn defenders of a running Challenge who have games left to play."""
        if (
            self.plan.format is not TournamentFormat.CHALLENGE
            or self.row.stage is not TournamentStage.RUNNING
        ):
            return ()
        return [
            one
            for number, one in self._by_number.items()
            if one.withdrawn and challenge.waits_for_substitute(self.tournament, number)
        ]

    def replaced(self, one: EntrantRow) -> EntrantRow | None:
        """Return the entrant whom this one has replaced as a substitute, if any."""
        former = [
            other
            for other in self.entrants
            if other.number == one.number is not None and other.entry < one.entry
        ]
        return former[-1] if former else None

    def entrant(self, number: int) -> EntrantRow:
        return self._by_number[number]

    def of_person(self, person_id: str | None) -> EntrantRow | None:
        """Return the entrant who is this person, if any."""
        found = (one for one in self.entrants if person_id and one.person == person_id)
        return next(found, None)

    def numbered(self, entries: Sequence[int]) -> Tournament:
        known = {one.entry: one for one in self.entrants}
        people = (_participant(known[entry], n) for n, entry in enumerate(entries, 1))
        return Tournament(self.plan, tuple(people))

    def free(self, waiting: Collection[str]) -> set[int]:
        """Return the numbers of waiting arena players, and of a bot if they are odd in number."""
        busy = {seat for one in self.tournament.running for seat in one.seats}
        staying = {
            number: one
            for number, one in self._by_number.items()
            if number not in busy and not one.withdrawn
        }
        people = {number for number, one in staying.items() if one.person in waiting}
        bots = [number for number, one in staying.items() if one.bot]
        return people | set(bots[: len(people) % 2])

    def game_of(self, person_id: str | None) -> str | None:
        """Return the id of a person's first unfinished game, if any."""
        own = self.of_person(person_id)
        if not own or own.number is None or self.entrant(own.number) is not own:
            return None
        mine = (one for one in self.pairings if own.number in one.pairing.seats)
        return next((one.game for one in mine if one.game and one.pairing.open), None)

    def agreement_of(self, number: int) -> Agreement:
        """Return the agreement for the game of a pairing."""
        pairing = self.pairings[number - 1].pairing
        usual, options = self.agreement, dict[str, str]()
        if self.plan.format is TournamentFormat.CHALLENGE:
            given = challenge.handicap(self.tournament, pairing)
            seat = next(n for n, who in enumerate(pairing.seats) if who != challenge.CHALLENGER)
            options = challenge.handicap_options(given, usual.terms().start.seats[seat].tag)
        event = {"Event": self.row.name, "Round": str(pairing.round)}
        again = replace(usual.again(options), takebacks=False, casual=False)
        return replace(again, tournament=self.row.id, event=event)


def read_state(store: Store, tournament_id: str) -> TournamentState | None:
    found = store.read(read_whole, tournament_id)
    return TournamentState(*found) if found else None


def plan_as_data(plan: Plan) -> dict[str, Any]:
    return {**asdict(plan), "handicaps": list(map(list, plan.handicaps))}


def plan_from(data: Mapping[str, Any]) -> Plan:
    """Read a plan from the result of `plan_as_data`."""
    lists = data["handicaps"]
    if lists and isinstance(lists[0], str):  # the former format: one list for all defenders
        lists = [lists]
    # Former versions stored lists longer than the number of games; the surplus was never used.
    handicaps = tuple(tuple(own[: data["games"]]) for own in lists)
    return Plan(**{**data, "format": TournamentFormat(data["format"]), "handicaps": handicaps})


def _participant(one: EntrantRow, number: int) -> Participant:
    return Participant(number, one.name, one.rating, one.withdrawn)
