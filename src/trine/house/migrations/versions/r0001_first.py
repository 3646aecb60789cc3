"""The tables as they were when the first house was to last.

A new database gets the tables of today at once (`trine.house.store.migration`); nothing is done
here.
"""

from __future__ import annotations

revision = "first"
down_revision = None


def upgrade() -> None:
    """Leave all as it is."""
