"""The rows and indices by which games and people are searched."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

WINNERS = {
    ("arimaa", 2): ("Gold", "Silver"),
    ("tzaar", 2): ("White", "Black"),
    ("corridor", 2): ("South", "North"),
    ("corridor", 3): ("South", "West", "North"),
    ("corridor", 4): ("South", "West", "North", "East"),
}
"""The winners as records name them, by their seats, of each game and number of players."""


def upgrade() -> None:
    """Create the table of appearances, and fill it from the games that there are."""
    op.create_table(
        "appearance",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("person", sa.String),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("rules", sa.String, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("by_days", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("score", sa.Double),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_appearance"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_appearance_game"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_appearance_person"),
    )
    for columns in (
        ("person", "at", "game"),
        ("listed", "seat", "at", "game"),
        ("listed", "seat", "room", "at", "game"),
        ("listed", "seat", "room", "rules", "at", "game"),
    ):
        op.create_index(f"ix_appearance_{'_'.join(columns)}", "appearance", list(columns))
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        op.execute('ALTER TABLE account ALTER COLUMN folded TYPE VARCHAR COLLATE "C"')
    last = ""
    while games := connection.execute(_GAMES, {"last": last}).all():
        for game in games:
            if rows := _appearances(connection, game):
                connection.execute(_INSERT, rows)
        last = games[-1].id


_GAMES = sa.text(
    "SELECT id, room, rules, terms, stage FROM game WHERE id > :last ORDER BY id LIMIT 500"
)
_SEATS = sa.text("SELECT seat, person FROM seat WHERE game = :game ORDER BY seat")
_EVENTS = sa.text(
    "SELECT at, kind, data FROM event WHERE game = :game AND (seq = 1 OR seq > "
    "(SELECT max(seq) FROM event WHERE game = :game) - 10) ORDER BY seq"
)
"""The first event, and the last ones, of which one has ended the game."""
_INSERT = sa.text(
    "INSERT INTO appearance VALUES (:game, :seat, :person, :at, :room, :rules, :seats, :rated, "
    ":by_days, :listed, :score)"
)


def _appearances(connection: sa.Connection, game: Any) -> list[dict[str, Any]]:
    events = connection.execute(_EVENTS, {"game": game.id}).all()
    if not events or any(event.kind == "abort" for event in events):
        return []
    terms = _read(game.terms)
    seats = connection.execute(_SEATS, {"game": game.id}).all()
    results = [tags for event in events if (tags := _read(event.data).get("result"))]
    names = WINNERS.get((game.room, len(seats)), ())
    about = {
        "game": game.id,
        "at": events[0].at,
        "room": game.room,
        "rules": game.rules,
        "seats": len(seats),
        "rated": bool(terms.get("rated")),
        "by_days": "d" in terms.get("clock", ""),
        "listed": bool(terms.get("listed")),
    }
    rows = []
    for seat in seats:
        score = None
        if results and (winner := results[-1].get("Result")) == "draw":
            score = 0.5
        elif results and winner in names:
            score = float(names[seat.seat] == winner)
        rows.append({**about, "seat": seat.seat, "person": seat.person, "score": score})
    return rows


def _read(data: Any) -> dict[str, Any]:
    """JSON as a statement in words gives it: a text in SQLite, and read in PostgreSQL."""
    read: dict[str, Any] = json.loads(data) if isinstance(data, str) else data
    return read
