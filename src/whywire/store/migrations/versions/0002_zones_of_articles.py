"""The zone of the outlet beside each time, by whose clock "today" and "on Monday" are said."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Bring the tables to this revision."""
    op.add_column(
        "articles",
        sa.Column(
            "utc_offset", sa.Integer(), nullable=True, comment="minutes that the outlet's clock is ahead of UTC"
        ),
    )
