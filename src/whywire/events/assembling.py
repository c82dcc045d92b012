"""Makes an event of a group of mentions: its title, its articles, and when it was reported and happened.

A wrong time is worse than none: it reverses or forbids a link, while without a time the reports decide the order. So
a time counts only if it stands in the mention's own clause, on the mention's side of any other event there, and not
in a relative clause or in brackets. Among several times, those within a year of their report come first, then the
most exact, then the one that most articles agree with, then that of the earliest article.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whywire.elements import (
    Event,
    EventTime,
    Mention,
    MentionKind,
    article_sort_key,
    short_hash,
    sort_mentions,
    time_range,
)
from whywire.events.mentions import MentionCandidate
from whywire.events.time.background import LONG_AGO
from whywire.events.time.event_time import event_time
from whywire.news.article import Article
from whywire.news.withdrawals import is_retraction, takes_back


def event_of_mentions(group: Sequence[MentionCandidate]) -> Event:
    """The event of a group of coreferent mentions.

    Its title is the headline with the highest mean cosine with all mentions; without headlines, the words of the
    mention with the highest mean cosine among those that are understood alone; without these, the words of the
    mention that is most probably understood alone. A retraction gives the title only if no other report does, a
    correction only if no retraction does either.

    Args:
        group: one mention or more.
    """
    articles = sorted({mention.article.id: mention.article for mention in group}.values(), key=article_sort_key)
    names = [article.id for article in articles]
    mentions = sort_mentions([mention.mention for mention in group], {name: at for at, name in enumerate(names)})
    first_seen, last_seen = time_range(article.published for article in articles)
    namer = _namer(group, mentions)
    return Event(
        id=_id(mentions[0]),
        title=" ".join(namer.words.split()),
        language=articles[0].language,
        first_seen=first_seen,
        last_seen=last_seen,
        articles=tuple(names),
        mentions=mentions,
        named_by=mentions.index(namer.mention),
        planned=all(mention.reading.planned > mention.reading.actual for mention in group),
    )


def headline_event(article: Article) -> Event:
    """The event of an article that no model reads: what its headline says."""
    mention = Mention(article.id, "title", (0, len(article.title)), MentionKind.HEADLINE)
    seen = article.published
    return Event(_id(mention), article.title, article.language, seen, seen, (article.id,), None, (mention,))


def _namer(group: Sequence[MentionCandidate], mentions: Sequence[Mention]) -> MentionCandidate:
    """The mention that gives the title; of equally good mentions the first, in whatever order the news came."""
    vectors = np.stack([mention.reading.vector for mention in group])
    nearness = np.round((vectors @ vectors.T).mean(axis=1), 5)

    def rank(number: int) -> tuple[bool, bool, bool, bool, float, float, int]:
        mention = group[number]
        title = mention.article.title
        return (
            not takes_back(title),
            is_retraction(title),
            mention.is_headline,
            mention.can_name,
            0.0 if mention.can_name else mention.reading.alone,
            float(nearness[number]),
            -mentions.index(mention.mention),
        )

    return group[max(range(len(group)), key=rank)]


def _id(first: Mention) -> str:
    """The id of an event, made from its first mention so that it stays when the event grows."""
    return f"e-{short_hash(first.article, first.field, *map(str, first.span))}"


def time_of_mentions(group: Sequence[MentionCandidate]) -> EventTime | None:
    """The time that the mentions of an event state; ``None`` if none does.

    Raises:
        MissingExtraError: dateparser is not installed.
    """
    article = {mention.article.id: mention.article for mention in group}
    stated = [time for mention in group if (time := _time_of(mention))]

    def rank(time: EventTime) -> tuple[object, ...]:
        agreeing = {other.article for other in stated if time.start < other.end and other.start < time.end}
        report = article[time.article]
        is_long_ago = report.published is not None and report.published.day - time.start > LONG_AGO
        best = is_long_ago, time.end - time.start, -len(agreeing)
        return *best, article_sort_key(report), time.field == "text", time.span, time.start

    return min(stated, key=rank, default=None)


def _time_of(mention: MentionCandidate) -> EventTime | None:
    start, end = mention.clause
    article, field = mention.article, mention.mention.field
    text = getattr(article, field)[start:end]
    when = event_time(
        text, article.language, article.published, (mention.time_scope[0] - start, mention.time_scope[1] - start)
    )
    if when is None:
        return None
    first, last = when.span
    return EventTime(
        when.start, when.end, when.precision, article.id, field, (start + first, start + last), text[first:last]
    )
