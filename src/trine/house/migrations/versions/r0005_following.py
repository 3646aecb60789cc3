"""The people whom a person follows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "following"
down_revision = "former names"


def upgrade() -> None:
    """Make the table of who follows whom."""
    op.create_table(
        "follow",
        sa.Column(
            "person",
            sa.String,
            sa.ForeignKey("person.id", name="fk_follow_person"),
            primary_key=True,
        ),
        sa.Column(
            "followed",
            sa.String,
            sa.ForeignKey("person.id", name="fk_follow_followed"),
            primary_key=True,
        ),
        sa.Column("at", sa.Double, nullable=False),
        sa.Index("ix_follow_followed", "followed"),
    )
