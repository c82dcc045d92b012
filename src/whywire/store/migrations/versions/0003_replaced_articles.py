"""Articles that wait to be replaced or withdrawn, and hashes of urls that leave out how clicks are counted."""

import sqlalchemy as sa
from alembic import op

from whywire.store.rows import url_hash

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Bring the tables to this revision."""
    action = sa.Column(
        "action", sa.String(length=8), nullable=False, server_default="add", comment="add, replace or withdraw"
    )
    op.add_column("arrivals", action)
    connection = op.get_bind()
    _hash_again(connection, sa.table("articles", sa.column("id"), sa.column("url"), sa.column("url_hash")))
    arrivals = sa.table("arrivals", sa.column("id"), sa.column("content", sa.JSON), sa.column("url_hash"))
    for row in connection.execute(sa.select(arrivals.c.id, arrivals.c.content)).all():
        own = sa.update(arrivals).where(arrivals.c.id == row.id)
        connection.execute(own.values(url_hash=url_hash(row.content["url"])))


def _hash_again(connection: sa.Connection, articles: sa.TableClause) -> None:
    changed = [
        {"of_id": row.id, "now": hashed}
        for row in connection.execute(sa.select(articles).where(articles.c.url.is_not(None)))
        if (hashed := url_hash(row.url)) != row.url_hash
    ]
    if changed:
        own = sa.update(articles).where(articles.c.id == sa.bindparam("of_id"))
        connection.execute(own.values(url_hash=sa.bindparam("now")), changed)
