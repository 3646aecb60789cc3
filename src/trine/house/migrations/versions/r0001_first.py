"""The tables before the first release.

A new database gets today's tables directly (`trine.house.store.database`), so this revision does
nothing.
"""

revision = "resting addresses"
"""The name of the last earlier revision, so that databases at that revision can be opened."""
down_revision = None


def upgrade() -> None: ...
