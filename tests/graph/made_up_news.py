"""Small graphs of made-up news for Hypothesis: any two of them are of the same articles, cut up in other ways."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import permutations, product

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
    ImpliedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Precision,
    sort_by_time,
)
from whywire.graph.causal_graph import CausalGraph
from whywire.links.order import order_of_events, order_of_reports
from whywire.news.article import Article, InferredFrom, Published
from whywire.news.language import Language

OUTLETS = ("Coast Courier", "Valley Gazette", None)
QUOTE = "The road closed because the river rose."


def article(number: int, published: Published | None) -> Article:
    """The article of that number."""
    return Article(f"a{number}", f"Headline {number}", QUOTE, source=OUTLETS[number % 3], published=published)


def claim(of: Article, event: str, kind: ClaimKind = ClaimKind.CAUSAL) -> Claim:
    """What the article's one sentence says."""
    return Claim(
        f"c-{kind}-{of.id}", kind, of.id, event, "text", (0, len(QUOTE)), QUOTE, 0.9, cause=(24, 38), effect=(0, 15)
    )


def event(articles: list[Article]) -> Event:
    """The event they tell of, named for the first one, as a build does."""
    articles = sorted(articles, key=lambda one: (one.published is None, one.published and one.published.at, one.id))
    times = sorted((one.published for one in articles if one.published), key=lambda time: (time.until, time.at))
    return Event(
        f"e-{articles[0].id}",
        articles[-1].title,
        Language.ENGLISH,
        times[0] if times else None,
        times[-1] if times else None,
        tuple(one.id for one in articles),
        mentions=tuple(Mention(one.id, "title", (0, len(one.title)), MentionKind.HEADLINE) for one in articles),
        named_by=len(articles) - 1,
    )


def moment(number: int) -> Published:
    """A quarter of a day; every fifth is only known by its day, every tenth was inferred."""
    day, quarter = divmod(number, 4)
    midnight = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day)
    return (
        Published(midnight, True, None if number % 10 else InferredFrom.URL)
        if number % 5 == 0
        else Published(midnight + timedelta(hours=6 * quarter))
    )


def when(one: Event) -> EventTime | None:
    """The day that the event's first article names, of those that name one."""
    for name in one.articles:
        if (number := int(name[1:])) % 2:
            start = date(2026, 3, 1) + timedelta(days=5 * number % 7)
            return EventTime(start, start + timedelta(days=1), Precision.DAY, name, "title", (0, 8), "Headline")
    return None


NUMBERS = tuple((7 * number) % 12 for number in range(9))
DATED = tuple(article(number, moment(time)) for number, time in enumerate(NUMBERS))
UNDATED = (*DATED[:7], article(7, None), article(8, None))


@st.composite
def graphs(draw: st.DrawFn, news: tuple[Article, ...] = UNDATED) -> CausalGraph:
    """A graph of some of the articles, with links of both kinds that the clock allows."""
    groups: dict[int, list[Article]] = {}
    for one in draw(st.lists(st.sampled_from(news), unique=True, max_size=len(news))):
        groups.setdefault(draw(st.integers(0, 5)), []).append(one)
    events = sort_by_time(event(group) for group in groups.values())
    stories = [draw(st.integers(0, 3)) for _ in events]
    events = tuple(
        replace(
            one, story=events[stories.index(part)].id if part and stories.count(part) > 1 else None, when=when(one)
        )
        for one, part in zip(events, stories, strict=True)
    )
    articles = {one.id: one for group in groups.values() for one in group}
    claims = tuple(
        claim(articles[name], of.id, kind)
        for of, kind in product(events, (ClaimKind.CAUSAL, ClaimKind.DENIAL))
        for name in of.articles
    )
    links = []
    for source, target in permutations(events, 2):
        kind = draw(st.sampled_from((None, None, LinkKind.CAUSES, LinkKind.CAUSES, LinkKind.REFUTES)))
        order = kind and order_of_events(source, target, kind)
        if order is None or kind is None:
            continue
        contradicts = draw(st.sampled_from(Contradiction)) if kind is LinkKind.REFUTES else None
        pieces: list[Evidence] = [
            HeadlineEvidence(a, b, 0.7, contradicts) for a, b in product(source.articles, target.articles)
        ]
        pieces += [ClaimEvidence(f"c-causal-{name}", 0.6) for name in target.articles]
        if kind is LinkKind.CAUSES:
            pieces += [ImpliedEvidence(*pair, 0.6) for pair in product(source.mentions, target.mentions)]
        evidence = tuple(draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=3, unique=True)))
        others = [None, *(one.id for one in events if one not in (source, target))]
        links.append(
            Link(
                source.id,
                target.id,
                kind,
                draw(st.sampled_from((0.5, 0.75, 1.0))),
                draw(st.sampled_from((10.0, 35.0, 60.0, 90.0))),
                order,
                tuple(sorted(evidence, key=lambda piece: (-piece.probability, repr(piece)))),
                draw(st.sampled_from(others)) if kind is LinkKind.CAUSES else None,
                (ClaimEvidence(f"c-denial-{target.articles[0]}", 0.4),) if draw(st.booleans()) else (),
            )
        )
    return CausalGraph(articles, events, tuple(links), claims)


def linked(*pairs: tuple[str, str, float], times: str = "") -> CausalGraph:
    """Events named by letters, one article each, a day apart in the order of ``times``, and links of cause."""
    names = sorted({name for source, target, _ in pairs for name in (source, target)})
    start = datetime(2026, 3, 1, tzinfo=UTC)
    told = {name: Published(start + timedelta(days=times.index(name))) if name in times else None for name in names}
    return CausalGraph(
        {f"a{name}": Article(f"a{name}", f"Headline {name}", published=told[name]) for name in names},
        tuple(
            Event(name, f"Headline {name}", Language.ENGLISH, told[name], told[name], (f"a{name}",)) for name in names
        ),
        tuple(
            Link(
                source,
                target,
                LinkKind.CAUSES,
                0.9,
                strength,
                order_of_reports(told[source], told[target]) or order_of_reports(None, None),
                (HeadlineEvidence(f"a{source}", f"a{target}", 0.9),),
            )
            for source, target, strength in pairs
        ),
    )
