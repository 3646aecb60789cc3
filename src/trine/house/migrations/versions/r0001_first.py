"""The tables as they are before the first release.

A new database gets the tables of today at once (`trine.house.store.database`); nothing is done
here.
"""

from __future__ import annotations

revision = "resting addresses"
"""The last of the revisions before this one, so that a database which they have led there opens."""
down_revision = None


def upgrade() -> None:
    """Leave all as it is."""
