"""Updates the graph with articles that come: decides what changes, and touches nothing.

A few articles are decided by what is near them (:mod:`whywire.updating.locally`). From time to time, when the
articles have become more by ``SETTLE_SHARE``, everything should be decided again, as a build does (*settled*): at a
quiet moment, for it takes as long as a build whose readings are known. Many articles at once settle by themselves.

Where articles are replaced or withdrawn, the stories that they were in are decided as if all their other articles
came anew, with the new versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from whywire.elements import (
    Claim,
    ClaimEvidence,
    Event,
    Evidence,
    HeadlineEvidence,
    Link,
    LinkKind,
    MentionKind,
)
from whywire.events.article_readings import ArticleReading
from whywire.events.assembling import headline_event
from whywire.language_models import LanguageModels
from whywire.links.retractions import Retractions
from whywire.news import Article, Language, to_row
from whywire.news.duplicates import in_canonical_order
from whywire.pipeline import LANGUAGES, decide, read
from whywire.progress import Progress, Stages
from whywire.updating.arrivals import Arrivals, sort_arrivals
from whywire.updating.changes import Change, ChangeKind, Changes, LinkKey, Settled, link_key
from whywire.updating.comparing import Decided, Reason, event_history, link_history, with_kept_ids
from whywire.updating.finished import links_among_finished, links_to_finished
from whywire.updating.known_answers import KnowingModels
from whywire.updating.locally import LocalDecision, Region
from whywire.updating.model_answers import text_key
from whywire.updating.state import State

SETTLE_SHARE = 0.1
"""Everything is to be decided again when this share of the articles came since the last time."""

MIN_SETTLED = 30
"""So few articles are always decided all together: that takes a fraction of a second."""

CORRECTED, WITHDRAWN = "corrected", "withdrawn"
"""Why an event or a link ended, in the history: all articles that it rested on were replaced, or some withdrawn."""


@dataclass
class _Decision:
    """What is different from the state.

    Args:
        events: whole; also ones that are as before.
        links: whole; also ones that are as before.
        dropped: links that are no more.
    """

    events: list[Event] = field(default_factory=list)
    ended: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    dropped: set[LinkKey] = field(default_factory=set)
    settled: dict[Language, Settled] = field(default_factory=dict)


def update(
    state: State,
    articles: Iterable[Article],
    *,
    replacing: Collection[str] = (),
    withdrawn: Collection[str] = (),
    models: LanguageModels | None = None,
    progress: Progress | None = None,
    settle: bool | None = None,
) -> Changes:
    """Decide what articles that come change; the state stays as it is.

    Args:
        articles: in any order, also late ones and ones that came before.
        replacing: the ids of those that replace the known article with the same id or url, if there is one. It must
            not be finished.
        withdrawn: the ids of known articles that are to be forgotten; others change nothing. None may be finished.
        models: the embedded ones by default.
        settle: decide everything again; by default only if there are few articles, or most are new.
    """
    arrivals = sort_arrivals(articles, state.articles, state.by_url, state.by_copy, replacing)
    gone = frozenset([one.id for one in arrivals.replaced] + [name for name in withdrawn if name in state.articles])
    coming = [*arrivals.new, *arrivals.replaced]
    again = _again(state, gone, arrivals)
    knowing, stages = KnowingModels(models or LanguageModels(), state.answers), Stages(progress)
    readings = {**state.readings, **_readings(state, coming, knowing, stages)}
    if settle is None:
        settle = _must_settle(state, coming, again, [state.articles[name] for name in gone])
    if settle:
        decision = _decide_all(state, arrivals, gone, readings, knowing, stages)
    elif gone:
        decision = _decide_again(state, gone, [*again, *coming], readings, knowing, stages)
    else:
        decision = _decide_near(state, coming, readings, knowing, stages)
    return _changes(state, arrivals, gone, decision, knowing)


def is_time_to_settle(state: State, new: Sequence[Article] = ()) -> bool:
    """Whether enough came or went since everything was decided to decide it again, at the next quiet moment.

    Args:
        new: articles that come now.
    """
    for language in LANGUAGES:
        own = _count(new, language)
        count, open_count = state.count(language) + own, state.news[language].open_count + own
        before = state.settled[language].articles if language in state.settled else 0
        if count > before and (count <= MIN_SETTLED or count - before >= SETTLE_SHARE * open_count):
            return True
    return False


def _must_settle(
    state: State, coming: Sequence[Article], again: Sequence[Article] = (), gone: Sequence[Article] = ()
) -> bool:
    """Whether articles that come, come again or go are so many, or all so few, that everything is decided at once."""
    for language in LANGUAGES:
        own = _count([*coming, *again, *gone], language)
        count = state.news[language].open_count + _count(coming, language) - _count(gone, language)
        if own and (count <= MIN_SETTLED or own >= SETTLE_SHARE * count or language not in state.settled):
            return True
    return False


def _readings(
    state: State, articles: Sequence[Article], models: KnowingModels, stages: Stages
) -> dict[str, ArticleReading]:
    """The readings of new articles: those of known words, and those the models read now."""
    known = {article.id: reading for article in articles if (reading := state.reading(article)) is not None}
    unread = [article for article in articles if article.id not in known]
    found = read(unread, models, stages)
    models.new.readings |= {text_key(article): found[article.id] for article in unread if article.id in found}
    return known | found


def _again(state: State, gone: Collection[str], arrivals: Arrivals) -> list[Article]:
    """The articles whose stories lose one, but for that one."""
    copied = {article.id: article for article in arrivals.copied}
    return [copied.get(name, state.articles[name]) for name in sorted(state.stories_of(gone) - {*gone})]


def _decide_all(
    state: State,
    arrivals: Arrivals,
    gone: Collection[str],
    readings: Mapping[str, ArticleReading],
    models: KnowingModels,
    stages: Stages,
) -> _Decision:
    copied = {article.id: article for article in arrivals.copied}
    known = (copied.get(article.id, article) for article in state.open_articles if article.id not in gone)
    articles = in_canonical_order([*known, *arrivals.new, *arrivals.replaced])
    graph, cuts = decide(articles, readings, models, stages)
    decided, ended = with_kept_ids(
        Decided(graph.events, graph.links, graph.claims), state.open_events, state.used_ids, state.beyond.stories
    )
    links = [*decided.links, *links_to_finished(state, state.links.values(), decided.events)]
    decision = _Decision(
        events=list(decided.events),
        ended=ended,
        claims=list(decided.claims),
        dropped={*state.links} - {link_key(link) for link in links} - links_among_finished(state),
        settled={
            language: Settled(state.beyond.counts.get(language, 0) + _count(articles, language), cut)
            for language, cut in cuts.items()
        },
    )
    decision.links += _closed(state, {link_key(link): link for link in links}, decision)
    return decision


def _decide_again(
    state: State,
    gone: Collection[str],
    articles: Sequence[Article],
    readings: Mapping[str, ArticleReading],
    models: KnowingModels,
    stages: Stages,
) -> _Decision:
    """Decide stories that lose an article as if the others, and what comes, came to a state without these stories."""
    left = state.stories_of(gone)
    rest = state.without(left)
    near = _decide_near(rest, in_canonical_order(articles), readings, models, stages)
    touched = {event.id for event in near.events} | near.ended.keys() | {*state.events} - {*rest.events}
    stories = {event.story for event in rest.events.values() if event.story and event.id not in touched}
    decided, ended = with_kept_ids(
        Decided(near.events, near.links, near.claims),
        [event for name, event in state.events.items() if name in touched],
        state.used_ids,
        {*state.beyond.stories, *stories},
    )
    lost = [link for key, link in state.links.items() if key not in rest.links]
    kept = links_to_finished(state, lost, decided.events)
    links = {link_key(link): link for link in (*kept, *decided.links)}
    replaced = {*near.dropped, *map(link_key, lost), *map(link_key, near.links)} & state.links.keys()
    decision = _Decision(
        events=list(decided.events),
        ended=ended,
        claims=list(decided.claims),
        dropped=replaced - links.keys(),
        settled={
            language: replace(one, articles=one.articles - 2 * count)
            for language, one in state.settled.items()
            if (count := _count([state.articles[name] for name in gone], language))
        },
    )
    decision.links += _closed(state, links, decision)
    return decision


def _decide_near(
    state: State,
    articles: Sequence[Article],
    readings: Mapping[str, ArticleReading],
    models: KnowingModels,
    stages: Stages,
) -> _Decision:
    decision = _Decision()
    links: dict[LinkKey, Link] = {}
    for language in LANGUAGES:
        new = [article for article in articles if article.language is language]
        if new:
            with state.news[language].tentatively(new, readings) as numbers:
                region = _region(state, language, numbers, models, stages)
            decision.events += region.events
            decision.ended |= region.ended
            decision.claims += region.claims
            links |= {link_key(link): link for link in region.links}
            decision.dropped |= _replaced(state, region) - links.keys()
    decision.events += [headline_event(article) for article in articles if article.language is Language.OTHER]
    decision.links += _closed(state, links, decision)
    return decision


def _region(state: State, language: Language, new: Sequence[int], models: KnowingModels, stages: Stages) -> Region:
    cut = state.settled[language].cut
    news, links_of = state.news[language], state.links_of
    used = state.used_ids, state.beyond.stories
    return LocalDecision(news, new, state.events, used, links_of, cut, language, models, stages).decide()


def _replaced(state: State, region: Region) -> set[LinkKey]:
    """The links instead of which those of a region are."""
    found = {key for name in region.replaced for key in state.links_of.get(name, {})}
    return found | {key for name in region.rejudged for key in state.judged_in.get(name, {})}


def _count(articles: Iterable[Article], language: Language) -> int:
    return sum(article.language is language for article in articles)


def _closed(state: State, links: Mapping[LinkKey, Link], decision: _Decision) -> Iterator[Link]:
    """The links, closed where an event was retracted; and those elsewhere that are closed or open again now."""
    events = {event.id: event for event in decision.events}
    decided = decision.dropped | links.keys()
    refuting = [link for link in links.values() if link.kind is LinkKind.REFUTES]
    refuting += [link for link in state.refutations.values() if link_key(link) not in decided]
    retractions = Retractions.of(refuting, lambda name: events.get(name) or state.event(name))
    others = {**state.closed}
    for name in {*retractions.denied, *retractions.blamed, *state.events_told_by(retractions.reports)}:
        others |= state.links_of.get(name, {})
    for link in (*links.values(), *(link for key, link in others.items() if key not in decided)):
        yield retractions.close(replace(link, closed_by=None))


def _changes(
    state: State, arrivals: Arrivals, gone: frozenset[str], decision: _Decision, models: KnowingModels
) -> Changes:
    events = tuple(
        event
        for event in decision.events
        if state.events.get(event.id) != event or not gone.isdisjoint(event.articles)
    )
    links = tuple(link for link in decision.links if state.links.get(link_key(link)) != link)
    claims = tuple(claim for claim in decision.claims if state.claims.get(claim.id) != claim or claim.article in gone)
    titles = {event.id: event.title for event in events}
    ends = {end for key in (*map(link_key, links), *decision.dropped) for end in key[:2]}
    titles |= {name: state.events[name].title for name in ends - {*titles} if name in state.events}
    reason = _reason(state, arrivals.replaced, gone)
    return Changes(
        articles=(*arrivals.copied, *arrivals.replaced, *arrivals.new),
        gone=gone,
        answers=models.new,
        claims=claims,
        events=events,
        ended=decision.ended,
        links=links,
        dropped=tuple(sorted(decision.dropped)),
        settled=decision.settled,
        history=(
            *(Change(ChangeKind.ARTICLE_COPIED, one.id, details={"also": list(one.also)}) for one in arrivals.copied),
            *(Change(ChangeKind.ARTICLE_ADDED, one.id, details={"title": one.title}) for one in arrivals.new),
            *_gone_history(state, arrivals.replaced, gone),
            *event_history(state.events, events, decision.ended, reason),
            *link_history(state.links, links, sorted(decision.dropped), titles, reason),
        ),
        problems=tuple(arrivals.problems),
    )


def _gone_history(state: State, replaced: Iterable[Article], gone: frozenset[str]) -> Iterator[Change]:
    """What articles were that are replaced or withdrawn, with the events that their headlines were of."""
    versions = {article.id: article for article in replaced}
    event_of = {
        mention.article: event.id
        for event in state.events.values()
        if not gone.isdisjoint(event.articles)
        for mention in event.mentions
        if mention.kind is MentionKind.HEADLINE
    }
    for name in sorted(gone):
        before = state.articles[name]
        kind = ChangeKind.ARTICLE_REPLACED if name in versions else ChangeKind.ARTICLE_WITHDRAWN
        details = {"title": versions.get(name, before).title, "before": to_row(before)}
        yield Change(kind, name, event_of[name], details=details)


def _reason(state: State, replaced: Iterable[Article], gone: frozenset[str]) -> Reason:
    """A function that says why an event or a link ends that rests on articles that are gone alone."""
    corrected = {article.id for article in replaced}

    def reason(ended: Event | Link) -> str | None:
        if not gone:
            return None
        parts = [{one} for one in ended.articles] if isinstance(ended, Event) else map(articles_of, ended.evidence)
        lost = [part & gone for part in parts]
        if not all(lost):
            return None
        return CORRECTED if set().union(*lost) <= corrected else WITHDRAWN

    def articles_of(one: Evidence) -> set[str]:
        match one:
            case ClaimEvidence():
                return {state.claims[one.claim].article}
            case HeadlineEvidence():
                return {one.source_article, one.target_article}
        return {one.cause.article, one.effect.article}

    return reason
