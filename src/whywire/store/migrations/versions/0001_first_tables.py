"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Bring the tables to this revision."""
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prefix", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        comment="Keys for writing, hashed.",
    )
    op.create_index(op.f("ix_api_keys_prefix"), "api_keys", ["prefix"], unique=False)
    op.create_table(
        "arrivals",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("article", sa.String(length=600), nullable=False),
        sa.Column("url_hash", sa.String(length=32), nullable=True),
        sa.Column("content", sa.JSON(), nullable=False, comment="the article"),
        sa.Column("accepted", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.String(length=32), nullable=True),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("leased_until", sa.BigInteger(), nullable=False, comment="0: no worker has it"),
        sa.Column("abandoned", sa.Integer(), nullable=False, comment="leases that ran out"),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("set_aside", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True, comment="why it failed last"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arrivals")),
        sa.UniqueConstraint("article", name=op.f("uq_arrivals_article")),
        comment="Accepted articles that no update has taken in yet.",
    )
    op.create_index(op.f("ix_arrivals_lease"), "arrivals", ["lease"], unique=False)
    op.create_index(
        op.f("ix_arrivals_set_aside_leased_until_id"), "arrivals", ["set_aside", "leased_until", "id"], unique=False
    )
    op.create_index(op.f("ix_arrivals_url_hash"), "arrivals", ["url_hash"], unique=False)
    op.create_table(
        "articles",
        sa.Column("id", sa.String(length=600), nullable=False),
        sa.Column("published", sa.BigInteger(), nullable=False),
        sa.Column("day_only", sa.Boolean(), nullable=False),
        sa.Column("inferred_from", sa.String(length=16), nullable=True),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("source", sa.String(length=600), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("url_hash", sa.String(length=32), nullable=True, comment="urls may be longer than an index entry"),
        sa.Column("text_key", sa.String(length=32), nullable=False, comment="of its reading"),
        sa.Column("number", sa.BigInteger(), nullable=False, comment="in the order in which updates took them in"),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("links", sa.JSON(), nullable=False),
        sa.Column("also", sa.JSON(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_articles")),
        sa.UniqueConstraint("number", name=op.f("uq_articles_number")),
        comment="Articles that updates have taken in.",
    )
    op.create_index(op.f("ix_articles_changed"), "articles", ["changed"], unique=False)
    op.create_index(
        op.f("ix_articles_language_published_id"), "articles", ["language", "published", "id"], unique=False
    )
    op.create_index(op.f("ix_articles_published_id"), "articles", ["published", "id"], unique=False)
    op.create_index(op.f("ix_articles_source_published_id"), "articles", ["source", "published", "id"], unique=False)
    op.create_index(op.f("ix_articles_text_key"), "articles", ["text_key"], unique=False)
    op.create_index(op.f("ix_articles_url_hash"), "articles", ["url_hash"], unique=False)
    op.create_table(
        "changes",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("subject", sa.String(length=600), nullable=False),
        sa.Column("object", sa.String(length=600), nullable=True),
        sa.Column("link_kind", sa.String(length=16), nullable=True),
        sa.Column("into", sa.JSON(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
        comment="The history: what happened to articles, events and links.",
    )
    op.create_index(op.f("ix_changes_at"), "changes", ["at"], unique=False)
    op.create_index(op.f("ix_changes_object"), "changes", ["object"], unique=False)
    op.create_index(op.f("ix_changes_subject"), "changes", ["subject"], unique=False)
    op.create_table(
        "events",
        sa.Column("id", sa.String(length=600), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("story", sa.String(length=600), nullable=True),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False, comment="how exactly first_seen and last_seen are known"),
        sa.Column("articles", sa.JSON(), nullable=False),
        sa.Column("reports", sa.Integer(), nullable=False, comment="the number of articles"),
        sa.Column("headline", sa.Boolean(), nullable=False, comment="a headline mentions it"),
        sa.Column("named_by", sa.Integer(), nullable=False),
        sa.Column("planned", sa.Boolean(), nullable=False),
        sa.Column("time", sa.JSON(), nullable=True, comment="when it happened"),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        comment="Events; those that are no more have no mentions.",
    )
    op.create_index(op.f("ix_events_changed"), "events", ["changed"], unique=False)
    op.create_index(
        op.f("ix_events_language_last_seen_id"),
        "events",
        ["language", "last_seen", "id"],
        unique=False,
        postgresql_where=sa.text("ended IS NULL"),
        sqlite_where=sa.text("ended IS NULL"),
    )
    op.create_index(
        op.f("ix_events_last_seen_id_first_seen"),
        "events",
        ["last_seen", "id", "first_seen"],
        unique=False,
        postgresql_where=sa.text("ended IS NULL"),
        sqlite_where=sa.text("ended IS NULL"),
    )
    op.create_index(
        op.f("ix_events_story_last_seen_id"),
        "events",
        ["story", "last_seen", "id"],
        unique=False,
        postgresql_where=sa.text("ended IS NULL"),
        sqlite_where=sa.text("ended IS NULL"),
    )
    op.create_table(
        "feed_states",
        sa.Column("url_hash", sa.String(length=32), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("url_hash", name=op.f("pk_feed_states")),
        comment="What is known of feeds that are watched.",
    )
    op.create_table(
        "head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False, comment="always 1"),
        sa.Column("last_change", sa.BigInteger(), nullable=False, comment="compared and set by every update"),
        sa.Column(
            "models",
            sa.String(length=32),
            nullable=True,
            comment="version of the models that everything was decided by",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_head")),
        comment="One row: how far the history has come.",
    )
    op.create_table(
        "pair_answers",
        sa.Column("pair_key", sa.String(length=32), nullable=False),
        sa.Column("models", sa.String(length=32), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("second", sa.Text(), nullable=False),
        sa.Column("relations", sa.LargeBinary(), nullable=True, comment="probabilities, float64, little-endian"),
        sa.Column("strength", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("pair_key", "models", name=op.f("pk_pair_answers")),
        comment="What the models answered on pairs of texts.",
    )
    op.create_table(
        "readings",
        sa.Column("text_key", sa.String(length=32), nullable=False),
        sa.Column("models", sa.String(length=32), nullable=False),
        sa.Column("reading", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("text_key", "models", name=op.f("pk_readings")),
        comment="What the models read in articles, by their words and the version of the models.",
    )
    op.create_table(
        "settled",
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("articles", sa.BigInteger(), nullable=False),
        sa.Column("cut", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("language", name=op.f("pk_settled")),
        comment="What the articles of each language were decided by when all of them were.",
    )
    op.create_table(
        "claims",
        sa.Column("id", sa.String(length=600), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("article", sa.String(length=600), nullable=False),
        sa.Column("event", sa.String(length=600), nullable=False),
        sa.Column("field", sa.String(length=8), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False, comment="in the order in which they were read"),
        sa.Column(
            "parts",
            sa.JSON(),
            nullable=False,
            comment="spans of cause, effect, signals, antecedent, consequent; derived",
        ),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["article"], ["articles.id"], name=op.f("fk_claims_article")),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_claims_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claims")),
        sa.UniqueConstraint("number", name=op.f("uq_claims_number")),
        comment="What sentences claim.",
    )
    op.create_index(op.f("ix_claims_article_id"), "claims", ["article", "id"], unique=False)
    op.create_index(op.f("ix_claims_changed"), "claims", ["changed"], unique=False)
    op.create_index(op.f("ix_claims_event_id"), "claims", ["event", "id"], unique=False)
    op.create_index(op.f("ix_claims_kind_id"), "claims", ["kind", "id"], unique=False)
    op.create_table(
        "copies",
        sa.Column("id", sa.String(length=600), nullable=False, comment="of the copy"),
        sa.Column("article", sa.String(length=600), nullable=False),
        sa.ForeignKeyConstraint(["article"], ["articles.id"], name=op.f("fk_copies_article")),
        sa.PrimaryKeyConstraint("id", "article", name=op.f("pk_copies")),
        comment="Ids of identical copies of articles.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_copies_article"), "copies", ["article"], unique=False)
    op.create_table(
        "links",
        sa.Column("source", sa.String(length=600), nullable=False),
        sa.Column("target", sa.String(length=600), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column("strength", sa.Double(), nullable=False),
        sa.Column("time_order", sa.String(length=16), nullable=False),
        sa.Column("closed_by", sa.String(length=600), nullable=True),
        sa.Column("judged", sa.Double(), nullable=True),
        sa.Column(
            "evidence_kinds", sa.Integer(), nullable=False, comment="1: said, 2: shown, 4: judged, and their sums"
        ),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["closed_by"], ["events.id"], name=op.f("fk_links_closed_by")),
        sa.ForeignKeyConstraint(["source"], ["events.id"], name=op.f("fk_links_source")),
        sa.ForeignKeyConstraint(["target"], ["events.id"], name=op.f("fk_links_target")),
        sa.PrimaryKeyConstraint("source", "target", "kind", name=op.f("pk_links")),
        comment="Links between events.",
    )
    op.create_index(
        "ix_links_by_strength",
        "links",
        ["strength", "source", "target", "kind", "evidence_kinds", "closed_by"],
        unique=False,
        postgresql_where=sa.text("ended IS NULL"),
        sqlite_where=sa.text("ended IS NULL"),
    )
    op.create_index(op.f("ix_links_changed"), "links", ["changed"], unique=False)
    op.create_index(op.f("ix_links_target"), "links", ["target"], unique=False)
    op.create_table(
        "mentions",
        sa.Column("article", sa.String(length=600), nullable=False),
        sa.Column("field", sa.String(length=8), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("event", sa.String(length=600), nullable=False),
        sa.ForeignKeyConstraint(["article"], ["articles.id"], name=op.f("fk_mentions_article")),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_mentions_event")),
        sa.PrimaryKeyConstraint("article", "field", "start", "end", "kind", name=op.f("pk_mentions")),
        comment="Spans of articles that describe events, each in one event.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_mentions_event"), "mentions", ["event"], unique=False)
    op.create_table(
        "stories",
        sa.Column("id", sa.String(length=600), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("lead", sa.String(length=600), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False, comment="as of events"),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("links", sa.Integer(), nullable=False),
        sa.Column("outlets", sa.Integer(), nullable=False),
        sa.Column("strength", sa.Double(), nullable=False, comment="of its links together"),
        sa.Column("reports", sa.Integer(), nullable=False, comment="the articles of each event, together"),
        sa.ForeignKeyConstraint(["lead"], ["events.id"], name=op.f("fk_stories_lead")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stories")),
        comment="Stories of two events or more, summed up.",
    )
    op.create_index(op.f("ix_stories_last_seen_first_seen"), "stories", ["last_seen", "first_seen"], unique=False)
    op.create_index(
        op.f("ix_stories_strength_events_reports_id"),
        "stories",
        ["strength", "events", "reports", "id"],
        unique=False,
    )
    op.create_table(
        "successors",
        sa.Column("event", sa.String(length=600), nullable=False, comment="one that is no more"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("into", sa.String(length=600), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_successors_event")),
        sa.ForeignKeyConstraint(["into"], ["events.id"], name=op.f("fk_successors_into")),
        sa.PrimaryKeyConstraint("event", "position", name=op.f("pk_successors")),
        comment="Where the mentions of merged and split events went.",
    )
    op.create_index(op.f("ix_successors_into"), "successors", ["into"], unique=False)
    op.create_table(
        "terms",
        sa.Column("term", sa.String(length=8), nullable=False),
        sa.Column("event", sa.String(length=600), nullable=False),
        sa.Column("weight", sa.Integer(), nullable=False, comment="2 in the title, 1 in another headline"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_terms_event")),
        sa.PrimaryKeyConstraint("term", "event", name=op.f("pk_terms")),
        comment="An inverted index of events by the words of their titles and headlines.",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_terms_event"), "terms", ["event"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("source", sa.String(length=600), nullable=False),
        sa.Column("target", sa.String(length=600), nullable=False),
        sa.Column("link_kind", sa.String(length=16), nullable=False),
        sa.Column("denies", sa.Boolean(), nullable=False, comment="it stands against the link"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column("claim", sa.String(length=600), nullable=True, comment="of said"),
        sa.Column("source_article", sa.String(length=600), nullable=True, comment="of shown and judged"),
        sa.Column("target_article", sa.String(length=600), nullable=True, comment="of shown and judged"),
        sa.Column("contradicts", sa.String(length=16), nullable=True, comment="of shown"),
        sa.Column("spans", sa.JSON(), nullable=True, comment="of judged: field, span and kind of cause and effect"),
        sa.ForeignKeyConstraint(["claim"], ["claims.id"], name=op.f("fk_evidence_claim")),
        sa.ForeignKeyConstraint(
            ["source", "target", "link_kind"], ["links.source", "links.target", "links.kind"], name="fk_evidence_link"
        ),
        sa.ForeignKeyConstraint(["source_article"], ["articles.id"], name=op.f("fk_evidence_source_article")),
        sa.ForeignKeyConstraint(["target_article"], ["articles.id"], name=op.f("fk_evidence_target_article")),
        sa.PrimaryKeyConstraint("source", "target", "link_kind", "denies", "position", name=op.f("pk_evidence")),
        comment="What links rest on, and what stands against them.",
    )
    op.create_index(op.f("ix_evidence_claim"), "evidence", ["claim"], unique=False)
    op.create_index(op.f("ix_evidence_kind_source_target"), "evidence", ["kind", "source", "target"], unique=False)
    op.create_index(op.f("ix_evidence_source_article"), "evidence", ["source_article"], unique=False)
    op.create_index(op.f("ix_evidence_target_article"), "evidence", ["target_article"], unique=False)
