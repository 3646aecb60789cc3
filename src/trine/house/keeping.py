"""The belongings of people, in all subjects, and the things a house does not keep for ever.

What belongs to a person is told, deleted, or handed over with an account. Guests who stay away go,
their analyses before them, games and tournaments that never began, browsers that nobody uses, and
what moderators have long dealt with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, and_, delete, exists, select

from trine.core.clock import DAY, HOUR
from trine.core.errors import MalformedError
from trine.core.text.words import quoted
from trine.house.analysis import tables as analysis
from trine.house.analysis.studies import Studies
from trine.house.api import tables as api
from trine.house.games import own_data as games
from trine.house.games.follows import UNBEGUN
from trine.house.games.games import Games
from trine.house.games.tables import GAME, INVITATION, SEAT, SeatKind, Stage
from trine.house.house_settings import read_section
from trine.house.lessons import tables as lessons
from trine.house.letters import notices as letters
from trine.house.lobby import tables as lobby
from trine.house.moderation import tables as moderation
from trine.house.people import browsers, passkey_rows, relations, sanctions
from trine.house.people.credentials import delete_account
from trine.house.people.tables import PERSON, SESSION, PersonKind, drop_expired_tokens
from trine.house.puzzles import tables as puzzles
from trine.house.ratings import tables as ratings
from trine.house.search import tables as search
from trine.house.store.scheduled_tasks import SCHEDULED_TASK
from trine.house.store.schema import METADATA
from trine.house.store.store import Store
from trine.house.talk import tables as talk
from trine.house.tournaments import tables as tournaments

OWN: Final = (
    analysis.STUDY.c.owner,
    api.API_TOKEN.c.person,
    browsers.BROWSER.c.person,
    browsers.ACCOUNT_ADDRESS.c.person,
    lessons.LESSON_DONE.c.person,
    passkey_rows.PASSKEY.c.person,
    puzzles.TRY.c.person,
    relations.BLOCK.c.person,
    relations.FOLLOW.c.person,
    relations.FOLLOW.c.followed,
)
"""The columns by which a row belongs to an account, with which it goes."""


def forget_own(connection: Connection, person: str) -> None:
    """Remove the rows that belong to an account."""
    for column in OWN:
        connection.execute(delete(column.table).where(column == person))


FORGET: Final = (
    letters.forget_person,
    talk.forget_person,
    lobby.forget_person,
    ratings.forget_leaves,
    forget_own,
)
"""Remove the private data of an account from the database, and the name from the rest."""
TELL: Final = (
    relations.tell_person,
    browsers.tell_person,
    sanctions.tell_person,
    api.tell_person,
    moderation.tell_person,
    lobby.tell_person,
    ratings.tell_leaves,
    lessons.tell_person,
    puzzles.tell_person,
    talk.tell_person,
    letters.tell_person,
    ratings.tell_person,
    tournaments.tell_person,
    games.tell_person,
    analysis.tell_person,
)
"""Add the data of a person to the export for that person."""
HAND_OVER: Final = (search.hand_over, lessons.hand_over, analysis.hand_over, tournaments.hand_over)
"""Give the belongings of a guest to an account."""


LEADER: Final = "pruning"
"""The name of the leader that removes what is not kept, one of several processes."""
LOOKS: Final = HOUR
"""Units: seconds; the interval of removing it."""


@dataclass(frozen=True)
class Keep:
    """How long things are kept.

    Units: days.
    """

    guests: int = 180
    """A guest, since the last visit; likewise how long a browser is recognised."""
    analyses: int = 30
    """An analysis of a guest, since its last change."""
    unbegun: int = 14
    """A game or a tournament that has not begun, or was broken off before."""
    moderation: int = 365
    """A report that was dealt with, a sanction since its end, and the log of administrators."""

    def __post_init__(self) -> None:
        for name, days in asdict(self).items():
            if days < 1:
                raise MalformedError("{given} is less than a day", given=quoted(name))


def read_keep(folder: Path) -> Keep:
    """Return what the settings in the folder of a house say, or else the usual."""
    return read_section(folder, "keep", Keep) or Keep()


@dataclass(frozen=True)
class Pruning:
    """The removal of what is not kept.

    What is in memory is in use, and waits for the next time.
    """

    store: Store
    keep: Keep
    games: Games
    studies: Studies
    went: Counter[str] = field(default_factory=Counter)
    """The number of things that went since the start, by the settings of `Keep`."""

    async def prune(self) -> None:
        store, now = self.store, self.store.now()
        self.went["sessions"] += await store.commit(drop_expired_tokens, now)
        self.went["analyses"] += await self.studies.prune(now - self.keep.analyses * DAY)
        before = now - self.keep.unbegun * DAY
        while found := await store.fetch(unbegun_games, before):
            gone = [game for game in found if not self.games.has_loaded(game)]
            await store.commit(drop_games, gone)
            self.went["unbegun"] += len(gone)
            if len(gone) < len(found):
                break
        while guests := await store.fetch(gone_guests, now - self.keep.guests * DAY):
            for guest in guests:
                await store.commit(drop_guest, guest, now)
                self.went["guests"] += 1
        self.went["unbegun"] += await store.commit(tournaments.drop_unbegun, before)
        since = now - self.keep.moderation * DAY
        self.went["moderation"] += await store.commit(drop_moderation, since)
        self.went["browsers"] += await store.commit(browsers.forget_unused, now)


def unbegun_games(connection: Connection, before: float, limit: int = 100) -> list[str]:
    """Return some games from before a moment that wait for players, or were broken off."""
    c = GAME.c
    free = exists().where(SEAT.c.game == c.id, SEAT.c.kind == SeatKind.FREE)
    waiting = select(c.id).where(c.stage == Stage.WAITING, c.created_at < before, free)
    ended = (
        select(c.id)
        .join(SCHEDULED_TASK, SCHEDULED_TASK.c.ref == c.id)
        .where(
            SCHEDULED_TASK.c.kind == UNBEGUN, SCHEDULED_TASK.c.at < before, c.created_at < before
        )
    )
    found = [connection.execute(some.limit(limit)).scalars() for some in (waiting, ended)]
    return [*dict.fromkeys(game for games in found for game in games)]


def drop_games(connection: Connection, games: Sequence[str]) -> None:
    connection.execute(delete(SCHEDULED_TASK).where(SCHEDULED_TASK.c.ref.in_(games)))
    connection.execute(delete(INVITATION).where(INVITATION.c.game.in_(games)))
    for table, name in _naming(GAME):
        connection.execute(delete(table).where(table.c[name].in_(games)))
    connection.execute(delete(GAME).where(GAME.c.id.in_(games)))


def drop_moderation(connection: Connection, before: float) -> int:
    """Remove what administrators have dealt with before a moment; return how much it was."""
    old = {
        moderation.REPORT: moderation.REPORT.c.done_at < before,
        moderation.AUDIT: and_(
            moderation.AUDIT.c.at < before, moderation.AUDIT.c.what != moderation.VERSION
        ),
        sanctions.SANCTION: sanctions.SANCTION.c.until < before,
    }
    return sum(connection.execute(delete(table).where(one)).rowcount for table, one in old.items())


def gone_guests(connection: Connection, before: float, limit: int = 100) -> list[str]:
    """Return some guests from before a moment who are recognised in no browser any more."""
    recognised = exists().where(SESSION.c.person == PERSON.c.id)
    mine = (PERSON.c.kind == PersonKind.GUEST, PERSON.c.created_at < before, ~recognised)
    return list(connection.execute(select(PERSON.c.id).where(*mine).limit(limit)).scalars())


def drop_guest(connection: Connection, guest: str, now: float) -> None:
    """Remove a guest; where a game or another row still names them, a person without a name stays.

    The name under which they played stays in the games.
    """
    delete_account(connection, guest, FORGET, now)
    for table, name in _naming(PERSON):
        if connection.execute(select(table.c[name]).where(table.c[name] == guest).limit(1)).first():
            return
    connection.execute(delete(PERSON).where(PERSON.c.id == guest))


def _naming(table: Table) -> list[tuple[Table, str]]:
    """Return the columns that refer to a table, those first to whose tables none refers."""
    return [
        (other, column.name)
        for other in reversed(METADATA.sorted_tables)
        for column in other.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]
