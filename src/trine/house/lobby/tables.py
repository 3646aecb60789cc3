"""The tables of challenges and open seats, and statistics of recent games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from sqlalchemy import Connection, Index, delete, select

from trine.core.clock import DAY
from trine.house.games.storage.tables import GAME, SEAT, SeatKind, Stage
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, check_here
from trine.house.people.takeout import Takeout
from trine.house.store.schema import Key, add_row, all_of, first_of, table_of

MONTH: Final = 30 * DAY
KNOWN: Final = 50
"""The number of seats taken in a month that makes the usual hours known. Guess."""


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A person's challenge of another person to a game."""

    id: Key[str]
    """The id of the challenge, and of the game that begins with it, so that API clients can find
    the game."""
    challenger: Annotated[str, "person.id"]
    challenged: Annotated[str, "person.id"]
    terms: Mapping[str, Any]
    side: int | None
    """The seat of the challenger; None for a random one."""
    created_at: float
    expires_at: float
    """Units: seconds since 1970."""


CHALLENGE: Final = table_of(
    "challenge",
    ChallengeRow,
    *(Index(None, column) for column in ("challenger", "challenged", "expires_at")),
)


def create_challenge(connection: Connection, row: ChallengeRow) -> None:
    """Add a challenge, and delete expired ones; raises `MissingRowError` for deleted people."""
    check_here(connection, (row.challenger, row.challenged))
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.expires_at <= row.created_at))
    add_row(connection, CHALLENGE, row)


def drop_challenge(connection: Connection, challenge: str) -> bool:
    """Delete a challenge; of concurrent callers, only one gets true."""
    return connection.execute(delete(CHALLENGE).where(CHALLENGE.c.id == challenge)).rowcount > 0


def open_challenges(connection: Connection, now: float, limit: int) -> list[ChallengeRow]:
    c = CHALLENGE.c
    wanted = select(CHALLENGE).where(c.expires_at > now).order_by(c.expires_at).limit(limit)
    return all_of(connection, ChallengeRow, wanted)


def read_challenge(connection: Connection, challenge: str) -> ChallengeRow | None:
    wanted = select(CHALLENGE).where(CHALLENGE.c.id == challenge)
    return first_of(connection, ChallengeRow, wanted)


@dataclass(frozen=True, slots=True)
class SeekRow:
    """An open seat in the lobby: a game that waits for players."""

    id: Key[str]
    terms: Mapping[str, Any]
    players: Sequence[str]
    """The ids of people; the person who opened the seek comes first."""
    side: int | None
    opened_at: float
    """Units: seconds since 1970."""
    within: int | None = None
    """Units: rating points; how far opponents' ratings may be from the first player's rating."""


SEEK: Final = table_of("seek", SeekRow)


def all_seeks(connection: Connection) -> list[SeekRow]:
    """Return the open seats, the oldest first."""
    return all_of(connection, SeekRow, select(SEEK).order_by(SEEK.c.opened_at))


def change_seeks(connection: Connection, expired: Iterable[str], now: Iterable[SeekRow]) -> None:
    rows = list(now)
    names = [*expired, *(row.id for row in rows)]
    connection.execute(delete(SEEK).where(SEEK.c.id.in_(names)))
    for row in rows:
        add_row(connection, SEEK, row)


@dataclass(frozen=True)
class Lately:
    """The people who have played lately, and the hour when most people play."""

    names: Sequence[str]
    """The names of the accounts with a public game in the last day, the latest first."""
    busiest: float | None
    """The next time of the hour when most games begin; None if unknown."""


def played_lately(connection: Connection, now: float, most: int = 5000) -> Lately:
    """Return who has played lately, from the ``most`` latest seats of the last month."""
    begun = GAME.c.created_at
    found = connection.execute(
        select(
            begun, GAME.c.terms["listed"].as_boolean(), PERSON.c.name, *ACCOUNT.c["person", "role"]
        )
        .join(SEAT, SEAT.c.game == GAME.c.id)
        .join(PERSON, PERSON.c.id == SEAT.c.person)
        .outerjoin(ACCOUNT, ACCOUNT.c.person == PERSON.c.id)
        .where(GAME.c.stage.in_((Stage.PLAYING, Stage.OVER)), begun > now - MONTH)
        .where(SEAT.c.kind == SeatKind.PERSON)
        .order_by(begun.desc())
        .limit(most)
    ).all()
    names: dict[str, None] = {}
    hours: Counter[int] = Counter()
    for at, shown, name, account, role in found:
        if role == BOT_ROLE:
            continue
        hours[int(at // 3600 % 24)] += 1
        if account and shown and at > now - DAY:
            names[name] = None
    if hours.total() < KNOWN:
        return Lately(list(names), None)
    hour = hours.most_common(1)[0][0]
    today = now - now % DAY + hour * 3600
    return Lately(list(names), today if today > now - 3600 else today + DAY)


def erase_person(connection: Connection, person_id: str) -> None:
    for side in (CHALLENGE.c.challenger, CHALLENGE.c.challenged):
        connection.execute(delete(CHALLENGE).where(side == person_id))
    for seek in all_seeks(connection):
        others = [one for one in seek.players if one != person_id]
        stays = [replace(seek, players=others)] if person_id != seek.players[0] else []
        if others != list(seek.players):
            change_seeks(connection, [seek.id], stays)


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    either = (CHALLENGE.c.challenger == person_id) | (CHALLENGE.c.challenged == person_id)
    rows = connection.execute(select(CHALLENGE).where(either).order_by(CHALLENGE.c.created_at))
    takeout.about["challenges"] = [
        {"terms": row.terms, "mine": row.challenger == person_id, "at": row.created_at}
        for row in rows
    ]
    takeout.about["open seats"] = [
        {"terms": row.terms, "at": row.opened_at}
        for row in all_seeks(connection)
        if person_id in row.players
    ]
