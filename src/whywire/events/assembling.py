"""Events made of the mentions that were found to tell of them: their names, times and articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from whywire.elements import (
    Event,
    Mention,
    MentionKind,
    article_sort_key,
    short_hash,
    sort_mentions,
    time_range,
)
from whywire.events.mentions import FoundMention
from whywire.news.article import Article


def event_of_mentions(group: Sequence[FoundMention], articles: Sequence[Article]) -> Event:
    """The event that mentions tell of.

    It is named by the headline nearest to all its mentions; without headlines by the nearest of those that can be
    understood alone, and where there is none by the words of the one that nearly can, with the headline above them.

    Args:
        group: one mention or more.
        articles: those that ``home`` numbers.
    """
    homes = sorted({one.home for one in group}, key=lambda home: article_sort_key(articles[home]))
    names = [articles[home].id for home in homes]
    mentions = sort_mentions([one.mention for one in group], {name: at for at, name in enumerate(names)})
    first_seen, last_seen = time_range(articles[home].published for home in homes)
    namer = _namer(group)
    return Event(
        id=_id(mentions[0]),
        title=_title(namer, articles[namer.home]),
        language=articles[homes[0]].language,
        first_seen=first_seen,
        last_seen=last_seen,
        articles=tuple(names),
        mentions=mentions,
        named_by=mentions.index(namer.mention),
        planned=all(one.reading.planned > one.reading.actual for one in group),
    )


def headline_event(article: Article) -> Event:
    """The event of an article that no model read: its headline."""
    mention = Mention(article.id, "title", (0, len(article.title)), MentionKind.HEADLINE)
    seen = article.published
    return Event(_id(mention), article.title, article.language, seen, seen, (article.id,), None, (mention,))


def title_words(event: Event, articles: Mapping[str, Article]) -> str:
    """The title of an event without the headline in brackets, where it has one."""
    if not event.mentions:
        return event.title
    headline = articles[event.mentions[event.named_by].article].title
    return event.title.removesuffix(f" ({headline})")


def _title(namer: FoundMention, article: Article) -> str:
    words = " ".join(namer.words.split())
    return words if namer.names else f"{words} ({article.title})"


def _namer(group: Sequence[FoundMention]) -> FoundMention:
    vectors = np.stack([one.vector for one in group])
    nearness = np.round((vectors @ vectors.T).mean(axis=1), 5)

    def rank(number: int) -> tuple[bool, bool, float, float, int]:
        one = group[number]
        return one.is_headline, one.names, 0.0 if one.names else one.reading.alone, float(nearness[number]), -number

    return group[max(range(len(group)), key=rank)]


def _id(first: Mention) -> str:
    """An event is named for its first mention, so it keeps its id as it grows."""
    return f"e-{short_hash(first.article, first.field, *map(str, first.span))}"
