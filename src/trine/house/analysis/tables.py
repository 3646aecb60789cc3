"""The tables of studies, which are records with variations, and of costly turns in reviews."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import sqlalchemy as sa

from trine.core.text.sentence import text
from trine.house.people.tables import PERSON, PersonKind
from trine.house.people.takeout import ALL, Takeout
from trine.house.search.tables import GAME_SEARCH
from trine.house.store.schema import Key, add_row, all_of, count_of, first_of, table_of, values_of
from trine.house.store.secrets import new_id
from trine.house.store.store_errors import TooManyError

MAX_RESULTS: Final = 100  # number of guests' studies that are deleted in one transaction


@dataclass(frozen=True)
class CostlyTurn:
    """A turn of a reviewed game that lost much."""

    turn: Key[int]  # number of turns before this one
    seat: int
    lost: float  # chance to win; the loss by the turn
    tag: str  # number of the turn as people read it, such as ``12g``
    played: str
    better: str
    themes: str  # the names of the themes of the better turn, with blanks between them


COSTLY_TURN: Final = table_of(
    "costly_turn", CostlyTurn, sa.Column("game", sa.ForeignKey("game.id"), primary_key=True)
)


def keep_losses(connection: sa.Connection, game_id: str, losses: Sequence[CostlyTurn]) -> None:
    """Store a game's costliest turns, replacing those stored before."""
    connection.execute(sa.delete(COSTLY_TURN).where(COSTLY_TURN.c.game == game_id))
    if losses:
        rows = [values_of(one) | {"game": game_id} for one in losses]
        connection.execute(sa.insert(COSTLY_TURN), rows)


def worst_losses(
    connection: sa.Connection, person_id: str, *, own: bool, most: int
) -> Sequence[sa.Row[Any]]:
    """Return a person's costliest turns with their games; other viewers see public games."""
    c = GAME_SEARCH.c
    seen = [c.person == person_id, c.score.is_not(None)]
    if not own:
        seen.append(c.listed.is_(True))
    return connection.execute(
        sa.select(c.room, c.rules, COSTLY_TURN)
        .join(COSTLY_TURN, (COSTLY_TURN.c.game == c.game) & (COSTLY_TURN.c.seat == c.seat))
        .where(*seen)
        .order_by(COSTLY_TURN.c.lost.desc(), COSTLY_TURN.c.game, COSTLY_TURN.c.turn)
        .limit(most)
    ).all()


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A record that a person analyses."""

    id: Key[str]
    owner: Annotated[str, "person.id"]
    """The only person who may change the study; every visitor with its id may read it."""
    record: Annotated[str, sa.Text()]
    created_at: float
    changed_at: float


STUDY: Final = table_of("study", StudyRow, sa.Index(None, "owner", "changed_at"))


def create_study(
    connection: sa.Connection,
    owner: str,
    record: str,
    now: float,
    most: int = 200,
    study_id: str = "",
) -> StudyRow:
    if count_of(connection, STUDY.c.owner == owner) >= most:
        raise TooManyError(text("you have {count} analyses already; delete some first", count=most))
    study = StudyRow(study_id or new_id(), owner, record, created_at=now, changed_at=now)
    add_row(connection, STUDY, study)
    return study


def save_study(
    connection: sa.Connection, study: str, record: str, read_at: float, now: float
) -> bool:
    """Save a study unless it has changed since ``read_at``; return whether it was saved."""
    same = (STUDY.c.id == study) & (STUDY.c.changed_at == read_at)
    saved = sa.update(STUDY).where(same).values(record=record, changed_at=now)
    return connection.execute(saved).rowcount > 0


def drop_study(connection: sa.Connection, study: str, owner: str) -> bool:
    mine = (STUDY.c.id == study) & (STUDY.c.owner == owner)
    return connection.execute(sa.delete(STUDY).where(mine)).rowcount > 0


def studies_of_guests(connection: sa.Connection, before: float) -> list[str]:
    """Return some studies of guests that have not changed since a time."""
    found = connection.execute(
        sa.select(STUDY.c.id)
        .join(PERSON, PERSON.c.id == STUDY.c.owner)
        .where(PERSON.c.kind == PersonKind.GUEST, STUDY.c.changed_at < before)
        .limit(MAX_RESULTS)
    )
    return list(found.scalars())


def drop_studies(connection: sa.Connection, studies: Sequence[str]) -> None:
    connection.execute(sa.delete(STUDY).where(STUDY.c.id.in_(studies)))


def read_study(connection: sa.Connection, study: str) -> StudyRow | None:
    return first_of(connection, StudyRow, sa.select(STUDY).where(STUDY.c.id == study))


def studies_of(connection: sa.Connection, owner: str, limit: int = 20) -> list[StudyRow]:
    mine = sa.select(STUDY).where(STUDY.c.owner == owner)
    return all_of(connection, StudyRow, mine.order_by(STUDY.c.changed_at.desc()).limit(limit))


def transfer(connection: sa.Connection, guest: str, account: str) -> None:
    connection.execute(sa.update(STUDY).where(STUDY.c.owner == guest).values(owner=account))


def export_person(connection: sa.Connection, person_id: str, takeout: Takeout) -> None:
    for study in studies_of(connection, person_id, ALL):
        takeout.files[f"analyses/{study.id}.trine"] = study.record
