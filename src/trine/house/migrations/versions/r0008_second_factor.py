"""Second factors of accounts, and their recovery codes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "second factor"
down_revision = "lessons"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "second_factor",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("secret", sa.String, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("made_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_second_factor"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_second_factor_person"),
    )
    op.create_table(
        "recovery_code",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("person", "hash", name="pk_recovery_code"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_recovery_code_person"),
    )
