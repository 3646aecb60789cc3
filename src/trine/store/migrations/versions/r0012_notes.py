"""Notes on games that are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Have a line of talk be about a turn."""
    op.add_column("chat", sa.Column("turn", sa.Integer))
