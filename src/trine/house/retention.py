"""Data retention: how personal data is exported, erased and transferred, and what expires.

These expire: inactive guests and, sooner, their analyses; games and tournaments that never began;
unused browsers; closed moderation cases.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, and_, delete, exists, select

from trine.core.clock import DAY, HOUR
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.house.analysis import tables as analysis
from trine.house.analysis.study import StudyRegistry
from trine.house.api import tokens as api
from trine.house.games.live.change_hooks import UNBEGUN
from trine.house.games.live.games import Games
from trine.house.games.storage import own_games as games
from trine.house.games.storage.tables import GAME, INVITATION, SEAT, SeatKind, Stage
from trine.house.house_settings import read_section
from trine.house.lessons import progress as lessons
from trine.house.lobby import tables as lobby
from trine.house.moderation import tables as moderation
from trine.house.notify import notices
from trine.house.people import browsers, factors, relations, sanctions
from trine.house.people.credentials import delete_account
from trine.house.people.tables import PERSON, SESSION, PersonKind, drop_expired_tokens
from trine.house.puzzles import moments, puzzles
from trine.house.ratings import tables as ratings
from trine.house.search import tables as search
from trine.house.store.scheduled_tasks import SCHEDULED_TASK
from trine.house.store.schema import METADATA
from trine.house.store.store import Store
from trine.house.talk import tables as talk
from trine.house.tournaments import tables as tournaments

OWNER_COLUMNS: Final = (
    analysis.STUDY.c.owner,
    api.API_TOKEN.c.person,
    browsers.BROWSER.c.person,
    browsers.ACCOUNT_ADDRESS.c.person,
    lessons.LESSON_DONE.c.person,
    factors.PASSKEY.c.person,
    factors.RECOVERY_CODE.c.person,
    factors.SECOND_FACTOR.c.person,
    puzzles.TRY.c.person,
    moments.SENT_MOMENT.c.owner,
    relations.BLOCK.c.person,
    relations.FOLLOW.c.person,
    relations.FOLLOW.c.followed,
)
"""Columns that tie a row to an account; both are deleted together."""


def forget_own(connection: Connection, person_id: str) -> None:
    for column in OWNER_COLUMNS:
        connection.execute(delete(column.table).where(column == person_id))


FORGET: Final = (
    notices.erase_person,
    talk.erase_person,
    lobby.erase_person,
    ratings.forget_leaves,
    forget_own,
)
"""Functions that erase the private data of an account, and its name everywhere else."""
TELL: Final = (
    relations.export_person,
    browsers.export_person,
    sanctions.export_person,
    api.export_person,
    moderation.export_person,
    lobby.export_person,
    ratings.tell_leaves,
    lessons.export_person,
    puzzles.export_person,
    moments.export_person,
    talk.export_person,
    notices.export_person,
    ratings.export_person,
    tournaments.export_person,
    games.export_person,
    analysis.export_person,
)
"""Functions that add the data of a person to an export."""
HAND_OVER: Final = (
    search.transfer,
    lessons.transfer,
    moments.transfer,
    analysis.transfer,
    tournaments.transfer,
)
"""Functions that transfer a guest's data to an account."""


LEADER: Final = "pruning"  # name of the leader, the one process that deletes expired data
POLL_INTERVAL: Final = HOUR  # seconds; the interval between deletions of expired data


@dataclass(frozen=True)
class Retention:
    """Units: days; how long data is kept before it expires."""

    guests: int = 180  # a guest, since the last visit; also any session, since its last use
    analyses: int = 30  # a guest's analysis, since its last change
    unbegun: int = 14
    """A game or a tournament that has not begun, or was aborted before its first turn."""
    moderation: int = 365
    """A closed report, a sanction since its end, and an entry of the audit log."""

    def __post_init__(self) -> None:
        for name, days in asdict(self).items():
            if days < 1:
                raise MalformedError("{given} is less than a day", given=quoted(name))


def read_retention(folder: Path) -> Retention:
    """Read from the settings in the house's folder how long data is kept, or use the defaults."""
    return read_section(folder, "keep", Retention) or Retention()


@dataclass(frozen=True)
class Pruning:
    """Deletes expired data, except games and analyses in memory, which are in use."""

    store: Store
    keep: Retention
    games: Games
    studies: StudyRegistry
    went: Counter[str] = field(default_factory=Counter)
    """The number of deleted items since the start, by the settings of `Retention`."""

    async def prune(self) -> None:
        store, now = self.store, self.store.now()
        self.went["sessions"] += await store.commit(drop_expired_tokens, now)
        self.went["analyses"] += await self.studies.prune(now - self.keep.analyses * DAY)
        before = now - self.keep.unbegun * DAY
        while found := await store.fetch(unbegun_games, before):
            expired = [game for game in found if not self.games.has_loaded(game)]
            await store.commit(drop_games, expired)
            self.went["unbegun"] += len(expired)
            if len(expired) < len(found):
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
    """Return some games from before a time that still wait for players, or were aborted."""
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
    for table, name in _references_to(GAME):
        connection.execute(delete(table).where(table.c[name].in_(games)))
    connection.execute(delete(GAME).where(GAME.c.id.in_(games)))


def drop_moderation(connection: Connection, before: float) -> int:
    """Delete closed reports, ended sanctions and audit entries before a time; return how many."""
    old = {
        moderation.REPORT: moderation.REPORT.c.done_at < before,
        moderation.AUDIT: and_(
            moderation.AUDIT.c.at < before, moderation.AUDIT.c.what != moderation.VERSION
        ),
        sanctions.SANCTION: sanctions.SANCTION.c.until < before,
    }
    return sum(
        connection.execute(delete(table).where(expired)).rowcount for table, expired in old.items()
    )


def gone_guests(connection: Connection, before: float, limit: int = 100) -> list[str]:
    """Return some guests from before a time who have no session any more."""
    recognised = exists().where(SESSION.c.person == PERSON.c.id)
    mine = (PERSON.c.kind == PersonKind.GUEST, PERSON.c.created_at < before, ~recognised)
    return list(connection.execute(select(PERSON.c.id).where(*mine).limit(limit)).scalars())


def drop_guest(connection: Connection, guest: str, now: float) -> None:
    """Delete a guest; if a game or another row still refers to the guest, anonymize it instead.

    The guest's name stays at the seats of games.
    """
    delete_account(connection, guest, FORGET, now)
    for table, name in _references_to(PERSON):
        if connection.execute(select(table.c[name]).where(table.c[name] == guest).limit(1)).first():
            return
    connection.execute(delete(PERSON).where(PERSON.c.id == guest))


def _references_to(table: Table) -> list[tuple[Table, str]]:
    """Return the columns that reference a table, dependent tables first."""
    return [
        (other, column.name)
        for other in reversed(METADATA.sorted_tables)
        for column in other.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]
