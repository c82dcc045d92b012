"""Small graphs of everything a graph can hold, made up by Hypothesis, with odd ids and titles."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import strategies as st

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Contradiction,
    Event,
    EventTime,
    Evidence,
    HeadlineEvidence,
    Link,
    LinkKind,
    Order,
    Precision,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.illegal_characters import xml_text
from whywire.news.article import Article, InferredFrom, Published, Span
from whywire.news.language import Language

ODD = [
    'He said "stop"',
    "it's <b>&amp; &lt;",
    "back\\slash\\",
    "\\u0041\\n\\N",
    "two\nlines\r\nthree\rfour",
    "tab\tand \x00\x07\x1b\x7f\x85 controls",
    "line\u2028and\u2029paragraph",
    "Из-за пожара «всё» встало",
    "😀 שלום 𝔘",
    "`code` #35; #quot; %% -->|x| end;",
    "{brace} [bracket] (paren) $dollar",
    "=1+1,2;3",
    "\ufeffmark \ufffe \uffff",
    " spaces ",
    "*/ // -- '''",
]
"""Words that break formats which do not mind them."""

words = st.one_of(st.sampled_from(ODD), st.text(max_size=12))
names = st.one_of(st.sampled_from(ODD), st.text(min_size=1, max_size=6))
probabilities = st.floats(0, 1)
start = datetime(2026, 3, 1, tzinfo=UTC)
instants = st.integers(0, 99).map(lambda hours: Published(start + timedelta(hours=hours)))
days = st.builds(
    lambda many, source: Published(start + timedelta(days=many), True, source),
    st.integers(0, 9),
    st.one_of(st.none(), st.sampled_from(InferredFrom)),
)
times = st.one_of(st.none(), instants, days)
seen = times.map(lambda time: time and replace(time, inferred_from=None))
addresses = st.one_of(
    st.none(), st.sampled_from(['https://harbour.example/a?b=c&d="e" f', "javascript:alert(1)"]), names
)


@st.composite
def small_graphs(draw: st.DrawFn) -> CausalGraph:
    """A graph of up to four events with all kinds of links and claims between them.

    Their ids differ in more than white space and what XML cannot hold, which some formats cannot tell apart.
    """
    ids = draw(st.lists(names, unique_by=lambda name: " ".join(xml_text(name).split()), max_size=4))
    articles: dict[str, Article] = {}
    events, claims = [], []
    for event_id in ids:
        members = [f"{event_id}/{place}" for place in range(draw(st.integers(1, 2)))]
        for member in members:
            articles[member] = Article(
                member,
                draw(words.filter(bool)),
                draw(words) * 2,
                draw(st.sampled_from(Language)),
                draw(addresses),
                draw(st.one_of(st.none(), words)),
                draw(times),
                tuple(draw(st.lists(names, max_size=2))),
            )
            claims += [
                _claim(draw, f"{event_id}.{member}.{place}", articles[member], event_id)
                for place in range(draw(st.integers(0, 2)))
            ]
        events.append(
            Event(
                event_id,
                draw(words),
                draw(st.sampled_from(Language)),
                draw(seen),
                draw(seen),
                tuple(members),
                draw(st.one_of(st.none(), st.sampled_from(ids))),
                when=draw(st.one_of(st.none(), _times_of(members))),
            )
        )
    pairs = [(source, target) for source in events for target in events if source is not target]
    kinds = st.sets(st.sampled_from(LinkKind))
    links = [_link(draw, *pair, kind, claims, ids) for pair in pairs for kind in sorted(draw(kinds))]
    return CausalGraph(articles, tuple(events), tuple(links), tuple(claims))


def _times_of(members: list[str]) -> st.SearchStrategy[EventTime]:
    return st.builds(
        lambda day, days, precision, *rest: EventTime(day, day + timedelta(days=days), precision, *rest),
        st.dates(date(1900, 1, 1), date(2100, 1, 1)),
        st.integers(1, 400),
        st.sampled_from(Precision),
        st.sampled_from(members),
        st.sampled_from(["title", "text"]),
        st.tuples(st.integers(0, 9), st.integers(9, 20)),
        words,
    )


def _claim(draw: st.DrawFn, claim_id: str, article: Article, event: str) -> Claim:
    field = draw(st.sampled_from(["title", "text"]))
    whole = getattr(article, field)

    def span(low: int, high: int) -> Span:
        start = draw(st.integers(low, high))
        return start, draw(st.integers(start, high))

    start, end = sentence = span(0, len(whole))
    kind = draw(st.sampled_from(ClaimKind))
    imagined = kind is ClaimKind.COUNTERFACTUAL
    return Claim(
        claim_id,
        kind,
        article.id,
        event,
        field,
        sentence,
        whole[start:end],
        draw(probabilities),
        cause=None if imagined else span(start, end),
        effect=None if imagined else span(start, end),
        signals=() if imagined else tuple(span(start, end) for _ in range(draw(st.integers(0, 2)))),
        antecedent=span(start, end) if imagined else None,
        consequent=span(start, end) if imagined and draw(st.booleans()) else None,
        derived=draw(words) or None if kind is ClaimKind.CAUSAL and draw(st.booleans()) else None,
    )


def _link(draw: st.DrawFn, source: Event, target: Event, kind: LinkKind, claims: list[Claim], ids: list[str]) -> Link:
    def some(least: int) -> tuple[ClaimEvidence, ...]:
        count = draw(st.integers(least, 1)) if claims else 0
        return tuple(ClaimEvidence(draw(st.sampled_from(claims)).id, draw(probabilities)) for _ in range(count))

    contradicts = draw(st.sampled_from((None, *Contradiction)))
    headlines = HeadlineEvidence(source.articles[0], target.articles[-1], draw(probabilities), contradicts)
    evidence: tuple[Evidence, ...] = (*some(0), headlines)
    return Link(
        source.id,
        target.id,
        kind,
        draw(probabilities),
        draw(st.floats(0, 100)),
        draw(st.sampled_from(Order)),
        evidence,
        draw(st.one_of(st.none(), st.sampled_from(ids))),
        some(0),
    )
