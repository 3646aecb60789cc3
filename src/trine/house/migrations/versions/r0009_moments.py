"""Players send moments of their games by links."""

from alembic import op
from sqlalchemy import Column, Double, ForeignKey, Integer, PrimaryKeyConstraint, String, Text

revision = "moments"
down_revision = "constraints"


def upgrade() -> None:
    op.create_table(
        "sent_moment",
        Column("id", String, nullable=False),
        Column("game", String, ForeignKey("game.id", name="fk_sent_moment_game"), nullable=False),
        Column(
            "owner", String, ForeignKey("person.id", name="fk_sent_moment_owner"), nullable=False
        ),
        Column("puzzle", String, nullable=False),
        Column("record", Text(), nullable=False),
        Column("created_at", Double, nullable=False),
        Column("tried", Integer, nullable=False),
        Column("solved", Integer, nullable=False),
        PrimaryKeyConstraint("id", name="pk_sent_moment"),
    )
    op.create_index(op.f("ix_sent_moment_game"), "sent_moment", ["game"])
    op.create_index(op.f("ix_sent_moment_owner_created_at"), "sent_moment", ["owner", "created_at"])
