"""The table and queries of the search for games and people: page by page, using only indices."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.house.people.tables import ACCOUNT, ACCOUNTS, BOT_ROLE, Account
from trine.house.store.schema import METADATA, all_of

GAME_SEARCH: Final = sa.Table(
    "game_search",
    METADATA,
    sa.Column("game", sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.ForeignKey("person.id")),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("room", sa.String, nullable=False),
    sa.Column("rules", sa.String, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("by_days", sa.Boolean, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("score", sa.Double),
    sa.Index(None, "person", "at", "game"),
    sa.Index(None, "listed", "seat", "at", "game"),
    sa.Index(None, "listed", "seat", "room", "at", "game"),
    sa.Index(None, "listed", "seat", "room", "rules", "at", "game"),
)
"""A seat of a game that has begun, with all columns that searches filter by; the score is 1, 0.5 or
0 once the game is over. Unlisted games are found only by their players."""


LOOKED: Final = 2_000  # rows examined for a page; the next page continues from there
Clauses = Sequence[sa.ColumnElement[bool]]
_LAST_SIGN: Final = "\U0010ffff"


class Key(NamedTuple):
    """The sort key of a game in the results, the newest first."""

    at: float
    game: str


def note_beginning(
    connection: Connection, game_id: str, people: Sequence[str | None], **about: Any
) -> None:
    """Add the seats of a game that begins to the search; ``about`` has the other columns."""
    rows = [
        {"game": game_id, "seat": seat, "person": person, "seats": len(people), **about}
        for seat, person in enumerate(people)
    ]
    connection.execute(sa.insert(GAME_SEARCH), rows)


def note_end(connection: Connection, game_id: str, winner: int | None) -> None:
    here = GAME_SEARCH.c.game == game_id
    score = 0.5 if winner is None else 0.0
    connection.execute(sa.update(GAME_SEARCH).where(here).values(score=score))
    if winner is not None:
        won = here & (GAME_SEARCH.c.seat == winner)
        connection.execute(sa.update(GAME_SEARCH).where(won).values(score=1.0))


def forget_game(connection: Connection, game_id: str) -> None:
    connection.execute(sa.delete(GAME_SEARCH).where(GAME_SEARCH.c.game == game_id))


def find_games(
    connection: Connection, among: Clauses, fits: Clauses, after: Key | None, limit: int
) -> tuple[dict[str, float], Key | None]:
    """Return games that match all filters, the newest first.

    ``among`` selects the rows to examine, by an index; ``fits`` is then checked row by row.

    Returns: the games with the times when they began, and the key of the next page; None if there
        is no next page.

    Guarantee: at most `LOOKED` rows are examined.
    """
    c = GAME_SEARCH.c
    wanted = sa.select(c.game, c.at, sa.and_(True, *fits).label("fits")).where(*among)
    if after:
        wanted = wanted.where(c.at <= after.at, sa.or_(c.at < after.at, c.game < after.game))
    candidates = wanted.order_by(c.at.desc(), c.game.desc()).limit(LOOKED)
    found: dict[str, float] = {}
    looked, last, full = 0, after, False
    with connection.execute(candidates) as rows:
        for row in rows:
            if full := row.fits and row.game not in found and len(found) == limit:
                break
            looked, last = looked + 1, Key(row.at, row.game)
            if row.fits:
                found.setdefault(row.game, row.at)
    return found, last if full or looked == LOOKED else None


def scores_of(connection: Connection, games: Sequence[str]) -> dict[str, list[float | None]]:
    found = connection.execute(
        sa.select(GAME_SEARCH.c.game, GAME_SEARCH.c.score)
        .where(GAME_SEARCH.c.game.in_(games))
        .order_by(GAME_SEARCH.c.game, GAME_SEARCH.c.seat)
    )
    scores: dict[str, list[float | None]] = {}
    for game, score in found:
        scores.setdefault(game, []).append(score)
    return scores


def may_see(viewer: str | None) -> sa.ColumnElement[bool]:
    return sa.or_(GAME_SEARCH.c.listed, plays(viewer)) if viewer else GAME_SEARCH.c.listed


def plays(person_id: str) -> sa.ColumnElement[bool]:
    there = GAME_SEARCH.alias()
    return sa.exists().where(there.c.game == GAME_SEARCH.c.game, there.c.person == person_id)


def find_people(
    connection: Connection, folded: str, after: str, limit: int, *, bots: bool = False
) -> tuple[list[Account], str]:
    """Return the accounts whose folded names have a prefix, in order; with ``bots``, only bots.

    Returns: the accounts, and the key of the next page (the last folded name), or "".
    """
    name = ACCOUNT.c.folded
    wanted = [name >= folded, name < folded + _LAST_SIGN, name > after]
    if bots:
        wanted.append(ACCOUNT.c.role == BOT_ROLE)
    found = ACCOUNTS.where(*wanted).order_by(name).limit(limit + 1)
    people = all_of(connection, Account, found)
    more = len(people) > limit
    return people[:limit], people[limit - 1].folded if more else ""


def transfer(connection: Connection, guest: str, account: str) -> None:
    theirs = sa.select(GAME_SEARCH.c.game).where(GAME_SEARCH.c.person == account)
    mine = (GAME_SEARCH.c.person == guest) & GAME_SEARCH.c.game.not_in(theirs)
    connection.execute(sa.update(GAME_SEARCH).where(mine).values(person=account))
