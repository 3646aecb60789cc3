"""The environment in which Alembic runs the revisions: the connection that it is given."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=context.config.attributes["metadata"],
    # A migration that fails leaves nothing behind, not even in SQLite.
    transactional_ddl=True,
    # SQLite changes tables by copying them.
    render_as_batch=True,
)
context.run_migrations()
