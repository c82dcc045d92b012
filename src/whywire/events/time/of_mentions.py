"""When an event happened, by the words of its mentions.

Which error is worse? A wrong time, which reverses or forbids a link; without one the reports decide the order. So a
time counts where it is named in the mention's own clause, on its side of any other event there, and not in a relative
clause or in brackets. Of several times one within a year of its report is taken before one further back, then the
most exact, of equally exact ones that with which most articles agree, then that of the earliest article.
"""

from __future__ import annotations

from collections.abc import Sequence

from whywire.elements import EventTime, article_sort_key
from whywire.events.mentions import MentionCandidate
from whywire.events.time.background import LONG_AGO
from whywire.events.time.event_time import event_time


def time_of_mentions(group: Sequence[MentionCandidate]) -> EventTime | None:
    """The time that the mentions of an event name; ``None`` where none does.

    Raises:
        MissingExtraError: dateparser is not installed.
    """
    article = {one.article.id: one.article for one in group}
    named = [time for one in group if (time := _time_of(one))]

    def rank(time: EventTime) -> tuple[object, ...]:
        agreeing = {other.article for other in named if time.start < other.end and other.start < time.end}
        report = article[time.article]
        is_long_ago = report.published is not None and report.published.day - time.start > LONG_AGO
        best = is_long_ago, time.end - time.start, -len(agreeing)
        return *best, article_sort_key(report), time.field == "text", time.span, time.start

    return min(named, key=rank, default=None)


def _time_of(one: MentionCandidate) -> EventTime | None:
    start, end = one.clause
    article, field = one.article, one.mention.field
    text = getattr(article, field)[start:end]
    when = event_time(
        text, article.language, article.published, (one.time_scope[0] - start, one.time_scope[1] - start)
    )
    if when is None:
        return None
    first, last = when.span
    return EventTime(
        when.start, when.end, when.precision, article.id, field, (start + first, start + last), text[first:last]
    )
