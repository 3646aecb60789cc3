"""The range of ratings for which a seat of the lobby is open."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "ranges"
down_revision = "second factor"


def upgrade() -> None:
    """Add it to open seats; those of before are open to all."""
    op.add_column("seek", sa.Column("within", sa.Integer))
