"""The first tables.

Once a release has this revision, the next one begins with writing these tables out: ``metadata`` will be newer then.
"""

from alembic import op

from whywire.store.schema import metadata

revision = "v4"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    metadata.create_all(op.get_bind())
