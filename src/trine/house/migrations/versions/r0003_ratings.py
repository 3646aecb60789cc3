"""Games that do not count, the points of early ends, indices of leaders and of the last ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "ratings"
down_revision = "results"


def upgrade() -> None:
    """Add them."""
    op.add_column("rating", sa.Column("early", sa.Double))
    op.create_index("ix_rating_at", "rating", ["at"])
    op.create_index(
        "ix_rating_discipline_person_number", "rating", ["discipline", "person", "number"]
    )
    op.create_table(
        "annulment",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.String),
        sa.PrimaryKeyConstraint("game", name="pk_annulment"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_annulment_game"),
        sa.ForeignKeyConstraint(["actor"], ["person.id"], name="fk_annulment_actor"),
    )
    op.create_index("ix_annulment_at", "annulment", ["at"])
