"""Homes of games, with leases; duties that one process has for all; jobs of workers elsewhere."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables, and let the homes so far be known as over."""
    home = op.create_table(
        "home",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("alive_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.Column("swept", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_home"),
    )
    op.create_table(
        "duty",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("home", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duty"),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("elapsed", sa.Double, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("worker", sa.String),
        sa.Column("answer", sa.JSON),
        sa.PrimaryKeyConstraint("id", name="pk_job"),
    )
    op.create_index("ix_job_at", "job", ["at"])
    op.create_table(
        "worker",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_worker"),
    )
    # Until when the house was at work stood among the deadlines.
    game = sa.table("game", sa.column("home"), sa.column("stage"))
    due = sa.table("due", sa.column("kind"), sa.column("at"))
    op.execute(
        sa.insert(home).from_select(
            ["name", "address", "alive_at", "expires_at", "swept"],
            sa.select(game.c.home, sa.literal(""), due.c.at, sa.literal(0.0), sa.literal(0))
            .select_from(game.join(due, due.c.kind == "alive"))
            .where(game.c.stage == "playing")
            .distinct(),
        )
    )
    op.execute(sa.delete(due).where(due.c.kind == "alive"))
