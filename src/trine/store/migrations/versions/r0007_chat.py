"""Chat, and its moderation."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def _person(column: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["person.id"], name=f"fk_{table}_{column}")


def upgrade() -> None:
    """Create the tables of chat, of blocks, and of what moderators do."""
    op.create_table(
        "chat",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("preset", sa.String, nullable=False),
        sa.Column("deleted_at", sa.Double),
        sa.PrimaryKeyConstraint("game", "number", name="pk_chat"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_chat_game"),
        _person("person", "chat"),
    )
    op.create_index("ix_chat_person", "chat", ["person"])
    op.create_table(
        "block",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("blocked", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name="pk_block"),
        _person("person", "block"),
        _person("blocked", "block"),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("reporter", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("game", sa.String),
        sa.Column("number", sa.Integer),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("done_at", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
        _person("reporter", "report"),
        _person("person", "report"),
    )
    op.create_index("ix_report_done_at_at", "report", ["done_at", "at"])
    op.create_index("ix_report_reporter_at", "report", ["reporter", "at"])
    op.create_table(
        "sanction",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sanction"),
        _person("person", "sanction"),
    )
    op.create_index("ix_sanction_until", "sanction", ["until"])
    op.create_table(
        "audit",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.String),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("person", sa.String),
        sa.Column("told", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        _person("actor", "audit"),
        _person("person", "audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
