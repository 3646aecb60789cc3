"""Accounts, and ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables of accounts and of ratings."""
    op.create_table(
        "account",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("folded", sa.String, nullable=False),
        sa.Column("password", sa.String, nullable=False),
        sa.Column("role", sa.String),
        sa.Column("since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_account"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_account_person"),
    )
    op.create_index("ix_account_folded", "account", ["folded"], unique=True)
    op.create_table(
        "rating",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("discipline", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("score", sa.Double, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_rating"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_rating_game"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_rating_person"),
    )
    op.create_index("ix_rating_game_person", "rating", ["game", "person"], unique=True)
    op.create_index(
        "ix_rating_person_discipline_number", "rating", ["person", "discipline", "number"]
    )
