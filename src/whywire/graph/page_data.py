"""The data of the page, as plain JSON.

Events, articles and claims refer to one another by their index in a list, which is shorter than ids in a page of
thousands of articles. Sentences are split into pieces with the roles of their words, because JavaScript counts
characters differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from whywire.elements import (
    CLASS_BOUNDS,
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    Evidence,
    EvidenceKind,
    HeadlineEvidence,
    Link,
    Mention,
    has_headline,
    round_probability,
    round_strength,
    strength_class,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import time_text, when_row
from whywire.graph.main_events import main_events
from whywire.graph.passages import Piece, WrittenSentence
from whywire.news.article import Article, Span
from whywire.news.article_rows import published_from
from whywire.news.sentences import split_sentences

CLAIMS_PER_EVENT = 5
"""The most causal claims of an event on the page that support no link; all are in ``claims.jsonl``."""

WHOLE = 0.8
"""A title that is this share of its sentence needs no sentence beside it."""

AROUND = 140
"""Characters of a sentence that are shown before and after the words of a title, at most."""

Json = dict[str, Any]


def page_data(
    graph: CausalGraph, title: str, summary: Mapping[str, object], sentences: Iterable[WrittenSentence] = ()
) -> Json:
    """Return everything the page shows, as values that JSON can represent.

    It includes all articles and links, and the events with a headline, a link or several articles. Of the claims it
    includes the evidence of links, denials, counterfactuals, and the ``CLAIMS_PER_EVENT`` most probable others of
    each event.
    """
    events = [event for event in graph.events if is_notable(event, graph)]
    claims = _shown_claims(graph, events)
    index = _Indices.of(graph, events, claims)
    return {
        "title": title,
        "summary": [[str(name), _as_text(value)] for name, value in summary.items()],
        "claimCount": len(graph.claims),
        "omittedEvents": len(graph.events) - len(events),
        "classes": [{"name": name.value, "highest": highest} for name, highest in CLASS_BOUNDS],
        "articles": [_article_data(article) for article in graph.articles.values()],
        "events": [_event_data(event, graph, index) for event in events],
        "links": [_link_data(link, graph, index) for link in graph.links],
        "claims": [_claim_data(claim, index) for claim in claims],
        "stories": _stories_data(graph, index, {sentence.story: sentence for sentence in sentences}),
        "singleEvents": index.of_events(graph.single_events()),
    }


def component_data(graph: CausalGraph) -> Json:
    """Return what the graph component draws, as values that JSON can represent.

    Claims, mentions and evidence are left out. Events and links are in the order of the graph.
    """
    index = _Indices.of(graph, graph.events, ())
    return {
        "articles": [{"title": article.title} for article in graph.articles.values()],
        "events": [_drawn_event(event, index) for event in graph.events],
        "links": [_drawn_link(link, index) for link in graph.links],
        "stories": _stories_data(graph, index, {}),
    }


def is_notable(event: Event, graph: CausalGraph) -> bool:
    """Return whether an event has a headline, a link or several articles; others are mentioned in passing."""
    return has_headline(event) or len(event.articles) > 1 or bool(graph.links_of(event.id))


def evidence_kinds(link: Link) -> list[str]:
    """Return the kinds of a link's evidence, in the order of ``EvidenceKind``: ``said``, ``shown``, ``implied``."""
    kinds = {evidence.kind for evidence in link.evidence}
    return [kind.value for kind in EvidenceKind if kind in kinds]


@dataclass(frozen=True, slots=True)
class _Indices:
    """Maps each article, event and claim id to its index in the page data."""

    articles: Mapping[str, int]
    events: Mapping[str, int]
    claims: Mapping[str, int]

    @classmethod
    def of(cls, graph: CausalGraph, events: Iterable[Event], claims: Iterable[Claim]) -> _Indices:
        return cls(
            articles={article: number for number, article in enumerate(graph.articles)},
            events={event.id: number for number, event in enumerate(events)},
            claims={claim.id: number for number, claim in enumerate(claims)},
        )

    def of_events(self, events: Iterable[Event]) -> list[int]:
        """Return the indices of events; events that are not on the page are left out."""
        return [self.events[event.id] for event in events if event.id in self.events]


def _shown_claims(graph: CausalGraph, events: Iterable[Event]) -> list[Claim]:
    evidence = {
        piece.claim
        for link in graph.links
        for piece in (*link.evidence, *link.denied_by)
        if isinstance(piece, ClaimEvidence)
    }
    shown = {
        claim.id
        for claim in graph.claims
        if claim.kind is not ClaimKind.CAUSAL or claim.derived or claim.id in evidence
    }
    for event in events:
        rest = [claim for claim in graph.claims_of(event.id) if claim.id not in shown]
        rest.sort(key=lambda claim: (-claim.probability, claim.id))
        shown.update(claim.id for claim in rest[:CLAIMS_PER_EVENT])
    return [claim for claim in graph.claims if claim.id in shown]


def _article_data(article: Article) -> Json:
    return {
        "title": article.title,
        "source": article.source,
        "url": article.url,
        "published": time_text(article.published),
        "inferredFrom": published_from(article),
    }


def _stories_data(graph: CausalGraph, index: _Indices, sentences: Mapping[str, WrittenSentence]) -> list[Json]:
    link_index = {link: number for number, link in enumerate(graph.links)}
    return [
        {
            "lead": index.events[story.lead.id],
            "events": index.of_events(story.events),
            "main": index.of_events(main_events(story)),
            "links": [link_index[link] for link in story.links],
            "written": _sentence_data(sentences[story.id], index) if story.id in sentences else None,
        }
        for story in graph.stories()
    ]


def _sentence_data(sentence: WrittenSentence, index: _Indices) -> Json:
    return {
        "model": sentence.model,
        "clauses": [
            {
                "part": clause.part.value,
                "text": clause.text,
                "article": index.articles[clause.passage.article],
                "quote": clause.passage.text,
            }
            for clause in sentence.clauses
        ],
    }


def _drawn_event(event: Event, index: _Indices) -> Json:
    return {
        "id": event.id,
        "title": event.title,
        "firstSeen": time_text(event.first_seen),
        "articles": [index.articles[article] for article in event.articles],
        "planned": event.planned,
    }


def _event_data(event: Event, graph: CausalGraph, index: _Indices) -> Json:
    claims = graph.claims_of(event.id)
    shown = [index.claims[claim.id] for claim in claims if claim.id in index.claims]
    return _drawn_event(event, index) | {
        "language": event.language.value,
        "lastSeen": time_text(event.last_seen),
        "when": event.when and when_row(event.when),
        "checkedBy": event.checked_by,
        "claims": shown,
        "omittedClaims": len(claims) - len(shown),
        "mentions": [
            _mention_data(mention, graph, index) | {"kind": mention.kind.value}
            for mention in event.mentions
            if graph.words(mention).strip()
        ],
    }


def _mention_data(mention: Mention, graph: CausalGraph, index: _Indices) -> Json:
    return {"article": index.articles[mention.article], "words": " ".join(graph.words(mention).split())}


def _drawn_link(link: Link, index: _Indices) -> Json:
    return {
        "source": index.events[link.source],
        "target": index.events[link.target],
        "kind": link.kind.value,
        "strength": round_strength(link.strength),
        "class": strength_class(round_strength(link.strength)).value,
        "probability": round_probability(link.probability),
        "weight": round_strength(link.weight),
        "evidenceKinds": evidence_kinds(link),
        "closedBy": None if link.closed_by is None else index.events[link.closed_by],
    }


def _link_data(link: Link, graph: CausalGraph, index: _Indices) -> Json:
    return _drawn_link(link, index) | {
        "order": link.order.value,
        "checkedBy": link.checked_by,
        "deniedBy": [_evidence_data(evidence, graph, index) for evidence in link.denied_by],
        "evidence": [_evidence_data(evidence, graph, index) for evidence in link.evidence],
    }


def _evidence_data(evidence: Evidence, graph: CausalGraph, index: _Indices) -> Json:
    data: Json = {"kind": evidence.kind.value, "probability": round_probability(evidence.probability)}
    match evidence:
        case ClaimEvidence():
            return data | {"claim": index.claims[evidence.claim]}
        case HeadlineEvidence():
            return data | {
                "source": index.articles[evidence.source_article],
                "target": index.articles[evidence.target_article],
                "contradicts": evidence.contradicts and evidence.contradicts.value,
            }
    return data | {
        "cause": _mention_data(evidence.cause, graph, index),
        "effect": _mention_data(evidence.effect, graph, index),
    }


def _claim_data(claim: Claim, index: _Indices) -> Json:
    return {
        "kind": claim.kind.value,
        "article": index.articles[claim.article],
        "probability": round_probability(claim.probability),
        "pieces": sentence_pieces(claim),
        "derived": claim.derived,
    }


def sentence_pieces(claim: Claim) -> list[Piece]:
    """Split the claim's sentence wherever a span begins or ends; the joined pieces are the quote."""
    origin = claim.sentence[0]
    return pieces_of(
        claim.quote, [(role, (start - origin, end - origin)) for role, (start, end) in _role_spans(claim)]
    )


def pieces_of(text: str, spans: Sequence[tuple[str, Span]]) -> list[Piece]:
    """Split a text wherever a span begins or ends; the joined pieces are the text.

    The roles of a piece are those of all spans that contain it, separated by spaces.

    Args:
        spans: roles with half-open character offsets.
    """
    bounds = (bound for _, ends in spans for bound in ends if 0 < bound < len(text))
    cuts = sorted({0, *bounds, len(text)})
    return [
        [text[left:right], " ".join(dict.fromkeys(role for role, (start, end) in spans if start <= left < end))]
        for left, right in pairwise(cuts)
    ]


def title_in_sentence(event: Event, graph: CausalGraph) -> list[Piece]:
    """Split the sentence that an event has its title from, with the role ``mention`` for the words of the title.

    Words of a sentence may lack who says so, whom it concerns, or a *not* before them. Empty if the title is a
    headline or nearly the whole sentence. A long sentence is cut around the words.
    """
    if not event.mentions or event.mentions[event.named_by].field == "title":
        return []
    mention = event.mentions[event.named_by]
    article = graph.articles[mention.article]
    start, end = mention.span
    around = sentence_of(mention, graph)
    if len(event.title) >= WHOLE * (around[1] - around[0]):
        return []
    first, last = max(around[0], start - AROUND), min(max(around[1], end), end + AROUND)
    pieces = pieces_of(article.text[first:last], [("mention", (start - first, end - first))])
    if first > around[0]:
        pieces[0][0] = "… " + pieces[0][0].partition(" ")[2]
    if last < around[1]:
        pieces[-1][0] = pieces[-1][0].rpartition(" ")[0] + " …"
    return pieces


def sentence_of(mention: Mention, graph: CausalGraph) -> Span:
    """Return the span of the sentence that a mention begins in; the title is one sentence."""
    article = graph.articles[mention.article]
    if mention.field == "title":
        return 0, len(article.title)
    sentences = split_sentences(article.text, article.language)
    return next((span for span in sentences if span[0] <= mention.span[0] < span[1]), mention.span)


def _role_spans(claim: Claim) -> Iterator[tuple[str, Span]]:
    for role in ("cause", "effect", "antecedent", "consequent"):
        span = getattr(claim, role)
        if span:
            yield role, span
    for signal in claim.signals:
        yield "signal", signal


def _as_text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_as_text(inner)}" for name, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_as_text(inner) for inner in value)
    return str(value)
