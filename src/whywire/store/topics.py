"""What is new about a topic that readers follow: words, a place or a story.

One rule says which stories belong to a topic, and one list which kinds of changes are news of them; feeds and
webhooks use both. A feed has the latest changes of the stories that belong to the topic now. A webhook gets each
change once, in order: for each change after the last one handed over it is decided whether its story belongs to the
topic.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Table, func, or_, select

from whywire.elements import MentionKind
from whywire.errors import InputError
from whywire.news.places import places_in
from whywire.store import queries
from whywire.store.records import Topic, TopicChange, TopicKind
from whywire.store.rows import change_of
from whywire.store.schema import LIVE, changes, event_places, events, mentions, terms
from whywire.store.search import place_key
from whywire.store.statements import among, rows_among
from whywire.store.terms import MAX_WORDS, STEM_CHARS
from whywire.updating import ChangeKind

NEWS = (ChangeKind.ARTICLE_ADDED, ChangeKind.LINK_ADDED, ChangeKind.LINK_CLOSED)
"""The kinds of changes that are news of a story."""

MAX_STORIES = 200
"""The most stories of a topic whose latest changes are read, those with the latest reports."""

MAX_CHANGES = 1000
"""The most changes that are looked through at once."""

_STORY = func.coalesce(events.c.story, events.c.id)
"""The story of an event; an event that is in none is a story of its own."""


def title_of(connection: Connection, topic: Topic) -> str | None:
    """What a reader calls a topic: its words or place, or the title of its story; ``None`` if there is no such story.

    Raises:
        InputError: the words are none or too many, or the place is not listed.
    """
    if topic.kind is TopicKind.WORDS:
        _words_of(topic.value)
    elif topic.kind is TopicKind.PLACE:
        _place_of(topic.value)
    else:
        titles = _titles(connection, _continued(connection, topic.value))
        return next(iter(titles.values()), None)
    return topic.value


def latest_news(connection: Connection, topic: Topic, *, limit: int) -> list[TopicChange]:
    """The latest changes about a topic, as its stories are now; the latest first."""
    latest = (
        select(_STORY)
        .where(LIVE, *_belongs(connection, topic))
        .group_by(_STORY)
        .order_by(func.max(events.c.last_seen).desc())
    )
    names = {*connection.execute(latest.limit(MAX_STORIES)).scalars()}
    story_of = {
        row.id: row.story or row.id
        for column in (events.c.story, events.c.id)
        for row in rows_among(connection, select(events.c.id, events.c.story).where(LIVE), column, names)
        if (row.story or row.id) in names
    }
    headlines = select(mentions.c.article, mentions.c.event).where(mentions.c.kind == MentionKind.HEADLINE.value)
    reports = {row.article: row.event for row in rows_among(connection, headlines, mentions.c.event, story_of)}
    subjects = {event: event for event in story_of} | reports
    newest = select(changes).where(_IS_NEWS).order_by(changes.c.id.desc()).limit(limit)
    rows = {
        row.id: row
        for condition in among(changes.c.subject, subjects)
        for row in connection.execute(newest.where(condition))
    }
    titles = _titles(connection, names)
    found = [(story_of[subjects[rows[number].subject]], rows[number]) for number in sorted(rows, reverse=True)]
    return [TopicChange(story, titles[story], change_of(row)) for story, row in found[:limit]]


@dataclass(frozen=True)
class Later:
    """What was recorded after a change: the news of all stories.

    Args:
        news: in their order.
        reaches: the number of the change up to which there is no other news.
    """

    news: list[TopicChange]
    reaches: int


def later_news(connection: Connection, after: int) -> Later:
    """The news of all stories after a change, as much as is looked through at once."""
    last = queries.last_change(connection)
    later = select(changes).where(changes.c.id > after, _IS_NEWS).order_by(changes.c.id).limit(MAX_CHANGES)
    recorded = [*map(change_of, connection.execute(later))]
    of_links = {one.change.subject for one in recorded if one.change.link_kind}
    of_articles = {one.change.subject for one in recorded if not one.change.link_kind}
    stories = queries.stories_of(connection, events=of_links, articles=of_articles)
    news = [TopicChange(*stories[one.change.subject], one) for one in recorded if one.change.subject in stories]
    if len(recorded) == MAX_CHANGES:
        return Later(news, recorded[-1].id)
    return Later(news, max(after, last, *(one.id for one in recorded[-1:])))  # others may have committed meanwhile


def news_among(connection: Connection, topic: Topic, later: Later, *, limit: int) -> tuple[list[TopicChange], int]:
    """The first news of a topic among that of all stories.

    Returns:
        The news, and the number of the change up to which there is no other news of the topic.
    """
    wanted = _that_belong(connection, topic, {one.story for one in later.news})
    found = [one for one in later.news if one.story in wanted]
    if len(found) > limit:
        return found[:limit], found[limit - 1].recorded.id
    return found, later.reaches


def news_after(connection: Connection, topic: Topic, after: int, *, limit: int) -> tuple[list[TopicChange], int]:
    """The first news of a topic after a change, in its order, and the number of the change up to which it reaches."""
    return news_among(connection, topic, later_news(connection, after), limit=limit)


_IS_NEWS = changes.c.kind.in_([kind.value for kind in NEWS])


def _that_belong(connection: Connection, topic: Topic, stories: Collection[str]) -> set[str]:
    """Those of these stories that belong to a topic."""
    belonging = select(_STORY).where(LIVE, *_belongs(connection, topic, of_few=True))
    return {
        story
        for column in (events.c.story, events.c.id)
        for condition in among(column, stories)
        for story in connection.execute(belonging.where(condition)).scalars()
    }


def _belongs(connection: Connection, topic: Topic, *, of_few: bool = False) -> list[ColumnElement[bool]]:
    """The conditions that an event makes its story one of the topic.

    Args:
        of_few: other conditions leave few events, so that each is looked up; otherwise all that fit are looked up.
    """

    def is_in(table: Table, condition: ColumnElement[bool]) -> ColumnElement[bool]:
        found = select(table.c.event).where(condition)
        return found.where(table.c.event == events.c.id).exists() if of_few else events.c.id.in_(found)

    if topic.kind is TopicKind.STORY:
        named = _continued(connection, topic.value)
        return [or_(events.c.story.in_(named), events.c.id.in_(named))]
    if topic.kind is TopicKind.PLACE:
        return [is_in(event_places, event_places.c.place == _place_of(topic.value))]
    return [is_in(terms, terms.c.term.in_(sorted(_stems_of(word)))) for word in _words_of(topic.value)]


def _titles(connection: Connection, stories: Iterable[str]) -> dict[str, str]:
    """The titles of stories and of events that are in none, in the given order."""
    named = [*stories]
    titles = {story.id: story.title for story in queries.stories_named(connection, named)}
    alone = [name for name in named if name not in titles]
    live = select(events.c.id, events.c.title).where(LIVE)
    titles |= {row.id: row.title for row in rows_among(connection, live, events.c.id, alone)}
    return {name: titles[name] for name in named if name in titles}


# stories


def _continued(connection: Connection, story: str) -> list[str]:
    """The story with this id, or else those in which the event of this id, or what became of it, is now."""
    if queries.stories_named(connection, [story]):
        return [story]
    now = select(events.c.id, _STORY.label("story")).where(LIVE)
    rows = rows_among(connection, now, events.c.id, queries.resolve(connection, story))
    return sorted({row.story for row in rows})


# places


def _place_of(name: str) -> str:
    """The key of the listed place that a text names: of places inside each other, the innermost.

    Raises:
        InputError: it names no listed place, or several.
    """
    listed = sorted(places_in(name).listed, key=len)
    if not listed:
        raise InputError(f"no listed place: {name[:80]!r}", hint="follow it by its words instead")
    if any(place != listed[-1][: len(place)] for place in listed):
        raise InputError(f"several places: {name[:80]!r}", hint="follow each by itself")
    return place_key(listed[-1])


# words

_WORD = re.compile(r"[^\W_]+")

_FUNCTION_WORDS = frozenset(
    word
    for words in (
        "a an the and or of in on at to by as is are was were be for from with after before over about it its",
        "и или в во на по за из от до с со к ко о об у не но а для при после перед над под что как это его её их",
    )
    for word in words.split()
)
"""Words that a headline may lack."""

_CASE_ENDINGS = ("", *"аеиоуыюьяй", "ев", "ов")
"""What may stand behind the root of a short Russian word, as far as a stem reaches."""


def _words_of(text: str) -> list[str]:
    """The words that an event must have, in lower case.

    Raises:
        InputError: there is none, or there are too many.
    """
    every = [*dict.fromkeys(word for word in _WORD.findall(text.lower()) if len(word) > 1)]
    words = [word for word in every if word not in _FUNCTION_WORDS]
    if not words or len(words) > MAX_WORDS:
        raise InputError(f"{len(words)} words to follow", hint=f"name one to {MAX_WORDS}, such as: refinery fire")
    return words


def _stems_of(word: str) -> set[str]:
    """The stems that the forms of a word have in the index; short words differ in their endings there."""
    if len(word) > STEM_CHARS:
        return {word[:STEM_CHARS]}
    if russian := re.fullmatch(r"([а-яё]{3,4}?)[аеиоуыюьяй]?", word):
        return {(russian[1] + ending)[:STEM_CHARS] for ending in _CASE_ENDINGS}
    if english := re.fullmatch(r"([a-z]{3,5}?)s?", word):
        return {word, english[1], f"{english[1]}s"[:STEM_CHARS]}
    return {word}
