"""The players to move of games by correspondence, known without loading the games."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from trine.house.games.tables import TO_MOVE


def set_to_move(connection: Connection, game: str, person: str | None, since: float) -> None:
    """Store whose turn it is in a game; None if it is no person's."""
    connection.execute(delete(TO_MOVE).where(TO_MOVE.c.game == game))
    if person:
        connection.execute(insert(TO_MOVE).values(game=game, person=person, since=since))


def waiting_for(connection: Connection, person: str, limit: int = 100) -> list[str]:
    """Return the games in which it is a person's turn, the longest waiting first."""
    found = connection.execute(
        select(TO_MOVE.c.game)
        .where(TO_MOVE.c.person == person)
        .order_by(TO_MOVE.c.since)
        .limit(limit)
    )
    return list(found.scalars())


def movers(connection: Connection, games: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Return the player to move in games, and since when, for games that wait for a person."""
    found = connection.execute(
        select(TO_MOVE.c.game, TO_MOVE.c.person, TO_MOVE.c.since).where(TO_MOVE.c.game.in_(games))
    )
    return {game: (person, since) for game, person, since in found}
