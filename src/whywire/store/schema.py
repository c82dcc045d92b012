"""The tables of a store, the same on SQLite and PostgreSQL.

Values that queries filter or sort by have a column and an index; the others are in JSON columns. Times are
microseconds since 1970 in UTC, which both databases sort the same way; ``NO_TIME`` stands for an unknown time.
``changed`` is the number of the last change of the update that wrote a row. Nothing that a reader may have seen is
lost: ended events and links stay, with the number of the last change of the update that ended them in ``ended``, and
earlier versions of replaced and withdrawn articles are in ``changes``.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

NO_TIME = -(2**62)
"""The value of an unknown time; it sorts before all others."""

MAX_KEY_CHARS = 600
"""Characters of an id or an outlet's name: an index entry of PostgreSQL has at most 2,704 bytes."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

ID = String(MAX_KEY_CHARS)

head = Table(
    "head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False, comment="always 1"),
    Column("last_change", BigInteger, nullable=False, comment="compared and set by every update"),
    Column("models", String(32), comment="version of the models that everything was decided by"),
    comment="One row: how far the history has come.",
)

articles = Table(
    "articles",
    metadata,
    Column("id", ID, primary_key=True),
    Column("published", BigInteger, nullable=False),
    Column("day_only", Boolean, nullable=False),
    Column("inferred_from", String(16)),
    Column("utc_offset", Integer, comment="minutes that the outlet's clock is ahead of UTC"),
    Column("language", String(8), nullable=False),
    Column("source", String(MAX_KEY_CHARS)),
    Column("url", Text),
    Column("url_hash", String(32), index=True, comment="urls may be longer than an index entry"),
    Column("text_key", String(32), nullable=False, index=True, comment="of its reading"),
    Column("number", BigInteger, nullable=False, unique=True, comment="in the order in which updates took them in"),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("links", JSON, nullable=False),
    Column("also", JSON, nullable=False),
    Column("story", String(40), index=True, comment="the story that events are sought in"),
    Column("crowd", Integer, comment="how many other reports of these days are related to it, at most 64"),
    Column("vector", LargeBinary, comment="of its title and lead, int8"),
    Column("changed", BigInteger, nullable=False, index=True),
    Index(None, "published", "id"),
    Index(None, "source", "published", "id"),
    Index(None, "language", "published", "id"),
    comment="Articles that updates have taken in.",
)

copies = Table(
    "copies",
    metadata,
    Column("id", ID, primary_key=True, comment="of the copy"),
    Column("article", ID, ForeignKey(articles.c.id), primary_key=True, index=True),
    comment="Ids of identical copies of articles.",
    sqlite_with_rowid=False,
)

arrivals = Table(
    "arrivals",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("article", ID, nullable=False, unique=True),
    Column("url_hash", String(32), index=True),
    Column("content", JSON, nullable=False, comment="the article"),
    Column("action", String(8), nullable=False, server_default="add", comment="add, replace or withdraw"),
    Column("accepted", BigInteger, nullable=False),
    Column("rank", BigInteger, nullable=False, comment="leased in this order"),
    Column("lease", String(32), index=True),
    Column("worker", Text),
    Column("leased_until", BigInteger, nullable=False, comment="0: no worker has it"),
    Column("abandoned", Integer, nullable=False, comment="leases that ran out"),
    Column("failures", Integer, nullable=False),
    Column("set_aside", Boolean, nullable=False),
    Column("reason", Text, comment="why it failed last"),
    Index(None, "set_aside", "rank", "id"),
    comment="Accepted articles that no update has taken in yet.",
)

inputs = Table(
    "inputs",
    metadata,
    Column("id", String(32), primary_key=True, comment="hash of the path, which may be longer than an index entry"),
    Column("path", Text, nullable=False),
    Column("size", BigInteger, comment="null: a pipe, which cannot be read again"),
    Column("modified", BigInteger, comment="nanoseconds since 1970"),
    Column("done", BigInteger, nullable=False, comment="rows that were accepted or rejected"),
    Column("finished", Boolean, nullable=False),
    comment="Files of news that a backfill reads, and how far it is.",
)

rejected = Table(
    "rejected",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("input", String(32), ForeignKey(inputs.c.id), index=True, comment="null: found when it was taken in"),
    Column("problem", Text, nullable=False, comment="JSON in ASCII: rows may hold what no database can store"),
    comment="What was wrong with the news that was filled in.",
)

readings = Table(
    "readings",
    metadata,
    Column("text_key", String(32), primary_key=True),
    Column("models", String(32), primary_key=True),
    Column("reading", LargeBinary, nullable=False),
    comment="What the models read in articles, by their words and the version of the models.",
)

pair_answers = Table(
    "pair_answers",
    metadata,
    Column("pair_key", String(32), primary_key=True),
    Column("models", String(32), primary_key=True),
    Column("language", String(8), nullable=False),
    Column("first", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("relations", LargeBinary, comment="probabilities, float64, little-endian"),
    Column("strength", Double),
    comment="What the models answered on pairs of texts.",
)

chat_answers = Table(
    "chat_answers",
    metadata,
    Column("key", String(64), primary_key=True, comment="hash of the model's name and of what was asked"),
    Column("model", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "model", "at"),
    comment="What chat models answered, in their words.",
)

chat_spending = Table(
    "chat_spending",
    metadata,
    Column("day", String(10), primary_key=True, comment="in UTC, YYYY-MM-DD"),
    Column("unit", String(16), primary_key=True, comment="tokens, or a currency, in millionths"),
    Column("amount", BigInteger, nullable=False, comment="spent, or reserved for requests on their way"),
    comment="What was spent on chat models.",
)

events = Table(
    "events",
    metadata,
    Column("id", ID, primary_key=True),
    Column("title", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("story", ID),
    Column("first_seen", BigInteger, nullable=False),
    Column("last_seen", BigInteger, nullable=False),
    Column("seen", JSON, nullable=False, comment="precision of first_seen and last_seen"),
    Column("articles", JSON, nullable=False),
    Column("reports", Integer, nullable=False, comment="the number of articles"),
    Column("headline", Boolean, nullable=False, comment="a headline mentions it"),
    Column("named_by", Integer, nullable=False),
    Column("planned", Boolean, nullable=False),
    Column("time", JSON, comment="when it happened"),
    Column("checked_by", Text, comment="a chat model that had a say in which mentions are of it"),
    Column("ended", BigInteger),
    Column("changed", BigInteger, nullable=False, index=True),
    comment="Events; ended ones have no mentions.",
)

LIVE = events.c.ended.is_(None)
"""An event that has not ended."""

for _columns in (
    (events.c.last_seen, events.c.id, events.c.first_seen),
    (events.c.language, events.c.last_seen, events.c.id),
    (events.c.story, events.c.last_seen, events.c.id),
):
    Index(None, *_columns, postgresql_where=LIVE, sqlite_where=LIVE)

successors = Table(
    "successors",
    metadata,
    Column("event", ID, ForeignKey(events.c.id), primary_key=True, comment="an ended event"),
    Column("position", Integer, primary_key=True),
    Column("into", ID, ForeignKey(events.c.id), nullable=False, index=True),
    comment="Where the mentions of merged and split events went.",
)

mentions = Table(
    "mentions",
    metadata,
    Column("article", ID, ForeignKey(articles.c.id), primary_key=True),
    Column("field", String(8), primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("end", Integer, primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("event", ID, ForeignKey(events.c.id), nullable=False, index=True),
    comment="Spans of articles that describe events, each in one event.",
    sqlite_with_rowid=False,
)

claims = Table(
    "claims",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("article", ID, ForeignKey(articles.c.id), nullable=False),
    Column("event", ID, ForeignKey(events.c.id), nullable=False),
    Column("field", String(8), nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("quote", Text, nullable=False),
    Column("probability", Double, nullable=False),
    Column("number", BigInteger, nullable=False, unique=True, comment="in the order in which they were read"),
    Column("parts", JSON, nullable=False, comment="spans of cause, effect, signals, antecedent, consequent; derived"),
    Column("changed", BigInteger, nullable=False, index=True),
    Index(None, "article", "id"),
    Index(None, "event", "id"),
    Index(None, "kind", "id"),
    comment="What sentences claim.",
)

links = Table(
    "links",
    metadata,
    Column("source", ID, ForeignKey(events.c.id), primary_key=True),
    Column("target", ID, ForeignKey(events.c.id), primary_key=True, index=True),
    Column("kind", String(16), primary_key=True),
    Column("probability", Double, nullable=False),
    Column("strength", Double, nullable=False),
    Column("time_order", String(16), nullable=False),
    Column("closed_by", ID, ForeignKey(events.c.id)),
    Column("weight", Double, nullable=False, comment="strength times probability"),
    Column("evidence", JSON, nullable=False, comment="what it rests on"),
    Column("denied_by", JSON, nullable=False, comment="claims that stand against it"),
    Column("evidence_kinds", Integer, nullable=False, comment="1: said, 2: shown, 4: implied, and their sums"),
    Column("ended", BigInteger),
    Column("changed", BigInteger, nullable=False, index=True),
    comment="Links between events.",
)

IN_FORCE = links.c.ended.is_(None)
"""A link that has not ended."""

_BY_WEIGHT = (links.c.weight, links.c.source, links.c.target, links.c.kind)
_ASKED_FOR = (links.c.evidence_kinds, links.c.closed_by)
Index("ix_links_by_weight", *_BY_WEIGHT, *_ASKED_FOR, postgresql_where=IN_FORCE, sqlite_where=IN_FORCE)

stories = Table(
    "stories",
    metadata,
    Column("id", ID, primary_key=True),
    Column("title", Text, nullable=False),
    Column("lead", ID, ForeignKey(events.c.id), nullable=False),
    Column("language", String(8), nullable=False),
    Column("first_seen", BigInteger, nullable=False),
    Column("last_seen", BigInteger, nullable=False),
    Column("seen", JSON, nullable=False, comment="as of events"),
    Column("events", Integer, nullable=False),
    Column("articles", Integer, nullable=False),
    Column("links", Integer, nullable=False),
    Column("outlets", Integer, nullable=False),
    Column("weight", Double, nullable=False, comment="of its links together"),
    Column("reports", Integer, nullable=False, comment="the articles of each event, together"),
    Column("first_listed", BigInteger, nullable=False, comment="of its reports; of one without a time: when it came"),
    Column("last_listed", BigInteger, nullable=False, comment="as first_listed"),
    Index(None, "weight", "events", "reports", "id"),
    Index(None, "last_listed", "first_listed"),
    comment="Stories of two events or more, summed up.",
)

story_facets = Table(
    "story_facets",
    metadata,
    Column("kind", String(16), primary_key=True, comment="outlet, place or organisation"),
    Column("value", ID, primary_key=True, comment="the name in lower case"),
    Column("story", ID, ForeignKey(stories.c.id, ondelete="CASCADE"), primary_key=True, index=True),
    Column("name", ID, nullable=False),
    Column("reports", Integer, nullable=False, comment="of the outlet, or that name it"),
    comment="By what stories can be chosen.",
    sqlite_with_rowid=False,
)

terms = Table(
    "terms",
    metadata,
    Column("term", String(8), primary_key=True),
    Column("event", ID, ForeignKey(events.c.id), primary_key=True, index=True),
    Column("weight", Integer, nullable=False, comment="2 in the title, 1 in another mention"),
    comment="An inverted index of events by the words of their titles and mentions.",
    sqlite_with_rowid=False,
)

headline_terms = Table(
    "headline_terms",
    metadata,
    Column("term", String(8), primary_key=True),
    Column("article", ID, ForeignKey(articles.c.id), primary_key=True, index=True),
    comment="An inverted index of articles by the words of their headlines.",
    sqlite_with_rowid=False,
)

changes = Table(
    "changes",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("kind", String(24), nullable=False),
    Column("subject", ID, nullable=False, index=True),
    Column("object", ID, index=True),
    Column("link_kind", String(16)),
    Column("into", JSON, nullable=False),
    Column("details", JSON, nullable=False),
    comment="The history: what happened to articles, events and links.",
)

corrections = Table(
    "corrections",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("link_kind", String(16)),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("taken_back", BigInteger),
    Column("taken_back_by", Text),
    Column("in_force", Boolean, nullable=False, comment="the graph is decided by it"),
    Column("refused", Text, comment="why no update applies it"),
    Index(None, "at", "id"),
    comment="Corrections by persons.",
)

anchors = Table(
    "anchors",
    metadata,
    Column("correction", ID, ForeignKey(corrections.c.id), primary_key=True),
    Column("side", Integer, primary_key=True, comment="0 left, 1 right"),
    Column("position", Integer, primary_key=True),
    Column("article", ID, nullable=False, index=True, comment="may be withdrawn"),
    Column("field", String(8), nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("words", Text, nullable=False),
    comment="Words of articles that corrections are about.",
    sqlite_with_rowid=False,
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("prefix", String(64), nullable=False, index=True),
    Column("hash", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("revoked", BigInteger),
    Column("last_used", BigInteger),
    comment="Keys for writing, hashed.",
)

feeds = Table(
    "feeds",
    metadata,
    Column("id", String(32), primary_key=True, comment="hash of the url, which may be longer than an index entry"),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False, comment="as somebody named it"),
    Column("state", JSON, comment="what is known of it after the last look"),
    Column("seen", JSON, comment="the entries that were handed over"),
    Column("added", BigInteger, comment="null: nobody added it; a program was given it"),
    Column("added_by", String(64), comment="id of a key"),
    Column("paused", Boolean, nullable=False),
    Column("interval", Integer, comment="minutes between looks; null: adapted to how often something is new"),
    Column("asked", BigInteger, comment="when somebody asked for a look"),
    comment="Feeds that are or were watched.",
)

feed_watch = Table(
    "feed_watch",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False, comment="always 1"),
    Column("process", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
    comment="One row: which process watches the feeds that were added.",
)

event_places = Table(
    "event_places",
    metadata,
    Column("place", String(200), primary_key=True, comment="from the country inwards: US/Texas/Dallas"),
    Column("event", ID, ForeignKey(events.c.id), primary_key=True, index=True),
    comment="The listed places that the words of events name, and the places that hold these.",
    sqlite_with_rowid=False,
)

watches = Table(
    "watches",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", String(8), nullable=False, comment="words, place or story"),
    Column("value", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("made_by", String(64), comment="id of a key"),
    Column("webhook", Text),
    Column("secret", Text, comment="signs what is sent, so it cannot be hashed"),
    Column("paused", Boolean, nullable=False),
    Column("delivered", BigInteger, nullable=False, comment="number of the last change handed over"),
    Column("delivered_at", BigInteger),
    Column("message", Text, comment="what is being sent: the same bytes at every attempt"),
    Column("reaches", BigInteger, comment="number of the last change that the message covers"),
    Column("failures", Integer, nullable=False, comment="in a row"),
    Column("failing_since", BigInteger),
    Column("next_try", BigInteger, nullable=False),
    Column("last_error", Text),
    Column("lease", String(32)),
    Column("leased_until", BigInteger, nullable=False, comment="0: no process is sending"),
    comment="What readers follow, and how far their webhooks are.",
)

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("title", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("language", String(8), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("rules", JSON, nullable=False),
    Column("guide", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("open", Boolean, nullable=False, comment="items are given out"),
    comment="What people are asked to label.",
)

LABEL_NAME = String(200)
"""Ids of items, and names of annotators."""

campaign_items = Table(
    "campaign_items",
    metadata,
    Column("campaign", String(64), ForeignKey(campaigns.c.id, ondelete="CASCADE"), primary_key=True),
    Column("id", LABEL_NAME, primary_key=True),
    Column("position", Integer, nullable=False, comment="in the campaign"),
    Column("role", String(16), nullable=False),
    Column("rank", Double, nullable=False, comment="minus its priority"),
    Column("content", JSON, nullable=False, comment="the item, with its gold answer"),
    Column("answers", Integer, nullable=False, comment="that count"),
    Column("finished", Boolean, nullable=False, comment="nobody else needs to be asked"),
    Index(None, "campaign", "role", "finished", "rank", "position"),
    comment="What annotators are asked.",
)

annotators = Table(
    "annotators",
    metadata,
    Column("campaign", String(64), ForeignKey(campaigns.c.id, ondelete="CASCADE"), primary_key=True),
    Column("name", LABEL_NAME, primary_key=True),
    Column("hash", String(64), index=True, comment="of the token; null: the answers were imported"),
    Column("joined", BigInteger, nullable=False),
    Column("excluded", BigInteger, comment="since when the answers do not count"),
    Column("item", LABEL_NAME, comment="given out last and not answered yet"),
    Column(
        "reserved_until", BigInteger, nullable=False, comment="until when nobody else gets the item in their place"
    ),
    comment="People who label, each in one campaign.",
)

votes = Table(
    "votes",
    metadata,
    Column("campaign", String(64), primary_key=True),
    Column("item", LABEL_NAME, primary_key=True),
    Column("person", LABEL_NAME, primary_key=True),
    Column("answer", JSON, nullable=False),
    Column("seconds", Double, nullable=False, comment="between the item and the answer"),
    Column("at", BigInteger, nullable=False),
    ForeignKeyConstraint(
        ["campaign", "item"],
        [campaign_items.c.campaign, campaign_items.c.id],
        name="fk_votes_item",
        ondelete="CASCADE",
    ),
    ForeignKeyConstraint(
        ["campaign", "person"],
        [annotators.c.campaign, annotators.c.name],
        name="fk_votes_person",
        ondelete="CASCADE",
    ),
    Index(None, "campaign", "person"),
    comment="What annotators answered.",
)
