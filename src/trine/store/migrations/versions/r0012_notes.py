"""Notes on games that are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Have a line of talk be about a turn."""
    # Copied in SQLite, so that its table reads as one that is made anew.
    copies = op.get_bind().dialect.name == "sqlite"
    with op.batch_alter_table("chat", recreate="always" if copies else "never") as chat:
        chat.add_column(sa.Column("turn", sa.Integer))
