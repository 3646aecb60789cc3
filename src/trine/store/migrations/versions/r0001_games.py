"""Games with events, seats, people, invitations, deadlines."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "game",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("rules", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("home", sa.String, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index("ix_game_stage_created_at", "game", ["stage", "created_at"])
    op.create_table(
        "person",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
    )
    op.create_table(
        "event",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.Integer),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_event"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_event_game"),
    )
    op.create_table(
        "seat",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("person", sa.String),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_seat"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_seat_game"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_seat_person"),
    )
    op.create_index("ix_seat_person_game", "seat", ["person", "game"])
    op.create_table(
        "token",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_token"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_token_person"),
    )
    op.create_index("ix_token_person", "token", ["person"])
    op.create_index("ix_token_expires_at", "token", ["expires_at"])
    op.create_table(
        "invitation",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_invitation"),
        sa.ForeignKeyConstraint(
            ["game", "seat"], ["seat.game", "seat.seat"], name="fk_invitation_seat"
        ),
    )
    op.create_table(
        "due",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("ref", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("kind", "ref", name="pk_due"),
    )
    op.create_index("ix_due_at", "due", ["at"])
