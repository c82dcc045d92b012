"""Where articles lie among others, by which stories are found; nothing is settled any more."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Bring the tables to this revision."""
    region = sa.Column("region", sa.String(length=40), comment="what its story is found in")
    op.add_column("articles", region)
    crowd = sa.Column(
        "crowd", sa.Integer(), comment="how many other reports of these days are related to it, at most 64"
    )
    op.add_column("articles", crowd)
    op.add_column("articles", sa.Column("vector", sa.LargeBinary(), comment="of its title and lead, int8"))
    op.create_index(op.f("ix_articles_region"), "articles", ["region"])
    op.drop_table("settled")
