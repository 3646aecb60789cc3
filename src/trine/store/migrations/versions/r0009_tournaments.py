"""Tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables of tournaments, of those who take part, and of their games."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("starts_at", sa.Double),
        sa.Column("began_at", sa.Double),
        sa.Column("ended_at", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_tournament"),
        sa.ForeignKeyConstraint(["owner"], ["person.id"], name="fk_tournament_person"),
    )
    op.create_index("ix_tournament_stage_created_at", "tournament", ["stage", "created_at"])
    op.create_index("ix_tournament_owner", "tournament", ["owner"])
    op.create_table(
        "entrant",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("entry", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("person", sa.String),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "entry", name="pk_entrant"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name="fk_entrant_tournament"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_entrant_person"),
    )
    op.create_index(
        "ix_entrant_person_tournament", "entrant", ["person", "tournament"], unique=True
    )
    op.create_table(
        "pairing",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer),
        sa.Column("game", sa.String),
        sa.Column("first_points", sa.Double),
        sa.Column("second_points", sa.Double),
        sa.Column("played", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_pairing"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name="fk_pairing_tournament"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_pairing_game"),
    )
    op.create_index("ix_pairing_game", "pairing", ["game"], unique=True)
