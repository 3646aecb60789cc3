"""The environment for revisions, which Alembic runs with the connection that it is given."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=context.config.attributes["metadata"],
    # A failed migration leaves no change, not even in SQLite.
    transactional_ddl=True,
    # SQLite changes tables by copying them.
    render_as_batch=True,
)
context.run_migrations()
