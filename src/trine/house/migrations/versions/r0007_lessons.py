"""The lessons that a person has done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "lessons"
down_revision = "browsers"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "lesson_done",
        sa.Column("person", sa.String, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("lesson", sa.String, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
    )
