"""Rows that only the service writes: graphs, mentions, stories, changes, counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whywire.elements import Mention, round_strength
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import claim_rows, event_rows, link_rows, time_text
from whywire.news import Article, to_row
from whywire.store import ApiKey, Counts, RecordedChange, StorySummary
from whywire.updating import Change

Row = dict[str, Any]


def article_row(article: Article, *, text: bool) -> Row:
    """An article, with its text or without."""
    row = to_row(article)
    return row if text else {name: value for name, value in row.items() if name != "text"}


def graph_row(graph: CausalGraph) -> Row:
    """``{events, links, claims, articles}``, with rows as a build writes them."""
    return {
        "events": list(event_rows(graph)),
        "links": list(link_rows(graph)),
        "claims": list(claim_rows(graph)),
        "articles": [article_row(article, text=False) for article in graph.articles.values()],
    }


def mention_row(mention: Mention, event: str, article: Article | None) -> Row:
    """A mention with its words and the id of its event."""
    words = getattr(article, mention.field)[slice(*mention.span)] if article else ""
    return {
        "article": mention.article,
        "field": mention.field,
        "span": list(mention.span),
        "kind": mention.kind.value,
        "words": words,
        "event": event,
    }


def story_row(story: StorySummary) -> Row:
    """A story in numbers."""
    return {
        "id": story.id,
        "title": story.title,
        "lead": story.lead,
        "language": story.language.value,
        "first_seen": time_text(story.first_seen),
        "last_seen": time_text(story.last_seen),
        "events": story.events,
        "articles": story.articles,
        "links": story.links,
        "outlets": story.outlets,
        "strength": round_strength(story.strength),
    }


def change_row(recorded: RecordedChange) -> Row:
    """A change of the history."""
    change: Change = recorded.change
    return {
        "id": recorded.id,
        "at": recorded.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "kind": change.kind.value,
        "subject": change.subject,
        "object": change.object,
        "link_kind": change.link_kind.value if change.link_kind else None,
        "into": list(change.into),
        "details": dict(change.details),
    }


def counts_row(counts: Counts) -> Row:
    """How much a store holds."""
    return {
        "articles": counts.articles,
        "events": counts.events,
        "stories": counts.stories,
        "links": counts.links,
        "claims": counts.claims,
        "waiting": counts.waiting,
        "set_aside": counts.set_aside,
        "changes": counts.changes,
    }


def key_row(key: ApiKey) -> Mapping[str, object]:
    """A key, without its hash."""
    return {
        "id": key.id,
        "name": key.name,
        "scopes": list(key.scopes),
        "made": key.made.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "last_used": key.last_used and key.last_used.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "revoked": key.revoked and key.revoked.isoformat(timespec="seconds").replace("+00:00", "Z"),
    }
