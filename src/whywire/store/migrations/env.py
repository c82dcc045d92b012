"""Runs migrations in the transaction of :func:`whywire.store.schema_versions.prepare`."""

from alembic import context

from whywire.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
