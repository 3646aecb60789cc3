"""Games that take days: whose turn it is, downtimes of the house, and conditional turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables of games that take days."""
    op.create_index("ix_due_kind_at", "due", ["kind", "at"])
    op.create_table(
        "to_move",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_to_move"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_to_move_game"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_to_move_person"),
    )
    op.create_index("ix_to_move_person_since", "to_move", ["person", "since"])
    op.create_table(
        "downtime",
        sa.Column("ended", sa.Double, autoincrement=False, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("ended", name="pk_downtime"),
    )
    op.create_table(
        "condition",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("tree", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_condition"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_condition_game"),
    )
