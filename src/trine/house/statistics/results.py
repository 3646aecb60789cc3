"""The results of a person in games that everybody may watch, by rule set, by seat, by opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, case, func, select

from trine.house.games.seat_rows import SeatKind
from trine.house.games.tables import SEAT
from trine.house.search.tables import APPEARANCE

MOST: Final = 20
"""The opponents that are told of: those met most often."""


@dataclass(frozen=True)
class Tally:
    """How some games ended for a person."""

    games: int
    won: int
    drawn: int

    @property
    def lost(self) -> int:
        """The games that were lost."""
        return self.games - self.won - self.drawn

    @property
    def score(self) -> float:
        """The mean result. Units: per cent."""
        return 100 * (self.won + self.drawn / 2) / self.games


@dataclass(frozen=True)
class SeatTally:
    """How the games in a seat of a rule set ended."""

    room: str
    rules: str
    seats: int
    """The number of players."""
    seat: int
    tally: Tally


@dataclass(frozen=True)
class OpponentTally:
    """How the games with another player ended."""

    person: str | None
    """The id of a person; None for a bot."""
    name: str
    """The name of the bot, or one that the person had at a board."""
    tally: Tally


def results_by_seat(connection: Connection, person: str) -> Sequence[SeatTally]:
    """Return the results of a person by game, rule set and seat, in that order."""
    c = APPEARANCE.c
    group = (c.room, c.rules, c.seats, c.seat)
    rows = connection.execute(
        select(*group, *_counts()).where(*_public(person)).group_by(*group).order_by(*group)
    )
    return [SeatTally(row.room, row.rules, row.seats, row.seat, _tally(row)) for row in rows]


def results_by_opponent(connection: Connection, person: str) -> Sequence[OpponentTally]:
    """Return the results of a person against those met most often, who come first."""
    c, other = APPEARANCE.c, SEAT.c
    met = (
        select(
            other.person,
            case((other.kind == SeatKind.BOT, other.name), else_="").label("bot"),
            other.name,
            c.score,
        )
        .join(SEAT, (other.game == c.game) & (other.seat != c.seat))
        .where(*_public(person), other.kind != SeatKind.FREE)
        .subquery()
    )
    group = (met.c.person, met.c.bot)
    counts = _counts(met.c.score)
    rows = connection.execute(
        select(*group, func.max(met.c.name).label("name"), *counts)
        .group_by(*group)
        .order_by(counts[0].desc(), func.max(met.c.name))
        .limit(MOST)
    )
    return [OpponentTally(row.person, row.bot or row.name, _tally(row)) for row in rows]


def _public(person: str) -> tuple[ColumnElement[bool], ...]:
    c = APPEARANCE.c
    return c.person == person, c.listed.is_(True), c.score.is_not(None)


def _counts(score: ColumnElement[Any] = APPEARANCE.c.score) -> Sequence[ColumnElement[Any]]:
    return (
        func.count().label("games"),
        func.sum(case((score == 1, 1), else_=0)).label("won"),
        func.sum(case((score == 0.5, 1), else_=0)).label("drawn"),
    )


def _tally(row: Row[Any]) -> Tally:
    return Tally(row.games, row.won, row.drawn)
